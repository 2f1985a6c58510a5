// Body forces on parts in the list of features.
#include "model/feature.hpp"

#include "loads/part_gravity/part_gravities.hpp"
#include "loads/part_gravity/part_gravity.hpp"
#include "modules/module.hpp"

namespace crumple::loads {

namespace {

class PartGravityModule final : public modules::Module {
 public:
  explicit PartGravityModule(const modules::Start& s)
      : loads_(s.model, s.nodal, s.own_mass, s.transfer, s.halo, s.comm) {}
  void add_held_nodes(std::vector<LocalId>& nodes) const override {
    nodes.insert(nodes.end(), loads_.nodes().begin(), loads_.nodes().end());
  }
  void pull(modules::Cycle& c) override { loads_.pull(c.nodal, c.bodies, c.time, c.dt_last, c.stage); }
  void accelerate(modules::Cycle& c) override { loads_.accelerate(c.nodal, c.bodies); }
  void add_work(modules::Work& work) const override { work.external.add(loads_.work()); }
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override {
    loads_.archive(archive, nodes);
  }

 private:
  PartGravities loads_;
};

class PartGravityFeature final : public model::FeatureOf<PartGravity> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_part_gravity(build); }
  /// All ranks have all of them, because all take part in the sums of masses.
  bool keep(PartGravity&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    if (start.model.features.of<PartGravity>().empty()) return nullptr;
    return std::make_unique<PartGravityModule>(start);
  }
};

}  // namespace

const model::Feature& part_gravity_feature() {
  static const PartGravityFeature feature;
  return feature;
}

}  // namespace crumple::loads
