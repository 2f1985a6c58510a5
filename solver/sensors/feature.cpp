// Sensors in the list of features: which nodes a rank needs, and their module in the run.
#include "model/feature.hpp"

#include "modules/module.hpp"
#include "sensors/network.hpp"
#include "sensors/sensors.hpp"

namespace crumple::sensors {

namespace {

class SensorFeature final : public model::FeatureOf<Network> {
 public:
  std::string_view not_implicit() const override { return "sensors, and ends of the run by motion"; }
  void read(model::Builder& build) const override { read_sensors(build); }
  void add_linked_bodies(const model::FeatureInputs& inputs, std::vector<LocalId>& bodies) const override {
    for (const Network& network : inputs.of<Network>())
      for (const Sensor& sensor : network.sensors)
        if (sensor.kind == Kind::body) bodies.push_back(sensor.body);
  }
  void add_curves(const model::FeatureInputs& inputs, std::set<LocalId>& curves) const override {
    for (const Network& network : inputs.of<Network>())
      for (const Sensor& sensor : network.sensors)
        if (sensor.kind == Kind::curve) curves.insert(sensor.index);
  }
  /// The owner of a node finds its value, also where it is relative to another node.
  void add_copies(const model::FeatureInputs& whole, decomposition::Copies& copies) const override {
    for (const Network& network : whole.of<Network>())
      for (std::size_t k = 0; k < network.others.size(); ++k)
        for (std::size_t i = 0; i < network.others[k].size(); ++i)
          copies.add(network.others[k][i], copies.owner(network.nodes[k][i]));
  }
  /// All ranks have all sensors, because all take part in their sums.
  bool keep(Network& network, const decomposition::RankPart& rank) const override {
    for (std::size_t k = 0; k < network.nodes.size(); ++k) {
      std::vector<LocalId>&nodes = network.nodes[k], &others = network.others[k];
      std::size_t kept = 0;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!rank.mine(nodes[i])) continue;
        nodes[kept] = nodes[i];
        if (!others.empty()) others[kept] = others[i];
        ++kept;
      }
      nodes.resize(kept);
      if (!others.empty()) others.resize(kept);
    }
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    if (start.model.features.of<Network>().empty()) return nullptr;
    return std::make_unique<Sensors>(start.model, start.comm);
  }
};

}  // namespace

const model::Feature& sensor_feature() {
  static const SensorFeature feature;
  return feature;
}

}  // namespace crumple::sensors
