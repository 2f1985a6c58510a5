// Pressures in the list of features.
#include "model/feature.hpp"

#include <cmath>

#include "loads/load_curve.hpp"
#include "loads/pressure/pressure_load.hpp"
#include "loads/pressure/pressure_loads.hpp"

namespace crumple::loads {

namespace {

class PressureLoadFeature final : public model::FeatureOf<PressureLoad> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_pressure_loads(build); }
  void add_pushed_nodes(const model::FeatureInputs& inputs, std::vector<LocalId>& nodes) const override {
    for (const PressureLoad& load : inputs.of<PressureLoad>())
      nodes.insert(nodes.end(), load.nodes.begin(), load.nodes.end());
  }
  void add_actions(const model::FeatureInputs& inputs,
                   std::vector<model::NodalAction>& actions) const override {
    const std::vector<PressureLoad>& loads = inputs.of<PressureLoad>();
    for (std::size_t k = 0; k < loads.size(); ++k)
      for (const LocalId node : loads[k].nodes)
        if (loads[k].scale != 0.0) actions.push_back({node, false, std::nullopt, "a pressure", this, k});
  }
  void release(model::FeatureInputs& inputs, std::size_t item) const override {
    inputs.of<PressureLoad>()[item].scale = 0.0;
  }
  void add_peak_forces(const model::Model& model,
                       const std::function<void(LocalId, double)>& raise) const override {
    const PlaceFunctions functions(model);
    for (const PressureLoad& load : model.features.of<PressureLoad>()) {
      const Vec3 d1 = model.nodes.x[load.nodes[2]] - model.nodes.x[load.nodes[0]];
      const Vec3 d2 = model.nodes.x[load.nodes[3]] - model.nodes.x[load.nodes[1]];
      const deck::FunctionText* const f = functions.of(load.curve);
      const double pressure =
          f ? std::abs(load.scale) * largest_value(*f, model.nodes.x[load.nodes[0]], model.control.end_time)
            : largest_load(model, load.curve, load.scale);
      const double force = pressure * norm(cross(d1, d2));
      for (const LocalId node : load.nodes) raise(node, force);
    }
  }
  /// A pressure is on the rank of its shell, or on the one that owns its first node.
  void add_copies(const model::FeatureInputs& whole, decomposition::Copies& copies) const override {
    for (const PressureLoad& load : whole.of<PressureLoad>()) {
      const int home = load.shell != model::kNone ? copies.home(model::ElementKind::shell, load.shell)
                                                  : copies.owner(load.nodes[0]);
      for (const LocalId node : load.nodes) copies.add(node, home);
    }
  }
  bool keep(PressureLoad& load, const decomposition::RankPart& rank) const override {
    return load.shell != model::kNone ? rank.has(model::ElementKind::shell, load.shell)
                                      : rank.mine(load.nodes[0]);
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return PressureLoads::start(start);
  }
};

}  // namespace

const model::Feature& pressure_load_feature() {
  static const PressureLoadFeature feature;
  return feature;
}

}  // namespace crumple::loads
