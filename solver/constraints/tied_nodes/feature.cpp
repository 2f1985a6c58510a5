// Tied nodes in the list of features: a rank has all nodes of a group or none, and all ranks know of
// failures.
#include "model/feature.hpp"

#include "constraints/tied_nodes/nodes_tied.hpp"
#include "constraints/tied_nodes/tied_nodes.hpp"

namespace crumple::constraints {

namespace {

class TiedNodesFeature final : public model::FeatureOf<TiedNodes> {
 public:
  std::string_view not_implicit() const override {
    return "tied nodes that fail (*CONSTRAINED_TIED_NODES_FAILURE)";
  }
  void read(model::Builder& build) const override { read_tied_nodes(build); }
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    return {"groups of tied nodes", inputs.of<TiedNodes>().size()};
  }
  void add_linked_nodes(const model::FeatureInputs& inputs,
                        std::vector<std::vector<LocalId>>& groups) const override {
    for (const TiedNodes& tied : inputs.of<TiedNodes>()) groups.push_back(tied.nodes);
  }
  bool keep(TiedNodes& tied, const decomposition::RankPart& rank) const override {
    rank.keep_here(tied.nodes);
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return NodesTied::start(start);
  }
};

}  // namespace

const model::Feature& tied_nodes_feature() {
  static const TiedNodesFeature feature;
  return feature;
}

}  // namespace crumple::constraints
