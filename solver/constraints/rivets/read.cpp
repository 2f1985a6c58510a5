// *CONSTRAINED_RIVET.
#include <algorithm>

#include "constraints/linked_input.hpp"
#include "constraints/rivets/rivet.hpp"
#include "constraints/stiff_links/stiff_link.hpp"

namespace crumple::constraints {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

/// Nodes of a rivet of the deck, kNone where something is wrong, which is reported.
std::array<LocalId, 2> nodes_of_rivet(Builder& build, const LinkableNodes& linkable, const Record& r,
                                      const std::string& label) {
  constexpr std::array<LocalId, 2> none{kNone, kNone};
  std::array<LocalId, 2> nodes = none;
  for (std::size_t k = 0; k < 2; ++k) {
    const char* const field = k == 0 ? "N1" : "N2";
    nodes[k] = build.find_node(r.integer(field), label, r.place(field));
    if (nodes[k] == kNone) return none;
    if (build.body_of_node[at(nodes[k])] != kNone) continue;
    if (!linkable.accepts(nodes[k], label, r.place(field)) ||
        !linkable.has_mass(nodes[k], nullptr, label, r.place(field)))
      return none;
  }
  if (build.model.nodes.x[at(nodes[0])] == build.model.nodes.x[at(nodes[1])]) {
    build.error("CR-D310",
                fmt::format("{}: nodes {} and {} coincide, so that a rod between them has no direction",
                            label, r.integer("N1"), r.integer("N2")),
                r.place("N2"));
    return none;
  }
  return nodes;
}

/// Springs hold the rod of a node of a rigid body; bodies keep the distances of their own nodes.
bool put_on_bodies(Builder& build, const NodesHeld& held, const std::array<LocalId, 2>& nodes,
                   double failure_time) {
  const LocalId a = build.body_of_node[at(nodes[0])], b = build.body_of_node[at(nodes[1])];
  if (a == kNone && b == kNone) return false;
  StiffLink link;
  link.kind = StiffLinkKind::rod;
  link.nodes = nodes;
  link.until.failure_time = failure_time;
  if (a != b) add_stiff_link(build, held, link);
  return true;
}

}  // namespace

void read_rivets(model::Builder& build) {
  const std::vector<Keyword> keywords = build.deck.all("CONSTRAINED_RIVET");
  if (keywords.empty()) return;
  const LinkableNodes linkable(build);
  const NodesHeld held(build.model);
  std::vector<Rivet> rivets;
  std::vector<std::vector<LocalId>> nodes_of;
  for (const Keyword& k : keywords)
    for (const Record& r : k.records()) {
      std::string label = Builder::star(k);
      if (const auto number = r.id()) label += fmt::format(" {}", *number);
      Rivet rivet;
      rivet.failure_time = model::or_default(r.real("TF"), model::kNever);
      const std::array<LocalId, 2> nodes = nodes_of_rivet(build, linkable, r, label);
      if (nodes[0] == kNone || put_on_bodies(build, held, nodes, rivet.failure_time)) continue;
      rivet.length = norm(build.model.nodes.x[at(nodes[1])] - build.model.nodes.x[at(nodes[0])]);
      rivets.push_back(rivet);
      nodes_of.push_back({nodes[0], nodes[1]});
    }
  for (const std::vector<std::size_t>& together : items_that_share(nodes_of)) {
    RivetGroup group;
    group.nodes = nodes_of_items(together, nodes_of, build.model);
    for (const std::size_t item : together) {
      for (std::size_t k = 0; k < 2; ++k)
        rivets[item].places[k] = static_cast<std::int32_t>(std::ranges::find(group.nodes, nodes_of[item][k]) -
                                                           group.nodes.begin());
      group.rivets.push_back(rivets[item]);
    }
    build.model.features.of<RivetGroup>().push_back(std::move(group));
  }
}

}  // namespace crumple::constraints
