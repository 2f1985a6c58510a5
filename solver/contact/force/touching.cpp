// Which of the segments near a node it touches.
#include "contact/force/touching.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "contact/geometry/border_normal.hpp"
#include "contact/geometry/closest_point.hpp"

namespace crumple::contact {

namespace {

constexpr double kSameWay = 0.8660254037844386;  ///< cos 30: the same surface
constexpr double kOtherWay = 0.5;                ///< cos 60: another surface
constexpr double kInsideBorder = 0.7;            ///< see of_one_sided
constexpr double kAtCorner = 1e-9;               ///< weight of the other end of an edge at its corner
constexpr double kRounding = 1e-9;               ///< of a distance
constexpr double kOnSurface = 1e-10;             ///< times a segment's size: a nearer node is on it
constexpr double kEntered = 1e-6;                ///< relative to a step's motion: rounding of its end point

Vec3 velocity(const PassView& pass, std::int32_t node) {
  const UsedNodes& used = *pass.used;
  const auto n = static_cast<std::int32_t>(used.n_local());
  return node < n ? pass.v[used.local[node]] : used.v[node - n];
}

bool adjacent(const Slot& slot, const CandidateSegment& segment, const UsedNodes& used) {
  for (int a = 0; a < segment.corners; ++a)
    for (const GlobalId id : slot.nodes)
      if (used.id[segment.node[a]] == id) return true;
  return false;
}

/// The contact of the last cycle that a segment continues: itself, or a neighbour that pushed along the
/// same line.
int find_slot(const NodeSlots& slots, int count, const CandidateSegment& segment, const Vec3& direction,
              const UsedNodes& used) {
  int best = -1;
  double best_alignment = 0.5;
  for (int k = 0; k < count; ++k) {
    if (slots.slot[k].order == segment.order) return k;
    const double alignment = std::abs(dot(slots.slot[k].direction, direction));
    if (alignment > best_alignment && adjacent(slots.slot[k], segment, used)) {
      best = k;
      best_alignment = alignment;
    }
  }
  return best;
}

/// Corner of a segment that is the node with this first number, or -1. Most segments do not have it.
int corner_of(const CandidateSegment& segment, std::int32_t first) {
  using Four [[gnu::vector_size(16)]] = std::int32_t;
  using Pair [[gnu::vector_size(16)]] = std::int64_t;
  Four same;
  std::memcpy(&same, segment.same.data(), sizeof same);
  const Pair found = (Pair)(same == first);
  if ((found[0] | found[1]) == 0) return -1;
  return static_cast<int>(std::ranges::find(segment.same, first) - segment.same.begin());
}

void coordinates(const CandidateSegment& segment, const UsedNodes& used, Vec3* x) {
  for (int k = 0; k < 4; ++k) x[k] = used.x[segment.node[k]];
}

/// A border point of a segment: on the edge between two of its nodes, or at the first.
struct Border {
  std::int32_t here, there;  ///< first numbers
  bool at_corner;

  Border(const CandidateSegment& segment, const std::array<double, 4>& weight) {
    const auto first = static_cast<int>(std::max_element(weight.begin(), weight.end()) - weight.begin());
    const int next = (first + 1) % segment.corners,
              previous = (first + segment.corners - 1) % segment.corners;
    const int second = weight[next] > weight[previous] ? next : previous;
    at_corner = !(weight[second] > kAtCorner);
    here = segment.same[first], there = segment.same[second];
  }
  /// The corner of another segment there, or that from which its edge there goes to the next; -1 if it has
  /// none.
  int on(const CandidateSegment& other) const {
    const int k = corner_of(other, here);
    if (k < 0 || at_corner) return k;
    const int l = corner_of(other, there);
    if (l < 0) return -1;
    return l == (k + 1) % other.corners ? k : l;
  }
};

/// All one-sided candidates around a border point, with their corner there, or the edge from it to the next.
/// If one of them is within reach, the search finds all: see border_depth.
class SegmentsAround {
 public:
  SegmentsAround(const PassView& pass, std::span<const Pair> pairs, const Border& border)
      : pass_(pass), pairs_(pairs), border_(border) {
    for_each_pair([&](const CandidateSegment& other, int k) {
      if (count_ < kKept) kept_[count_] = {&other, k};
      ++count_;
    });
  }
  /// Calls `visit(x, corners, k)` for each.
  template <class Visit>
  void for_each(Visit visit) const {
    const auto of_one = [&](const CandidateSegment& other, int k) {
      Vec3 x[4];
      coordinates(other, *pass_.used, x);
      visit(x, other.corners, k);
    };
    if (count_ > kKept) return for_each_pair(of_one);
    for (std::size_t n = 0; n < count_; ++n) of_one(*kept_[n].segment, kept_[n].corner);
  }

