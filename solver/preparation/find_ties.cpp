// Finds the tied nodes of tied contacts and their points on segments, from the positions at t = 0.
#include "preparation/find_ties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "constraints/stiff_links/stiff_link.hpp"
#include "contact/geometry/closest_point.hpp"
#include "contact/search/bucket_grid.hpp"
#include "contact/tied/segment_spin.hpp"
#include "model/linked_nodes.hpp"

namespace crumple::preparation {

namespace {

using contact::at_point;
using contact::Box;
using contact::BucketGrid;
using contact::closest_on_segment;
using contact::ClosestPoint;

using model::kNone;
using model::TiedOffset;

/// Nodes of a surface that are not tied for the same reason, by user id.
std::string listed(const model::Model& whole, const std::vector<LocalId>& nodes) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t k = 0; k < nodes.size() && k < most; ++k)
    text += fmt::format("{}{}", k == 0 ? "" : ", ", whole.nodes.id[nodes[k]]);
  if (nodes.size() > most) text += ", ...";
  return text;
}

/// A segment for the search.
struct Target {
  std::array<Vec3, 4> x;
  int corners = 4;
  double shorter = 0.0, longer = 0.0;  ///< diagonals; of a triangle its sides

  Target(const model::Model& whole, const model::Segment& segment)
      : corners(segment.nodes[2] == segment.nodes[3] ? 3 : 4) {
    for (int k = 0; k < 4; ++k) x[k] = whole.nodes.x[segment.nodes[k]];
    const double a = norm(x[2] - x[0]), b = corners == 4 ? norm(x[3] - x[1]) : norm(x[1] - x[0]);
    const double c = corners == 4 ? a : norm(x[2] - x[1]);
    shorter = std::min({a, b, c});
    longer = std::max({a, b, c});
  }
};

/// Best segment of a node so far.
struct Best {
  double gap = HUGE_VAL;
  const model::Segment* segment = nullptr;
  ClosestPoint point;
};

class TieFinder {
 public:
  TieFinder(model::Model& whole)
      : whole_(whole),
        held_(whole.nodes.size(), false),
        level_(whole.nodes.size(), -1),
        moved_by_(whole.nodes.size(), -1) {
    for (const model::RigidBody& body : whole.rigid_bodies)
      for (const LocalId n : body.nodes) held_[n] = true;
    for (const auto& group : model::linked_nodes(whole))
      for (const LocalId n : group) held_[n] = true;
    for (const constraints::StiffLink& link : whole.features.of<constraints::StiffLink>())
      for (const LocalId n : link.nodes) held_[n] = true;
    for (const model::NodeConstraint& c : whole.constraints)
      if (c.node != kNone) held_[c.node] = true;
    for (const model::PrescribedMotion& motion : whole.motions)
      if (motion.node != kNone) held_[motion.node] = true;
  }

  void tie(std::size_t number);
  void tie_until_failure(std::size_t number);
  void follow_segments();
  std::vector<Finding>& warnings() { return warnings_; }

 private:
  double distance(const model::Contact& contact, double node_thickness, const model::Segment& segment,
                  const Target& target) const;
  std::vector<Best> search(const model::Contact& contact) const;
  model::Tie make(const model::Contact& contact, LocalId node, const Best& best) const;
  bool depends_on(const model::Tie& tie, LocalId node) const;
  void follow_segment(std::size_t number, model::Tie& tie);
  void report(const model::Contact& contact, const char* id, const std::vector<LocalId>& nodes,
              const char* why) {
    if (nodes.empty()) return;
    warnings_.push_back(
        {id,
         fmt::format("contact {}: {} of its {} nodes {} not tied because {}: {}", contact.id, nodes.size(),
                     contact.a.nodes.size(), nodes.size() == 1 ? "is" : "are", why, listed(whole_, nodes)),
         contact.place});
  }

  model::Model& whole_;
  std::vector<bool> held_;              ///< by constraints that have priority over ties
  std::vector<std::int32_t> level_;     ///< of each tied node's tie, -1: not tied
  std::vector<std::int32_t> moved_by_;  ///< the last contact that moved it, -1: none
  std::unordered_map<LocalId, std::array<LocalId, 4>> of_node_;  ///< segment of each tied node
  std::vector<Finding> warnings_;
};

/// Largest distance of a node from the segment.
double TieFinder::distance(const model::Contact& contact, double node_thickness,
                           const model::Segment& segment, const Target& target) const {
  const bool given = contact.sta < 0.0 || contact.stb < 0.0;
  const double of_node = contact.sta < 0.0 ? -contact.sta : node_thickness;
  const double of_segment = contact.stb < 0.0 ? -contact.stb : segment.thickness;
  const double by_thickness = 0.60 * (of_node + of_segment);
  return given ? by_thickness : std::max(by_thickness, 0.05 * target.shorter);
}

