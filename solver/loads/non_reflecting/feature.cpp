// Non-reflecting boundaries in the list of features.
#include "model/feature.hpp"

#include "loads/non_reflecting/dashpots.hpp"
#include "loads/non_reflecting/non_reflecting.hpp"

namespace crumple::loads {

namespace {

/// A face is on the rank of its solid. All ranks sum the matrices of nodes.
class NonReflectingFeature final : public model::FeatureOf<NonReflectingFace> {
 public:
  std::string_view not_implicit() const override {
    return "boundaries that let waves pass (*BOUNDARY_NON_REFLECTING)";
  }
  void read(model::Builder& build) const override { read_non_reflecting(build); }
  bool keep(NonReflectingFace& face, const decomposition::RankPart& rank) const override {
    return rank.has(model::ElementKind::solid, face.solid);
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return Dashpots::start(start);
  }
};

}  // namespace

const model::Feature& non_reflecting_feature() {
  static const NonReflectingFeature feature;
  return feature;
}

}  // namespace crumple::loads