 private:
  static constexpr std::size_t kKept = 16;
  struct Kept {
    const CandidateSegment* segment;
    int corner;
  };

  template <class Visit>
  void for_each_pair(Visit visit) const {
    for (const Pair& pair : pairs_) {
      const CandidateSegment& other = pass_.segments[pair.segment];
      if (!other.alive || !other.one_sided) continue;
      if (const int k = border_.on(other); k >= 0) visit(other, k);
    }
  }

  const PassView& pass_;
  std::span<const Pair> pairs_;
  const Border& border_;
  std::size_t count_ = 0;
  std::array<Kept, kKept> kept_;
};

/// Whether all one-sided candidates around a border point of `segment`, given by its weights, together have
/// the node inside.
bool behind_border(const PassView& pass, std::span<const Pair> pairs, const CandidateSegment& segment,
                   const std::array<double, 4>& weight, const Vec3& offset) {
  const Border border(segment, weight);
  const SegmentsAround around(pass, pairs, border);
  FacetSides sides;
  around.for_each([&](const Vec3* x, int corners, int k) {
    border.at_corner ? sides.add_corner(x, corners, k, offset) : sides.add_edge(x, corners, k, offset);
  });
  if (const int side = sides.side(); side != 0) return side < 0;
  Vec3 normal;
  around.for_each([&](const Vec3* x, int corners, int k) {
    normal += border.at_corner ? corner_normal(x, corners, k) : edge_normal(x, corners, k);
  });
  return dot(normal, offset) < 0.0;
}

/// Gap and direction at a solid's face or a one-sided shell: the normal points outside.
///
/// On the border of a face only a node nearly below it counts as inside: all nodes of a flat or convex
/// surface are beside or below the planes of their neighbours and must not touch them. (At a concave edge
/// this leaves a zone of up to 90 degrees without contact.) The faces around the border together must also
/// have the node inside. For a node on the surface the offset is only rounding: it has no direction, and the
/// node is not inside.
void of_one_sided(const PassView& pass, std::span<const Pair> pairs, const CandidateSegment& segment,
                  const ClosestPoint& closest, Hit& hit) {
  const double height = dot(closest.offset, closest.normal);
  const bool on_surface = !(closest.distance2 > kOnSurface * kOnSurface * segment.area);
  const bool inside =
      !on_surface && (hit.face ? height < 0.0
                               : height < -kInsideBorder * hit.distance &&
                                     behind_border(pass, pairs, segment, hit.weight, closest.offset));
  hit.gap = inside ? -hit.distance : hit.distance;
  if (closest.facet || on_surface)
    hit.direction = closest.normal;
  else
    hit.direction = (1.0 / hit.gap) * closest.offset;
}

/// Gap and direction at a shell: for the side on which the node was before, else the side on which it is.
void of_shell(const ClosestPoint& closest, const CandidateSegment& segment, const UsedNodes& used,
              const NodeSlots& slots, int count, Hit& hit) {
  hit.gap = hit.distance;
  if (closest.facet || !(hit.distance > 0.0))
    hit.direction = dot(closest.offset, closest.normal) < 0.0 ? -closest.normal : closest.normal;
  else
    hit.direction = (1.0 / hit.distance) * closest.offset;
  bool crossed = false;
  for (int k = 0; k < count; ++k) crossed = crossed || dot(slots.slot[k].direction, hit.direction) < 0.0;
  if (!crossed) return;
  const int k = find_slot(slots, count, segment, hit.direction, used);
  if (k >= 0 && dot(slots.slot[k].direction, hit.direction) < 0.0) {
    hit.direction = -hit.direction;
    hit.gap = -hit.distance;
  }
}

/// The closest point where both the segment and the node are at their reference planes.
ClosestPoint closest_at_planes(const PassView& pass, const NodeView& node, std::int32_t number,
                               double plane) {
  const CandidateSegment& segment = pass.segments[number];
  Vec3 x[4];
  coordinates(segment, *pass.used, x);
  const Vec3 normal = segment_normal(x, segment.corners);
  const double length = norm(normal);
  for (Vec3& corner : x)
    if (length > 0.0) corner += (plane / length) * normal;
  return closest_on_segment(x, segment.corners, node.x + node.shift);
}

/// See `measure`; `thickness` is the distance at which the two touch.
[[gnu::always_inline]] inline bool measure_at(const PassView& pass, const NodeView& node,
                                              const NodeSlots& slots, int count, std::int32_t number,
                                              const ClosestPoint& closest, double thickness, Hit& hit) {
  const CandidateSegment& segment = pass.segments[number];
  hit.segment = number;
  hit.slot = -1;
  hit.claim = Claim::none;
  hit.weight = closest.weight;
  hit.distance = std::sqrt(closest.distance2);
  hit.face = closest.face;
  hit.one_sided = segment.one_sided;
  if (segment.one_sided)
    of_one_sided(pass, node.pairs, segment, closest, hit);
  else
    of_shell(closest, segment, *pass.used, slots, count, hit);
  hit.penetration = thickness - hit.gap;
  return !hit.inside() || hit.distance < std::max(thickness, segment.depth);
}

/// Half thicknesses count from the planes; those of the search reach as far from the nodes.
[[gnu::noinline]] bool measure_at_planes(const PassView& pass, const NodeView& node, const NodeSlots& slots,
                                         int count, const SegmentWithinReach& near, double thickness,
                                         Hit& hit) {
  const double plane = pass.planes[near.segment];
  const double less = std::abs(plane) + norm(node.shift);
  return measure_at(pass, node, slots, count, near.segment,
                    closest_at_planes(pass, node, near.segment, plane), thickness - less, hit);
}

/// The effect of a segment within reach on the node; true if it may touch. It touches if its penetration is
/// positive. A face that only has the node outside is also needed, for neighbours with a greater depth.
bool measure(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count,
             const SegmentWithinReach& near, Hit& hit) {
  const double thickness = pass.segments[near.segment].half_thickness + node.half_thickness;
  if (!pass.planes.empty()) [[unlikely]]
    return measure_at_planes(pass, node, slots, count, near, thickness, hit);
  return measure_at(pass, node, slots, count, near.segment, near.closest, thickness, hit);
}

/// Nearer first. Two segments are equally near, except for rounding, if the closest point is on their common
/// border. Then the face in whose normal direction the node lies more is first, then the order in the model
/// decides.
bool before(const PassView& pass, const Hit& a, const Hit& b) {
  const double tolerance = kRounding * (a.distance + b.distance);
  if (std::abs(a.distance - b.distance) > tolerance) return a.distance < b.distance;
  if (a.face != b.face) return a.face;
  if (a.penetration != b.penetration) return a.penetration > b.penetration;
  return pass.segments[a.segment].order < pass.segments[b.segment].order;
}

bool share_node(const CandidateSegment& a, const CandidateSegment& b) {
  return std::ranges::any_of(a.same, [&](std::int32_t node) { return corner_of(b, node) >= 0; });
}

/// The claim of a face. A node has entered through it if the node was in front at the start of the step and
/// its own body is in front too. (A corner of a body that slides past a flush body crosses the edge of the
/// other face without entering it.)
Claim claim_of(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count,
               const Hit& hit) {
  const int k = find_slot(slots, count, pass.segments[hit.segment], hit.direction, *pass.used);
  if (k >= 0 && dot(slots.slot[k].direction, hit.direction) > 0.0) return Claim::goes_on;
  const double on_surface = kOnSurface * std::sqrt(pass.segments[hit.segment].area);
  const double closing = -dot(relative_velocity(pass, node, hit.segment, hit.weight), hit.direction);
  const bool entered = hit.distance <= pass.dt * closing * (1.0 + kEntered) + on_surface &&
                       !(dot(node.outward, hit.direction) > 0.0);
  return entered ? Claim::entered : Claim::none;
}

/// The nearest one-sided segment that has the node outside.
struct Outside {
  double distance = HUGE_VAL;
  std::int32_t segment = -1;

