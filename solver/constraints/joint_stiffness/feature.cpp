// Moments and forces between rigid bodies in the list of features.
#include "model/feature.hpp"

#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "constraints/joint_stiffness/joint_stiffnesses.hpp"

namespace crumple::constraints {

namespace {

class JointStiffnessFeature final : public model::FeatureOf<JointStiffness> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_joint_stiffnesses(build); }
  void add_curves(const model::FeatureInputs& inputs, std::set<LocalId>& curves) const override {
    for (const JointStiffness& stiffness : inputs.of<JointStiffness>()) {
      for (const JointMoment& m : stiffness.moments)
        curves.insert({m.curve, m.damping_curve, m.friction_curve});
      curves.insert({stiffness.scale_curve, stiffness.damping_scale_curve});
    }
  }
  void add_linked_bodies(const model::FeatureInputs& inputs, std::vector<LocalId>& bodies) const override {
    for (const JointStiffness& stiffness : inputs.of<JointStiffness>())
      bodies.insert(bodies.end(), stiffness.bodies.begin(), stiffness.bodies.end());
  }
  /// All ranks have all of them.
  bool keep(JointStiffness&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return JointStiffnesses::start(start);
  }
};

}  // namespace

const model::Feature& joint_stiffness_feature() {
  static const JointStiffnessFeature feature;
  return feature;
}

}  // namespace crumple::constraints
