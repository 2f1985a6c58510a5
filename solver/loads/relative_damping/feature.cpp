// Damping relative to rigid bodies in the list of features: all ranks have all of them, and the bodies.
#include "model/feature.hpp"

#include "loads/relative_damping/relative_damping.hpp"
#include "loads/relative_damping/relative_dampings.hpp"

namespace crumple::loads {

namespace {

class RelativeDampingFeature final : public model::FeatureOf<RelativeDamping> {
 public:
  std::string_view not_implicit() const override {
    return "damping relative to a rigid body (*DAMPING_RELATIVE)";
  }
  void read(model::Builder& build) const override { read_relative_damping(build); }
  void add_linked_bodies(const model::FeatureInputs& inputs, std::vector<LocalId>& bodies) const override {
    for (const RelativeDamping& damping : inputs.of<RelativeDamping>()) bodies.push_back(damping.body);
  }
  bool keep(RelativeDamping&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return RelativeDampings::start(start);
  }
};

}  // namespace

const model::Feature& relative_damping_feature() {
  static const RelativeDampingFeature feature;
  return feature;
}

}  // namespace crumple::loads
