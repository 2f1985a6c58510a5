// Nodes of welds that fail by strain, in the list of features: all ranks have all, because they sum for them.
#include "model/feature.hpp"

#include "constraints/weld_strains/weld_nodes.hpp"
#include "constraints/weld_strains/weld_strains.hpp"

namespace crumple::constraints {

namespace {

class WeldNodesFeature final : public model::FeatureOf<WeldNodes> {
 public:
  std::string_view not_implicit() const override {
    return "welds that fail by plastic strain (EP, EPSF of *CONSTRAINED_SPOTWELD, _GENERALIZED_WELD_SPOT)";
  }
  /// Read with the welds (model/read_welds.cpp).
  void read(model::Builder&) const override {}
  bool keep(WeldNodes&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return WeldStrains::start(start);
  }
};

}  // namespace

const model::Feature& weld_nodes_feature() {
  static const WeldNodesFeature feature;
  return feature;
}

}  // namespace crumple::constraints