/// For each node of A the nearest segment to which it can be tied.
std::vector<Best> TieFinder::search(const model::Contact& contact) const {
  const auto& nodes = contact.a.nodes;
  std::vector<Best> best(nodes.size());
  std::vector<Vec3> points;
  double thickest = 0.0, size = 0.0;
  for (const LocalId n : nodes) points.push_back(whole_.nodes.x[n]);
  for (const double t : contact.a.node_thickness) thickest = std::max(thickest, t);
  for (const model::Segment& segment : contact.b.segments) size += Target(whole_, segment).longer;
  if (contact.b.segments.empty()) return best;
  BucketGrid grid;
  grid.build(points, size / static_cast<double>(contact.b.segments.size()));
  for (const model::Segment& segment : contact.b.segments) {
    const Target target(whole_, segment);
    const double overlap = 0.5 * (contact.maxpar - 1.0) * target.longer;
    Box box;
    for (const Vec3& x : target.x) box.add(x);
    box = box.grown(distance(contact, thickest, segment, target) + overlap);
    grid.for_each_near(box, [&](std::int32_t i, const Vec3& x) {
      if (!(box.distance2(x) <= 0.0) || std::ranges::find(segment.nodes, nodes[i]) != segment.nodes.end())
        return;
      const ClosestPoint c = closest_on_segment(target.x.data(), target.corners, x);
      const double along = c.face ? std::sqrt(c.distance2) : std::abs(dot(c.offset, c.normal));
      const double beside = std::sqrt(std::max(0.0, c.distance2 - along * along));
      if (along > distance(contact, contact.a.node_thickness[i], segment, target) || beside > overlap) return;
      if (along < best[i].gap) best[i] = {along, &segment, c};
    });
  }
  return best;
}

model::Tie TieFinder::make(const model::Contact& contact, LocalId node, const Best& best) const {
  model::Tie tie;
  tie.node = node;
  tie.nodes = best.segment->nodes;
  tie.weight = best.point.weight;
  const bool breaks = contact.tiebreak.failure != model::TieFailure::none;
  if (contact.offset != TiedOffset::none || breaks) tie.arm = best.point.offset;
  tie.kind = best.segment->kind;
  tie.element = best.segment->element;
  using enum model::ContactType;
  const bool turns =
      !breaks && contact.type != tied_nodes_to_surface && contact.type != tied_surface_to_surface;
  const bool of_solids = contact.type == tied_shell_edge_to_solid && tie.kind == model::ElementKind::solid;
  tie.rotations = (turns && tie.kind == model::ElementKind::shell) || of_solids;
  tie.torsion = contact.type == spotweld_with_torsion && tie.kind == model::ElementKind::shell;
  for (const LocalId n : tie.nodes) tie.level = std::max(tie.level, level_[n] + 1);
  return tie;
}

/// Whether the motion of the segment depends, through other ties, on `node`.
bool TieFinder::depends_on(const model::Tie& tie, LocalId node) const {
  std::vector<LocalId> open(tie.nodes.begin(), tie.nodes.end());
  while (!open.empty()) {
    const LocalId n = open.back();
    open.pop_back();
    if (n == node) return true;
    if (level_[n] < 0) continue;  // not tied
    const auto& next = of_node_.at(n);
    open.insert(open.end(), next.begin(), next.end());
  }
  return false;
}

void TieFinder::tie(std::size_t number) {
  model::Contact& contact = whole_.contacts[number];
  std::vector<LocalId> far, held, tied, circular;
  const std::vector<Best> best = search(contact);
  std::vector<std::pair<LocalId, Vec3>> moves;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const LocalId node = contact.a.nodes[i];
    if (best[i].segment == nullptr) {
      far.push_back(node);
    } else if (contact.offset == TiedOffset::penalty) {
      contact.springs.push_back(make(contact, node, best[i]));
    } else if (const model::Tie tie = make(contact, node, best[i]);
               contact.backup && (held_[node] || level_[node] >= 0 || depends_on(tie, node))) {
      contact.springs.push_back(tie);
    } else if (held_[node]) {
      held.push_back(node);
    } else if (level_[node] >= 0) {
      tied.push_back(node);
    } else if (depends_on(tie, node)) {
      circular.push_back(node);
    } else {
      contact.ties.push_back(tie);
      level_[node] = tie.level;
      of_node_[node] = tie.nodes;
      if (contact.offset == TiedOffset::none) moves.emplace_back(node, -best[i].point.offset);
    }
  }
  for (const auto& [node, by] : moves) {
    whole_.nodes.x[node] += by;
    moved_by_[node] = static_cast<std::int32_t>(number);
  }
  report(contact, "CR-C030", far, "no segment is within the tie distance, which negative SAST and SBST set");
  report(contact, "CR-C031", held, "rigid bodies, links, constraints or prescribed motion hold them");
  report(contact, "CR-C032", tied, "an earlier contact ties them");
  report(contact, "CR-C033", circular, "their segments are tied to them");
  contact.a = {};
  contact.b = {};
}

