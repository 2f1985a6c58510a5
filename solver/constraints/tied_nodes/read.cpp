// *CONSTRAINED_TIED_NODES_FAILURE.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "constraints/linked_input.hpp"
#include "constraints/stiff_links/held_nodes.hpp"
#include "constraints/stiff_links/stiff_link.hpp"
#include "constraints/tied_nodes/tied_nodes.hpp"

namespace crumple::constraints {

using model::Builder;
using model::ElementKind;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

/// Nodes are at one place if they are nearer than this fraction of the longest edge at them.
constexpr double kCoincident = 1e-4;

class TiedNodesReader {
 public:
  explicit TiedNodesReader(Builder& build) : build_(build), linkable_(build) {}

  void read() {
    for (const Keyword& k : build_.deck.all("CONSTRAINED_TIED_NODES_FAILURE"))
      for (const Record& r : k.records()) set(k, r);
  }

 private:
  const Vec3& x(LocalId n) const { return build_.model.nodes.x[at(n)]; }
  GlobalId id(LocalId n) const { return build_.model.nodes.id[at(n)]; }

  void set(const Keyword& k, const Record& r) {
    TiedNodes tied;
    tied.set = r.integer("NSID");
    label_ = fmt::format("{} of set {}", Builder::star(k), tied.set);
    const model::NodeSet* const found = build_.find_node_set(tied.set, label_, r.place("NSID"));
    tied.failure_strain = r.real("EPPF");
    tied.kind = r.integer("ETYPE") == 1 ? ElementKind::solid : ElementKind::shell;
    if (!found) return;
    if (!(tied.failure_strain > 0.0))
      return build_.error("CR-D310", fmt::format("{}: EPPF must be positive", label_), r.place("EPPF"));
    for (const LocalId n : found->nodes)
      if (body_of(n) == kNone && (!linkable_.accepts(n, label_, r.place("NSID")) ||
                                  !linkable_.has_mass(n, nullptr, label_, r.place("NSID"))))
        return;
    for (std::vector<LocalId>& nodes : coincident(*found)) put(std::move(nodes), tied, r);
  }

  /// Groups of nodes at one place, in the order of their first node.
  std::vector<std::vector<LocalId>> coincident(const model::NodeSet& set) {
    find_edges();
    std::vector<std::vector<LocalId>> groups;
    for (const LocalId n : set.nodes) {
      const auto near = std::ranges::find_if(groups, [&](const std::vector<LocalId>& g) {
        const double reach = kCoincident * std::max(edge_[at(n)], edge_[at(g.front())]);
        return norm(x(n) - x(g.front())) <= reach;
      });
      if (near == groups.end())
        groups.push_back({n});
      else
        near->push_back(n);
    }
    return groups;
  }

  /// The longest edge at each node.
  void find_edges() {
    if (!edge_.empty()) return;
    edge_.assign(build_.model.nodes.size(), 0.0);
    const auto add = [&](const auto& nodes, std::size_t corners) {
      for (std::size_t a = 0; a < corners; ++a)
        for (const LocalId other : {nodes[(a + 1) % corners], nodes[(a + corners - 1) % corners]}) {
          double& longest = edge_[at(nodes[a])];
          longest = std::max(longest, norm(x(other) - x(nodes[a])));
        }
    };
    for (const auto& nodes : build_.model.shells.nodes) add(nodes, 4), note(nodes, on_shell_);
    for (const auto& nodes : build_.model.solids.nodes) add(nodes, 8), note(nodes, on_solid_);
  }

  template <class Nodes>
  void note(const Nodes& nodes, std::set<LocalId>& on) {
    on.insert(nodes.begin(), nodes.end());
  }

  void put(std::vector<LocalId> nodes, TiedNodes tied, const Record& r) {
    if (nodes.size() < 2)
      return build_.error(
          "CR-D310",
          fmt::format("{}: no other node of the set is at the place of node {}", label_, id(nodes.front())),
          r.place("NSID"));
    const std::set<LocalId>& on = tied.kind == ElementKind::solid ? on_solid_ : on_shell_;
    if (std::ranges::none_of(nodes, [&](LocalId n) { return on.contains(n); }))
      return build_.error(
          "CR-D310",
          fmt::format("{}: no {} is at node {}, so that its plastic strain is unknown (ETYPE)", label_,
                      tied.kind == ElementKind::solid ? "solid" : "shell", id(nodes.front())),
          r.place("ETYPE"));
    for (const LocalId n : nodes)
      if (!mine_.insert(n).second)
        return build_.error("CR-D310", fmt::format("{}: node {} is tied by another set, too", label_, id(n)),
                            r.place("NSID"));
    tied.nodes = std::move(nodes);
    tied.by_springs = tie_to_bodies(tied.nodes) ? 1 : 0;
    build_.model.features.of<TiedNodes>().push_back(std::move(tied));
  }

  LocalId body_of(LocalId n) const { return build_.body_of_node[at(n)]; }

  /// Where a rigid body has one of the nodes, springs tie the others to it. False: it has none.
  bool tie_to_bodies(const std::vector<LocalId>& nodes) {
    const auto lead = std::ranges::find_if(nodes, [&](LocalId n) { return body_of(n) != kNone; });
    if (lead == nodes.end()) return false;
    if (!held_) held_.emplace(build_.model);
    for (const LocalId n : nodes) {
      if (body_of(n) == body_of(*lead)) continue;
      StiffLink link;
      link.nodes = {*lead, n};
      link.seam = static_cast<std::int32_t>(build_.model.features.of<TiedNodes>().size());
      add_stiff_link(build_, *held_, link);
    }
    return true;
  }

  Builder& build_;
  LinkableNodes linkable_;
  std::optional<NodesHeld> held_;
  std::string label_;
  std::vector<double> edge_;
  std::set<LocalId> on_shell_, on_solid_, mine_;
};

}  // namespace

void read_tied_nodes(model::Builder& build) {
  if (build.deck.all("CONSTRAINED_TIED_NODES_FAILURE").empty()) return;
  TiedNodesReader(build).read();
}

}  // namespace crumple::constraints
