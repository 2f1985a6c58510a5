// Rivets in the list of features: a group is on every rank that has one of its nodes.
#include "model/feature.hpp"

#include "constraints/rivets/rivet.hpp"
#include "constraints/rivets/rivets.hpp"

namespace crumple::constraints {

namespace {

class RivetFeature final : public model::FeatureOf<RivetGroup> {
 public:
  std::string_view not_implicit() const override { return "rivets (*CONSTRAINED_RIVET)"; }
  void read(model::Builder& build) const override { read_rivets(build); }
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    std::size_t rivets = 0;
    for (const RivetGroup& group : inputs.of<RivetGroup>()) rivets += group.rivets.size();
    return {"rivets", rivets};
  }
  void add_linked_nodes(const model::FeatureInputs& inputs,
                        std::vector<std::vector<LocalId>>& groups) const override {
    for (const RivetGroup& group : inputs.of<RivetGroup>()) groups.push_back(group.nodes);
  }
  bool keep(RivetGroup& group, const decomposition::RankPart& rank) const override {
    return rank.here(group.nodes.front());
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return Rivets::start(start);
  }
};

}  // namespace

const model::Feature& rivet_feature() {
  static const RivetFeature feature;
  return feature;
}

}  // namespace crumple::constraints
