// Belts in the list of features: every rank has all of them, and its copies of their nodes.
#include "model/feature.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "loads/belts/belt.hpp"
#include "loads/belts/belts_in_run.hpp"

namespace crumple::loads {

namespace {

double largest_force(const model::Model& model, const Belts& belts) {
  double largest = 0.0;
  const auto raise = [&](LocalId curve) {
    if (curve == model::kNone) return;
    for (const double y : model.curves[static_cast<std::size_t>(curve)].y)
      largest = std::max(largest, std::abs(y));
  };
  for (const BeltMaterial& m : belts.materials) raise(m.loading);
  for (const Retractor& r : belts.retractors) raise(r.loading);
  // Curves go on beyond their last points, and two elements pull a node.
  return 4.0 * largest;
}

class BeltFeature final : public model::FeatureOf<Belts> {
 public:
  std::string_view not_implicit() const override { return "seat belts"; }
  void read(model::Builder& build) const override { read_belts(build); }
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    return {"belt elements", inputs.of<Belts>().empty() ? 0 : inputs.of<Belts>().front().elements.size()};
  }
  void add_curves(const model::FeatureInputs& inputs, std::set<LocalId>& curves) const override {
    for (const Belts& belts : inputs.of<Belts>()) {
      for (const BeltMaterial& m : belts.materials) curves.insert({m.loading, m.unloading});
      for (const Retractor& r : belts.retractors) curves.insert({r.loading, r.unloading});
      for (const Pretensioner& p : belts.pretensioners) curves.insert(p.curve);
      for (const SlipRing& r : belts.rings) curves.insert(r.friction_curve);
    }
  }
  std::span<const std::string_view> histories() const override {
    static constexpr std::array<std::string_view, 1> names{"sbtout"};
    return names;
  }
  void add_pushed_nodes(const model::FeatureInputs& inputs, std::vector<LocalId>& nodes) const override {
    for (const Belts& belts : inputs.of<Belts>())
      nodes.insert(nodes.end(), belts.nodes.begin(), belts.nodes.end());
  }
  void add_peak_forces(const model::Model& model,
                       const std::function<void(LocalId, double)>& raise) const override {
    for (const Belts& belts : model.features.of<Belts>())
      for (const LocalId node : belts.nodes)
        if (node != model::kNone) raise(node, largest_force(model, belts));
  }
  bool keep(Belts& belts, const decomposition::RankPart& rank) const override {
    for (std::size_t k = 0; k < belts.nodes.size(); ++k) belts.owned[k] = rank.mine(belts.nodes[k]) ? 1 : 0;
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    if (start.model.features.of<Belts>().empty()) return nullptr;
    return std::make_unique<BeltModule>(start);
  }
};

}  // namespace

const model::Feature& belt_feature() {
  static const BeltFeature feature;
  return feature;
}

}  // namespace crumple::loads
