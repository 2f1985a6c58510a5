// Loads of rigid bodies in the list of features.
#include "model/feature.hpp"

#include "loads/rigid_body/rigid_body_load.hpp"
#include "loads/rigid_body/rigid_body_loads.hpp"

namespace crumple::loads {

namespace {

class RigidBodyLoadFeature final : public model::FeatureOf<RigidBodyLoad> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_rigid_body_loads(build); }
  void add_linked_bodies(const model::FeatureInputs& inputs, std::vector<LocalId>& bodies) const override {
    for (const RigidBodyLoad& load : inputs.of<RigidBodyLoad>()) bodies.push_back(load.body);
  }
  /// All ranks have all of them.
  bool keep(RigidBodyLoad&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return RigidBodyLoads::start(start);
  }
};

}  // namespace

const model::Feature& rigid_body_load_feature() {
  static const RigidBodyLoadFeature feature;
  return feature;
}

}  // namespace crumple::loads
