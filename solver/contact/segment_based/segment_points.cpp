// The points of SOFT = 2, and the masses of their segments.
#include "contact/segment_based/segment_points.hpp"

#include <algorithm>

#include "contact/contact_parts.hpp"
#include "contact/geometry/closest_point.hpp"

namespace crumple::contact {

PointRule point_rule(int depth, int corners) {
  if (depth < 3) return corners == 4 ? PointRule{1.0 / 12, 0.0, 2.0 / 3} : PointRule{1.0 / 12, 0.0, 3.0 / 4};
  return corners == 4 ? PointRule{1.0 / 36, 1.0 / 9, 4.0 / 9} : PointRule{1.0 / 20, 2.0 / 15, 9.0 / 20};
}

namespace {

/// Message of a segment to the owner of one of its nodes: first a request, then data.
struct Corner {
  GlobalId node = 0;
  std::int64_t side = 0, corners = 0;
  double mass = 0.0;  ///< of the segment
};
CRUMPLE_MEMBERS(Corner, node, side, corners, mass)

TrackedNode* find(std::vector<TrackedNode>& nodes, GlobalId id) {
  const auto node = std::lower_bound(nodes.begin(), nodes.end(), id,
                                     [](const TrackedNode& n, GlobalId i) { return n.id < i; });
  return node != nodes.end() && node->id == id ? &*node : nullptr;
}

std::vector<SegmentPoint> points_of(const SegmentRecord& r, int depth) {
  SegmentPoint blank;
  blank.node = r.node;
  std::copy_n(r.excluded.begin(), 4, blank.id.begin());
  blank.corners = r.corners;
  std::vector<SegmentPoint> points;
  if (point_rule(depth, r.corners).middle > 0.0)
    for (int k = 0; k < r.corners; ++k) {
      SegmentPoint& p = points.emplace_back(blank);
      p.weight[k] = p.weight[(k + 1) % r.corners] = 0.5;
    }
  SegmentPoint& centre = points.emplace_back(blank);
  for (int k = 0; k < r.corners; ++k) centre.weight[k] = 1.0 / r.corners;
  return points;
}

}  // namespace

/// A segment's mass is that of its nodes, each divided among the surface's segments at it. For a shell this
/// is its own mass, for a solid's face half the solid's. A node represents the smallest of its segments.
void ContactSystem::find_segment_masses(const state::Nodal& nodal) {
  const auto for_each_corner = [&](auto visit) {
    for (std::size_t s = 0; s < sides_.size(); ++s)
      if (model_.contacts[sides_[s].contact].soft == 2)
        for (SegmentRecord& r : sides_[s].segments)
          for (int k = 0; k < r.corners; ++k)
            visit(r, nodal.owner[r.node[k]],
                  Corner{r.excluded[k], static_cast<std::int64_t>(s), r.corners, r.mass});
  };
  std::vector<std::vector<Corner>> requests(comm_.size()), segments(comm_.size());
  for_each_corner([&](SegmentRecord&, int owner, const Corner& c) { requests[owner].push_back(c); });
  std::vector<std::vector<double>> answer;
  for (const auto& of_rank : comm_.exchange(requests)) {
    auto& to = answer.emplace_back();
    for (const Corner& c : of_rank) {
      const TrackedNode* node = find(sides_[c.side].nodes, c.node);
      to.push_back(node ? nodal.own_mass(node->node) / std::max(node->attached, 1) : 0.0);
    }
  }
  const std::vector<std::vector<double>> answered = comm_.exchange(answer);
  std::vector<std::size_t> next(comm_.size(), 0);  // answers come in the order of the requests
  for_each_corner(
      [&](SegmentRecord& r, int owner, const Corner&) { r.mass += answered[owner][next[owner]++]; });
  for (Side& side : sides_)
    if (model_.contacts[side.contact].soft == 2)
      side.shares.assign(side.nodes.size(), SegmentShare{0.0, 0.0});
  for_each_corner([&](SegmentRecord&, int owner, const Corner& c) { segments[owner].push_back(c); });
  std::vector<std::vector<std::array<int, 5>>> count(sides_.size());  // segments at a node, by corners
  for (std::size_t s = 0; s < sides_.size(); ++s) count[s].resize(sides_[s].nodes.size());
  const auto take = [&](const Corner& c) {
    TrackedNode* node = find(sides_[c.side].nodes, c.node);
    if (!node) return;
    const auto i = static_cast<std::size_t>(node - sides_[c.side].nodes.data());
    double& mass = sides_[c.side].shares[i].mass;
    mass = mass > 0.0 ? std::min(mass, c.mass) : c.mass;
    ++count[c.side][i][c.corners];
  };
  for (const auto& of_rank : comm_.exchange(segments)) std::ranges::for_each(of_rank, take);
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const model::Contact& contact = model_.contacts[sides_[s].contact];
    if (contact.soft != 2) continue;
    for (std::size_t i = 0; i < sides_[s].nodes.size(); ++i)
      for (const int corners : {3, 4})
        sides_[s].shares[i].share += count[s][i][corners] * point_rule(contact.depth, corners).corner;
  }
}

/// The points of a side's segments as a side of their own; returns its number.
std::int32_t ContactSystem::add_point_side(std::int32_t base, const state::Nodal& nodal) {
  Side side;
  const Side& from = sides_[base];
  side.contact = from.contact;
  side.base = base;
  const model::Contact& contact = model_.contacts[from.contact];
  const model::Surface& surface = base % 2 == 1 ? contact.b : contact.a;
  const int depth = contact.depth;
  for (const SegmentRecord& r : from.segments) {
    const PointRule rule = point_rule(depth, r.corners);
    Vec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = nodal.x0[r.node[k]];
    GlobalId id = r.order * kPointsOfSegment;
    const auto points = points_of(r, depth);
    for (const SegmentPoint& point : points) {
      TrackedNode node;
      node.node = r.node[0];
      node.id = id++;
      if (r.one_sided) node.outward = segment_normal(x, r.corners);
      node.half_thickness = r.half_thickness;
      node.stiffness = r.stiffness;
      node.rigid_body = r.rigid_body;
      node.part = r.part;
      node.attached = 1;
      if (&point == &points.front())
        side.set_neighbours(node, r.order, surface.segment_neighbours);
      else
        node.neighbours_begin = side.nodes.back().neighbours_begin,
        node.neighbours_end = side.nodes.back().neighbours_end;
      side.nodes.push_back(node);
      side.points.push_back(point);
      if (contact.reference_planes != 0) side.planes.push_back({r.plane, r.node});
      side.shares.push_back({r.mass, &point == &points.back() ? rule.centre : rule.middle});
    }
  }
  sides_.push_back(std::move(side));
  return static_cast<std::int32_t>(sides_.size() - 1);
}

/// Points are deleted with their segments.
///
/// @param orders by side, of deleted segments, sorted
void ContactSystem::delete_points(std::span<const std::vector<GlobalId>> orders) {
  for (Side& side : sides_) {
    if (!side.has_points() || orders[side.base].empty()) continue;
    for (TrackedNode& node : side.nodes)
      if (std::binary_search(orders[side.base].begin(), orders[side.base].end(), node.id / kPointsOfSegment))
        node.alive = false;
  }
}

}  // namespace crumple::contact
