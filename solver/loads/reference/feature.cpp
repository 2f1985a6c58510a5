// Reference shapes in the list of features: elements take them when they are made (state/groups.cpp).
#include "model/feature.hpp"

#include "loads/reference/reference_node.hpp"
#include "modules/module.hpp"

namespace crumple::loads {

namespace {

class ReferenceNodeFeature final : public model::FeatureOf<ReferenceNode> {
 public:
  std::string_view not_implicit() const override { return "reference shapes of fabrics"; }
  void read(model::Builder& build) const override { read_reference_nodes(build); }
  bool keep(ReferenceNode& of, const decomposition::RankPart& rank) const override {
    return rank.here(of.node);
  }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& reference_node_feature() {
  static const ReferenceNodeFeature feature;
  return feature;
}

}  // namespace crumple::loads
