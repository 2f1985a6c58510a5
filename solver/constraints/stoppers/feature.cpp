// Stoppers in the list of features. Rigid bodies apply them (rigid_bodies.cpp).
#include "model/feature.hpp"

#include "constraints/stoppers/stopper.hpp"
#include "modules/module.hpp"

namespace crumple::constraints {

namespace {

class StopperFeature final : public model::FeatureOf<Stopper> {
 public:
  std::string_view not_implicit() const override {
    return "stoppers of rigid bodies (*CONSTRAINED_RIGID_BODY_STOPPERS)";
  }
  void read(model::Builder& build) const override { read_stoppers(build); }
  void add_linked_bodies(const model::FeatureInputs& inputs, std::vector<LocalId>& bodies) const override {
    for (const Stopper& stopper : inputs.of<Stopper>()) bodies.push_back(stopper.body);
  }
  /// All ranks have all of them.
  bool keep(Stopper&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& stopper_feature() {
  static const StopperFeature feature;
  return feature;
}

}  // namespace crumple::constraints
