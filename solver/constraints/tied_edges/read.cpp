// *CONSTRAINED_TIE-BREAK.
#include <algorithm>
#include <cmath>
#include <utility>

#include "constraints/linked_input.hpp"
#include "constraints/tied_edges/tied_edge.hpp"

namespace crumple::constraints {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

constexpr double kOffEdge = 1e-2;       ///< distance of a node from the other edge, over its segment's length
constexpr std::size_t kMostTied = 150;  ///< nodes that are solved together, of six freedoms

class TiedEdgeReader {
 public:
  explicit TiedEdgeReader(Builder& build) : build_(build), linkable_(build) {}

  void read() {
    for (const Keyword& k : build_.deck.all("CONSTRAINED_TIE-BREAK"))
      for (const Record& r : k.records()) seam(k, r);
  }

 private:
  using Segment = std::pair<LocalId, LocalId>;
  const Vec3& x(LocalId n) const { return build_.model.nodes.x[at(n)]; }
  GlobalId id(LocalId n) const { return build_.model.nodes.id[at(n)]; }

  void seam(const Keyword& k, const Record& r) {
    label_ = fmt::format("{} of sets {} and {}", Builder::star(k), r.integer("SNSID"), r.integer("MNSID"));
    const model::NodeSet* const set = build_.find_node_set(r.integer("SNSID"), label_, r.place("SNSID"));
    const model::NodeSet* const other = build_.find_node_set(r.integer("MNSID"), label_, r.place("MNSID"));
    TiedEdge edge;
    edge.failure_strain = r.real("EPPF");
    if (!set || !other) return;
    if (!(edge.failure_strain > 0.0))
      return build_.error("CR-D310", fmt::format("{}: EPPF must be positive", label_), r.place("EPPF"));
    if (set->nodes.size() > kMostTied)
      return build_.unsupported(fmt::format("{}: {} nodes are tied; at most {} are solved together", label_,
                                            set->nodes.size(), kMostTied),
                                r.place("SNSID"));
    edge.nodes = set->nodes;
    edge.nodes.insert(edge.nodes.end(), other->nodes.begin(), other->nodes.end());
    if (!may_be_tied(edge.nodes, r)) return;
    build_.sort_nodes(edge.nodes);
    if (!find_places(edge, *set, segments_of(*other), r)) return;
    build_.model.features.of<TiedEdge>().push_back(std::move(edge));
  }

  bool may_be_tied(const std::vector<LocalId>& nodes, const Record& r) {
    for (const LocalId n : nodes) {
      if (!linkable_.accepts(n, label_, r.place("SNSID")) ||
          !linkable_.has_mass(n, nullptr, label_, r.place("SNSID")))
        return false;
      if (taken_.insert(n).second) continue;
      build_.unsupported(
          fmt::format("{}: node {} is on both edges, or on those of another seam; it can obey one "
                      "only",
                      label_, id(n)),
          r.place("SNSID"));
      return false;
    }
    return true;
  }

  /// Edges of shells between nodes of a set.
  std::vector<Segment> segments_of(const model::NodeSet& set) const {
    const std::set<LocalId> of(set.nodes.begin(), set.nodes.end());
    std::set<Segment> found;
    for (const auto& corners : build_.model.shells.nodes)
      for (std::size_t k = 0; k < 4; ++k) {
        const LocalId a = corners[k], b = corners[(k + 1) % 4];
        if (a == b || !of.contains(a) || !of.contains(b)) continue;
        found.insert(id(a) < id(b) ? Segment{a, b} : Segment{b, a});
      }
    return {found.begin(), found.end()};
  }

  bool find_places(TiedEdge& edge, const model::NodeSet& set, const std::vector<Segment>& segments,
                   const Record& r) {
    const auto place = [&](LocalId n) {
      return static_cast<std::int32_t>(std::ranges::find(edge.nodes, n) - edge.nodes.begin());
    };
    for (const LocalId n : set.nodes) {
      const Segment* nearest = nullptr;
      double least = 0.0, share = 0.0;
      for (const Segment& s : segments) {
        const Vec3 along = x(s.second) - x(s.first), to = x(n) - x(s.first);
        if (!(norm(along) > 0.0)) continue;
        const double at_share = std::clamp(dot(to, along) / dot(along, along), 0.0, 1.0);
        const double off = norm(to - at_share * along) / norm(along);
        if (nearest == nullptr || off < least) nearest = &s, least = off, share = at_share;
      }
      if (nearest == nullptr || least > kOffEdge) {
        build_.error("CR-D310",
                     fmt::format("{}: node {} is on no edge of a shell between nodes of set {}", label_,
                                 id(n), r.integer("MNSID")),
                     r.place("MNSID"));
        return false;
      }
      edge.tied.push_back({place(n), {place(nearest->first), place(nearest->second)}, share});
    }
    return true;
  }

  Builder& build_;
  LinkableNodes linkable_;
  std::string label_;
  std::set<LocalId> taken_;
};

}  // namespace

void read_tied_edges(model::Builder& build) {
  if (build.deck.all("CONSTRAINED_TIE-BREAK").empty()) return;
  TiedEdgeReader(build).read();
}

}  // namespace crumple::constraints
