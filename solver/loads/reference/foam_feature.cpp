// Reference shapes of foams in the list of features: elements begin from them (state/foam_shapes.hpp).
#include "loads/reference/foam_reference.hpp"
#include "model/feature.hpp"
#include "modules/module.hpp"

namespace crumple::loads {

namespace {

class FoamReferenceFeature final : public model::FeatureOf<FoamReferenceNode> {
 public:
  std::string_view not_implicit() const override { return "reference shapes of foams"; }
  void read(model::Builder& build) const override { read_foam_references(build); }
  bool keep(FoamReferenceNode& of, const decomposition::RankPart& rank) const override {
    return rank.here(of.node);
  }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& foam_reference_feature() {
  static const FoamReferenceFeature feature;
  return feature;
}

}  // namespace crumple::loads
