// Links by springs in the list of features: the owner of the second node computes a link, and has both nodes.
#include "model/feature.hpp"

#include <utility>

#include "constraints/stiff_links/stiff_link.hpp"
#include "constraints/stiff_links/stiff_links.hpp"
#include "model/builder.hpp"

namespace crumple::constraints {

void add_stiff_link(model::Builder& build, const NodesHeld& held, StiffLink link) {
  std::vector<StiffLink>& all = build.model.features.of<StiffLink>();
  const auto body_of = [&](LocalId n) { return build.body_of_node[at(n)]; };
  if (body_of(link.nodes[0]) == model::kNone && body_of(link.nodes[1]) != model::kNone)
    std::swap(link.nodes[0], link.nodes[1]);
  for (std::size_t k = 0; k < 2; ++k) {
    link.bodies[k] = body_of(link.nodes[k]);
    link.move_held[k] = held.all_translations(link.nodes[k]) ? 1 : 0;
    link.turn_held[k] = held.all_rotations(link.nodes[k]) ? 1 : 0;
  }
  link.number = static_cast<GlobalId>(all.size());
  link.until.nodes = {model::kNone, model::kNone};
  all.push_back(link);
}

namespace {

class StiffLinkFeature final : public model::FeatureOf<StiffLink> {
 public:
  std::string_view not_implicit() const override {
    return "welds, rivets and ties of nodes that are held, moved or of rigid bodies, too";
  }
  /// Read with the keywords of the links.
  void read(model::Builder&) const override {}
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    return {"links by springs", inputs.of<StiffLink>().size()};
  }
  void add_linked_nodes(const model::FeatureInputs& inputs,
                        std::vector<std::vector<LocalId>>& groups) const override {
    for (const StiffLink& link : inputs.of<StiffLink>()) groups.push_back({link.nodes[0], link.nodes[1]});
  }
  void add_pushed_nodes(const model::FeatureInputs& inputs, std::vector<LocalId>& nodes) const override {
    for (const StiffLink& link : inputs.of<StiffLink>())
      nodes.insert(nodes.end(), link.nodes.begin(), link.nodes.end());
  }
  void add_turned_nodes(const model::FeatureInputs& inputs, std::vector<LocalId>& nodes) const override {
    add_pushed_nodes(inputs, nodes);
  }
  bool keep(StiffLink& link, const decomposition::RankPart& rank) const override {
    return rank.mine(link.nodes[1]);
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return StiffLinks::start(start);
  }
};

}  // namespace

const model::Feature& stiff_link_feature() {
  static const StiffLinkFeature feature;
  return feature;
}

}  // namespace crumple::constraints
