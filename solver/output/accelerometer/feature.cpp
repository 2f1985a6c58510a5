// Accelerometers in the list of features: they act only where nodout is written (recorder.cpp).
#include "model/feature.hpp"

#include "modules/module.hpp"
#include "output/accelerometer/accelerometer.hpp"

namespace crumple::output {

namespace {

class AccelerometerFeature final : public model::FeatureOf<Accelerometer> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_accelerometers(build); }
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    return {"accelerometers", inputs.of<Accelerometer>().size()};
  }
  void add_copies(const model::FeatureInputs& whole, decomposition::Copies& copies) const override {
    for (const Accelerometer& in : whole.of<Accelerometer>())
      for (const LocalId node : in.nodes) copies.add(node, copies.owner(in.nodes[0]));
  }
  bool keep(Accelerometer& in, const decomposition::RankPart& rank) const override {
    return rank.mine(in.nodes[0]);
  }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& accelerometer_feature() {
  static const AccelerometerFeature feature;
  return feature;
}

}  // namespace crumple::output