  void add(const Hit& hit) {
    if (!hit.one_sided || hit.inside() || !(hit.distance < distance)) return;
    distance = hit.distance;
    segment = hit.segment;
  }
};

/// Whether a node only seems to be inside, because another, nearer face has it outside.
///
/// The nearest point of a body decides the side, so a nearer face of the same part has priority over a face;
/// over a border any nearer face has.
bool falsely_inside(const PassView& pass, const Outside& outside, const Hit& hit) {
  if (!hit.inside() || hit.claim != Claim::none) return false;
  if (!(hit.distance > outside.distance * (1.0 + kRounding))) return false;
  return !hit.face || pass.segments[hit.segment].part == pass.segments[outside.segment].part;
}

/// Whether `other` has the better claim on a node that is inside both faces of an edge, or in front of the
/// other side of a thin layer: a node that presses on a layer of solids is a little inside, so also behind
/// the layer's opposite face, as far as the layer is thick.
bool yields(const PassView& pass, const Hit& hit, const Hit& other) {
  if (!hit.inside() || !other.inside() || !(other.claim < hit.claim)) return false;
  const CandidateSegment &a = pass.segments[hit.segment], &b = pass.segments[other.segment];
  const double alignment = dot(hit.direction, other.direction);
  if (alignment < kSameWay && share_node(a, b)) return true;
  return alignment < 0.0 && a.part == b.part && other.distance < hit.distance;
}

/// For a node inside a solid, drop the faces through which it is not pushed out.
int settle_inside(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count,
                  const Outside& outside, HitList& hits, int n) {
  for (int k = 0; k < n; ++k)
    if (hits[k].inside()) hits[k].claim = claim_of(pass, node, slots, count, hits[k]);
  std::uint32_t dropped = 0;
  for (int k = 0; k < n; ++k) {
    bool drop = falsely_inside(pass, outside, hits[k]);
    for (int j = 0; j < n && !drop; ++j) drop = yields(pass, hits[k], hits[j]);
    if (drop) dropped |= 1U << k;
  }
  int kept = 0;
  for (int k = 0; k < n; ++k)
    if ((dropped >> k & 1U) == 0) hits[kept++] = hits[k];
  return kept;
}

/// All touching segments, nearest first.
int find_hits(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count, HitList& hits) {
  int n = 0;
  bool inside = false;
  Outside outside;
  for (const SegmentWithinReach& near : node.near) {
    Hit& hit = hits[n];
    if (!measure(pass, node, slots, count, near, hit)) continue;
    outside.add(hit);
    if (!(hit.penetration > 0.0)) continue;
    inside = inside || hit.inside();
    int at = n;
    while (at > 0 && before(pass, hit, hits[at - 1])) --at;
    if (at < n) std::rotate(hits.begin() + at, hits.begin() + n, hits.begin() + n + 1);
    n = std::min(n + 1, kMaxHits);
  }
  return inside ? settle_inside(pass, node, slots, count, outside, hits, n) : n;
}

/// Whether both hits are faces of one edge of a solid and the node is inside: only the nearer one pushes it
/// out.
bool same_edge_from_inside(const PassView& pass, const Hit& a, const Hit& b) {
  return a.inside() && b.inside() && share_node(pass.segments[a.segment], pass.segments[b.segment]);
}

/// Keep the nearest hit and those that push in other directions; at most kSlots.
int select_hits(const PassView& pass, HitList& hits, int n) {
  int kept = 0;
  for (int k = 0; k < n && kept < kSlots; ++k) {
    Hit& hit = hits[k];
    double alignment = -1.0;
    bool edge = false;
    for (int j = 0; j < kept; ++j) {
      alignment = std::max(alignment, dot(hits[j].direction, hit.direction));
      edge = edge || same_edge_from_inside(pass, hits[j], hit);
    }
    if (edge || alignment >= kSameWay) continue;
    // The border of a segment of the same sheet beside the node is not a second contact.
    if (kept > 0 && !hit.face && alignment > 0.0) continue;
    hit.share = alignment <= kOtherWay ? 1.0 : (kSameWay - alignment) / (kSameWay - kOtherWay);
    hits[kept++] = hit;
  }
  return kept;
}

/// Give each kept hit the contact of the last cycle that it continues, each at most once.
void match_slots(const PassView& pass, const NodeSlots& slots, int count, std::span<Hit> hits) {
  std::array<bool, kSlots> taken{};
  for (Hit& hit : hits) {
    const int k = find_slot(slots, count, pass.segments[hit.segment], hit.direction, *pass.used);
    if (k < 0 || taken[k] || dot(slots.slot[k].direction, hit.direction) <= 0.0) continue;
    taken[k] = true;
    hit.slot = k;
  }
}

}  // namespace

/// Velocity of the node relative to a point of a segment.
Vec3 relative_velocity(const PassView& pass, const NodeView& node, std::int32_t segment,
                       const std::array<double, 4>& weight) {
  const CandidateSegment& s = pass.segments[segment];
  Vec3 v = node.v;
  for (int k = 0; k < s.corners; ++k) v -= weight[k] * velocity(pass, s.node[k]);
  return v;
}

int find_touching(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count,
                  HitList& hits) {
  const int found = find_hits(pass, node, slots, count, hits);
  const int kept = found > 0 ? select_hits(pass, hits, found) : 0;
  if (kept > 0 && count > 0) match_slots(pass, slots, count, std::span(hits.data(), kept));
  return kept;
}

}  // namespace crumple::contact
