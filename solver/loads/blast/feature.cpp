// Blasts in the list of features.
#include "model/feature.hpp"

#include <algorithm>
#include <cmath>

#include "loads/blast/blast_load.hpp"
#include "loads/blast/blast_loads.hpp"

namespace crumple::loads {

namespace {

class BlastLoadFeature final : public model::FeatureOf<BlastLoad> {
 public:
  std::string_view not_implicit() const override { return "blasts (*LOAD_BLAST_ENHANCED)"; }
  void read(model::Builder& build) const override { read_blast_loads(build); }
  void add_pushed_nodes(const model::FeatureInputs& inputs, std::vector<LocalId>& nodes) const override {
    for (const BlastLoad& load : inputs.of<BlastLoad>())
      nodes.insert(nodes.end(), load.nodes.begin(), load.nodes.end());
  }
  void add_actions(const model::FeatureInputs& inputs,
                   std::vector<model::NodalAction>& actions) const override {
    const std::vector<BlastLoad>& loads = inputs.of<BlastLoad>();
    for (std::size_t k = 0; k < loads.size(); ++k)
      for (const LocalId node : loads[k].nodes)
        if (loads[k].scale != 0.0) actions.push_back({node, false, std::nullopt, "a blast", this, k});
  }
  void release(model::FeatureInputs& inputs, std::size_t item) const override {
    inputs.of<BlastLoad>()[item].scale = 0.0;
  }
  void add_peak_forces(const model::Model& model,
                       const std::function<void(LocalId, double)>& raise) const override {
    for (const BlastLoad& load : model.features.of<BlastLoad>()) {
      const BlastWave wave =
          blast_wave(load.surface, scaled_distance(load, model.nodes.x), std::cbrt(load.mass));
      const Vec3 d1 = model.nodes.x[load.nodes[2]] - model.nodes.x[load.nodes[0]];
      const Vec3 d2 = model.nodes.x[load.nodes[3]] - model.nodes.x[load.nodes[1]];
      const double pressure =
          std::abs(load.scale) * std::max(wave.reflected, wave.incident) / load.kilopascals;
      for (const LocalId node : load.nodes) raise(node, pressure * norm(cross(d1, d2)));
    }
  }
  /// A segment is on the rank that owns its first node.
  void add_copies(const model::FeatureInputs& whole, decomposition::Copies& copies) const override {
    for (const BlastLoad& load : whole.of<BlastLoad>())
      for (const LocalId node : load.nodes) copies.add(node, copies.owner(load.nodes[0]));
  }
  bool keep(BlastLoad& load, const decomposition::RankPart& rank) const override {
    return rank.mine(load.nodes[0]);
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return BlastLoads::start(start);
  }
};

}  // namespace

const model::Feature& blast_load_feature() {
  static const BlastLoadFeature feature;
  return feature;
}

}  // namespace crumple::loads