/// Shares of segments at each node of a surface: along their normals, as large as their areas.
std::unordered_map<LocalId, std::vector<Vec3>> nodal_shares(const model::Model& whole,
                                                            const model::Surface& surface) {
  std::unordered_map<LocalId, std::vector<Vec3>> shares;
  for (const model::Segment& segment : surface.segments) {
    const auto x = [&](int k) { return whole.nodes.x[segment.nodes[k]]; };
    const int corners = segment.nodes[2] == segment.nodes[3] ? 3 : 4;
    const Vec3 share = (0.5 / corners) * cross(x(2) - x(0), x(3) - x(1));
    for (int k = 0; k < corners; ++k) shares[segment.nodes[k]].push_back(share);
  }
  return shares;
}

/// The sum of the shares that face along `normal`: at an edge of a body, its other faces do not count.
double area_along(const std::vector<Vec3>& shares, const Vec3& normal) {
  constexpr double kFaces = 0.7;  // cosine of 45 degrees
  double area = 0.0;
  for (const Vec3& share : shares)
    if (std::abs(dot(share, normal)) > kFaces * norm(share) * norm(normal)) area += norm(share);
  return area;
}

/// The ties of a tiebreak contact; its surfaces stay, because they touch after failure.
void TieFinder::tie_until_failure(std::size_t number) {
  model::Contact& contact = whole_.contacts[number];
  std::vector<LocalId> far, bare, flat;
  const bool by_area = contact.tiebreak.failure != model::TieFailure::force;
  const std::vector<Best> best = search(contact);
  const auto shares = nodal_shares(whole_, contact.a);
  for (std::size_t i = 0; i < best.size(); ++i) {
    const LocalId node = contact.a.nodes[i];
    if (best[i].segment == nullptr) {
      far.push_back(node);
      continue;
    }
    const auto of_node = shares.find(node);
    const double area = of_node == shares.end() ? 0.0 : area_along(of_node->second, best[i].point.normal);
    const model::Tie tie = make(contact, node, best[i]);
    if (by_area && !(area > 0.0)) {
      bare.push_back(node);
    } else if (tie.kind == model::ElementKind::shell &&
               !(norm(tie.arm) > 1e-9 * Target(whole_, *best[i].segment).longer)) {
      flat.push_back(node);
    } else {
      const double thickness = contact.a.node_thickness[i], of_segment = best[i].segment->thickness;
      const double share = thickness > 0.0 ? thickness / (thickness + of_segment) : 0.0;
      contact.breaking.push_back({tie, area, share});
    }
  }
  report(contact, "CR-C030", far, "no segment is within the tie distance");
  report(contact, "CR-C030", bare,
         "no segment of theirs faces that of B, so that they have no area for a stress");
  report(contact, "CR-C030", flat, "they are in the middle surface of a shell, on neither side of it");
}

/// A node whose segment was moved after it was tied moves with it, or gets a new arm.
void TieFinder::follow_segment(std::size_t number, model::Tie& tie) {
  const auto moved = [&](LocalId n) { return moved_by_[n] >= static_cast<std::int32_t>(number); };
  if (std::ranges::none_of(tie.nodes, moved)) return;
  const Vec3 point = at_point(tie, whole_.nodes.x);
  if (whole_.contacts[number].offset == TiedOffset::none) {
    whole_.nodes.x[tie.node] = point;
    moved_by_[tie.node] = static_cast<std::int32_t>(whole_.contacts.size());  // after all contacts
  } else {
    tie.arm = whole_.nodes.x[tie.node] - point;
  }
}

/// In the order of levels, which must be final: ties of one level may move the segments of the next.
void TieFinder::follow_segments() {
  std::vector<std::tuple<std::int32_t, std::size_t, model::Tie*>> ties;  // level, contact
  for (std::size_t c = 0; c < whole_.contacts.size(); ++c)
    for (model::Tie& tie : whole_.contacts[c].ties) ties.emplace_back(tie.level, c, &tie);
  std::ranges::stable_sort(ties, {}, [](const auto& t) { return std::get<0>(t); });
  for (const auto& [level, contact, tie] : ties) follow_segment(contact, *tie);
}

/// If a node is tied after others were tied to its segments, the levels of those ties increase.
void number_levels(model::Model& whole) {
  std::vector<std::int32_t> level(whole.nodes.size(), -1);
  for (bool changed = true; changed;) {
    changed = false;
    for (model::Contact& contact : whole.contacts)
      for (model::Tie& tie : contact.ties) {
        std::int32_t above = 0;
        for (const LocalId n : tie.nodes) above = std::max(above, level[n] + 1);
        if (level[tie.node] == above && tie.level == above) continue;
        level[tie.node] = tie.level = above;
        changed = true;
      }
  }
}

}  // namespace

std::vector<Finding> find_ties(model::Model& whole) {
  TieFinder finder(whole);
  for (std::size_t c = 0; c < whole.contacts.size(); ++c)
    if (is_tied(whole.contacts[c].type))
      finder.tie(c);
    else if (whole.contacts[c].tiebreak.failure != model::TieFailure::none)
      finder.tie_until_failure(c);
  number_levels(whole);
  finder.follow_segments();
  return finder.warnings();
}

}  // namespace crumple::preparation
