// Loads on nodes in the list of features.
#include "model/feature.hpp"

#include <cstdlib>
#include <optional>

#include "loads/load_curve.hpp"
#include "loads/nodal/nodal_load.hpp"
#include "loads/nodal/nodal_loads.hpp"

namespace crumple::loads {

namespace {

bool is_moment(const NodalLoad& load) { return std::abs(load.dof) > 4; }

/// None of followers.
std::optional<Vec3> axis_of(const NodalLoad& load) {
  const int dof = std::abs(load.dof);
  if (dof == 4 || dof == 8 || dof < 1 || dof > 7) return std::nullopt;
  Vec3 axis;
  axis[(dof - 1) % 4] = 1.0;
  return axis;
}

class NodalLoadFeature final : public model::FeatureOf<NodalLoad> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_nodal_loads(build); }
  void add_pushed_nodes(const model::FeatureInputs& inputs, std::vector<LocalId>& nodes) const override {
    for (const NodalLoad& load : inputs.of<NodalLoad>()) nodes.push_back(load.node);
  }
  void add_turned_nodes(const model::FeatureInputs& inputs, std::vector<LocalId>& nodes) const override {
    for (const NodalLoad& load : inputs.of<NodalLoad>())
      if (load.dof > 4) nodes.push_back(load.node);
  }
  void add_actions(const model::FeatureInputs& inputs,
                   std::vector<model::NodalAction>& actions) const override {
    const std::vector<NodalLoad>& loads = inputs.of<NodalLoad>();
    for (std::size_t k = 0; k < loads.size(); ++k)
      if (loads[k].scale != 0.0)
        actions.push_back(
            {loads[k].node, is_moment(loads[k]), axis_of(loads[k]), "a load on the node", this, k});
  }
  void release(model::FeatureInputs& inputs, std::size_t item) const override {
    inputs.of<NodalLoad>()[item].scale = 0.0;
  }
  void add_peak_forces(const model::Model& model,
                       const std::function<void(LocalId, double)>& raise) const override {
    const PlaceFunctions functions(model);
    for (const NodalLoad& load : model.features.of<NodalLoad>()) {
      const deck::FunctionText* const f = functions.of(load.curve);
      const double end = model.control.end_time;
      raise(load.node, f ? std::abs(load.scale) * largest_value(*f, model.nodes.x[load.node], end)
                         : largest_load(model, load.curve, load.scale));
    }
  }
  /// A load is on the rank that owns its node.
  void add_copies(const model::FeatureInputs& whole, decomposition::Copies& copies) const override {
    for (const NodalLoad& load : whole.of<NodalLoad>())
      for (const LocalId node : load.follower)
        if (node != model::kNone && load.node != model::kNone) copies.add(node, copies.owner(load.node));
  }
  bool keep(NodalLoad& load, const decomposition::RankPart& rank) const override {
    return rank.mine(load.node);
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return NodalLoads::start(start);
  }
};

}  // namespace

const model::Feature& nodal_load_feature() {
  static const NodalLoadFeature feature;
  return feature;
}

}  // namespace crumple::loads
