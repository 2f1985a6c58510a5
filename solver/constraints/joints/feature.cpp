// Joints in the list of features.
#include "model/feature.hpp"

#include "constraints/joints/joint.hpp"
#include "constraints/joints/joints.hpp"

namespace crumple::constraints {

namespace {

class JointFeature final : public model::FeatureOf<Joint> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_joints(build); }
  void add_linked_bodies(const model::FeatureInputs& inputs, std::vector<LocalId>& bodies) const override {
    for (const Joint& joint : inputs.of<Joint>()) {
      bodies.insert(bodies.end(), joint.bodies.begin(), joint.bodies.end());
      bodies.push_back(joint.results_body);
    }
  }
  /// All ranks have all of them.
  bool keep(Joint&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return Joints::start(start);
  }
};

}  // namespace

const model::Feature& joint_feature() {
  static const JointFeature feature;
  return feature;
}

}  // namespace crumple::constraints
