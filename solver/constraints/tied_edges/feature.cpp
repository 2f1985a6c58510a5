// Tied edges in the list of features: a rank has all nodes of a seam or none, and all ranks know of failures.
#include "model/feature.hpp"

#include "constraints/tied_edges/tied_edge.hpp"
#include "constraints/tied_edges/tied_edges.hpp"

namespace crumple::constraints {

namespace {

class TiedEdgeFeature final : public model::FeatureOf<TiedEdge> {
 public:
  std::string_view not_implicit() const override { return "tied edges that fail (*CONSTRAINED_TIE-BREAK)"; }
  void read(model::Builder& build) const override { read_tied_edges(build); }
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    return {"tied edges", inputs.of<TiedEdge>().size()};
  }
  void add_linked_nodes(const model::FeatureInputs& inputs,
                        std::vector<std::vector<LocalId>>& groups) const override {
    for (const TiedEdge& edge : inputs.of<TiedEdge>()) groups.push_back(edge.nodes);
  }
  bool keep(TiedEdge& edge, const decomposition::RankPart& rank) const override {
    rank.keep_here(edge.nodes);
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return TiedEdges::start(start);
  }
};

}  // namespace

const model::Feature& tied_edge_feature() {
  static const TiedEdgeFeature feature;
  return feature;
}

}  // namespace crumple::constraints
