// Selection of touching segments, normal penalty, friction by return mapping, damping, work.
#include "contact/force/penalty.hpp"

#include <algorithm>
#include <cmath>

#include "contact/geometry/closest_point.hpp"

namespace crumple::contact {

namespace {

constexpr double kSameWay = 0.8660254037844386;  ///< cos 30: the same surface
constexpr double kOtherWay = 0.5;                ///< cos 60: another surface
constexpr double kInsideBorder = 0.7;            ///< see `of_one_sided`

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

/// Gap and direction at a solid's face, or a shell that has a front: the normal points outside.
///
/// On the border of a face only a node nearly under it counts as inside (a dead zone at a concave edge, up
/// to 90 degrees): all nodes of a flat or convex surface are beside or below the planes of their
/// neighbours and must not touch them.
void of_one_sided(const ClosestPoint& closest, Hit& hit) {
  const double height = dot(closest.offset, closest.normal);
  const bool inside = hit.face ? height < 0.0 : height < -kInsideBorder * hit.distance;
  hit.gap = inside ? -hit.distance : hit.distance;
  if (closest.facet || !(hit.distance > 0.0))
    hit.direction = closest.normal;
  else
    hit.direction = (1.0 / hit.gap) * closest.offset;
}

/// Gap and direction at a shell: the side the node was on, else the side it is on.
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

/// Test one candidate; true when it is within reach. It touches if its penetration is positive.
bool measure(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count, const Pair& pair,
             Hit& hit) {
  const CandidateSegment& segment = pass.segments[pair.segment];
  if (!segment.alive) return false;
  const UsedNodes& used = *pass.used;
  const double thickness = segment.half_thickness + node.half_thickness;
  const double reach = std::max(thickness, segment.depth);
  Vec3 x[4];
  for (int k = 0; k < 4; ++k) x[k] = used.x[segment.node[k]];
  const SegmentFrame frame(x, segment.corners);
  // Only saves time, so not where the pair was within reach at the last sort.
  if (pair.gap > 0.0F && surely_beyond(frame, node.x, reach)) return false;
  const ClosestPoint closest = closest_on_segment(x, segment.corners, frame, node.x);
  if (!(closest.distance2 < reach * reach)) return false;
  hit.segment = pair.segment;
  hit.slot = -1;
  hit.weight = closest.weight;
  hit.distance = std::sqrt(closest.distance2);
  hit.face = closest.face;
  if (segment.one_sided)
    of_one_sided(closest, hit);
  else
    of_shell(closest, segment, used, slots, count, hit);
  hit.penetration = thickness - hit.gap;
  hit.one_sided = segment.one_sided;
  return true;
}

/// Nearer first. Two segments are equally near, but for rounding, when the closest point is on their common
/// border; then the one that the node is more above decides, then the order in the model.
bool before(const PassView& pass, const Hit& a, const Hit& b) {
  const double tolerance = 1e-9 * (a.distance + b.distance);
  if (std::abs(a.distance - b.distance) > tolerance) return a.distance < b.distance;
  if (a.face != b.face) return a.face;
  if (a.penetration != b.penetration) return a.penetration > b.penetration;
  return pass.segments[a.segment].order < pass.segments[b.segment].order;
}

/// Drop borders of one-sided segments that a node seems to be under, when another, nearer, has it outside.
int drop_false_borders(HitList& hits, int n, double nearest_outside) {
  int kept = 0;
  for (int k = 0; k < n; ++k) {
    const Hit& hit = hits[k];
    if (hit.one_sided && !hit.face && hit.gap < 0.0 && hit.distance > nearest_outside * (1.0 + 1e-9))
      continue;
    hits[kept++] = hit;
  }
  return kept;
}

/// All touching segments, nearest first.
int find_hits(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count, HitList& hits) {
  int n = 0;
  double nearest_outside = HUGE_VAL;
  for (const Pair& pair : node.pairs) {
    if (static_cast<double>(pair.gap) > pass.moved) continue;
    Hit& hit = hits[n];
    if (!measure(pass, node, slots, count, pair, hit)) continue;
    if (hit.one_sided && hit.gap > 0.0) nearest_outside = std::min(nearest_outside, hit.distance);
    if (!(hit.penetration > 0.0)) continue;
    int at = n;
    while (at > 0 && before(pass, hit, hits[at - 1])) --at;
    if (at < n) std::rotate(hits.begin() + at, hits.begin() + n, hits.begin() + n + 1);
    n = std::min(n + 1, kMaxHits);
  }
  return n > 0 ? drop_false_borders(hits, n, nearest_outside) : 0;
}

bool share_node(const CandidateSegment& a, const CandidateSegment& b, const UsedNodes& used) {
  for (int i = 0; i < a.corners; ++i)
    for (int j = 0; j < b.corners; ++j)
      if (used.id[a.node[i]] == used.id[b.node[j]]) return true;
  return false;
}

/// Whether both are faces of one solid edge that the node is inside of: only the nearer pushes it out.
bool same_edge_from_inside(const PassView& pass, const Hit& a, const Hit& b) {
  return a.one_sided && b.one_sided && a.gap < 0.0 && b.gap < 0.0 &&
         share_node(pass.segments[a.segment], pass.segments[b.segment], *pass.used);
}

/// Keep the nearest hit and those that push another way; at most kSlots.
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
    // The border of a segment of the same sheet lies sideways of the node: not a second contact.
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

Vec3 velocity(const PassView& pass, std::int32_t node) {
  const UsedNodes& used = *pass.used;
  const auto n = static_cast<std::int32_t>(used.n_local());
  return node < n ? pass.v[used.local[node]] : used.v[node - n];
}

/// Velocity of the node relative to a point of a segment.
Vec3 relative_velocity(const PassView& pass, const NodeView& node, std::int32_t segment,
                       const std::array<double, 4>& weight) {
  const CandidateSegment& s = pass.segments[segment];
  Vec3 v = node.v;
  for (int k = 0; k < s.corners; ++k) v -= weight[k] * velocity(pass, s.node[k]);
  return v;
}

double inverse(double mass) { return mass > 0.0 ? 1.0 / mass : 0.0; }

/// Inverse of the mass that the segment's contact point sets against a push: sum(w^2 / m).
double inverse_point_mass(const PassView& pass, const Hit& hit) {
  const CandidateSegment& s = pass.segments[hit.segment];
  double sum = 0.0;
  for (int k = 0; k < s.corners; ++k)
    sum += hit.weight[k] * hit.weight[k] * inverse(pass.used->mass[s.node[k]]);
  return sum;
}

/// A pair's spring is at most this share of m* / dt^2, m* the reduced mass of node and contact point. Two
/// facing nodes carry two springs (each node against the other's segment), so omega^2 dt^2 <= 0.5 of the 4 at
/// which central differences lose stability, which leaves room for several nodes on one segment.
///
/// The deck's stiffness passes the limit where shells are thin for their size: k = 0.1 K L / sqrt(2) and
/// m = rho t L^2 give omega^2 dt^2 of about 0.17 L / t for two facing sheets. LS-DYNA prints its "surface
/// time step" then and goes on; the energy that such springs create is the user's to find.
constexpr double kStableShare = 0.25;

/// Penalty stiffness of a pair; SOFT = 1 takes at least what is stable at the step for the two masses:
/// k = SOFSCL m* / (2 dt^2) (Hallquist 2006, LS-DYNA Theory Manual, section 29.6.2).
double pair_stiffness(const PassView& pass, const NodeView& node, const Hit& hit) {
  const double k = pass.law->stiffness(node.stiffness, pass.segments[hit.segment].stiffness);
  if (!(pass.soft_dt > 0.0)) return k;
  const double of_segment = inverse_point_mass(pass, hit), of_node = inverse(node.mass);
  const double step2 = pass.soft_dt * pass.soft_dt;
  const double soft = pass.law->soft ? 0.5 * pass.law->sofscl * inverse(of_segment + of_node) / step2 : 0.0;
  // A rigid body's nodes cannot ring one by one: only masses that move by themselves bound the spring.
  const double moving = (pass.segments[hit.segment].rigid ? 0.0 : of_segment) + (node.rigid ? 0.0 : of_node);
  const double bound = moving > 0.0 ? kStableShare / (moving * step2) : HUGE_VAL;
  return std::min(std::max(k, soft), bound);
}

/// Viscous constant of the normal direction: VDC of critical, 2 min(m) omega with omega^2 = k (1/m1 + 1/m2).
double viscosity(const PassView& pass, const NodeView& node, const Hit& hit, double stiffness) {
  if (!(pass.law->damping > 0.0)) return 0.0;
  const double a = inverse_point_mass(pass, hit), b = inverse(node.mass);
  return pass.law->damping * 2.0 * inverse(std::max(a, b)) * std::sqrt(stiffness * (a + b));
}

/// Tangential spring with Coulomb's limit (return mapping). Adds what sliding dissipates to `work`.
Vec3 friction_force(const PassView& pass, const Hit& hit, const Vec3& last, const Vec3& slide,
                    double stiffness, double normal_force, SlidingWork& work) {
  const PenaltyLaw& law = *pass.law;
  const Vec3& n = hit.direction;
  const Vec3 trial = (last - dot(last, n) * n) - (stiffness * pass.dt) * slide;
  double limit = law.coefficient(norm(slide)) * normal_force;
  if (law.vc > 0.0) limit = std::min(limit, law.vc * pass.segments[hit.segment].area);
  const double size = norm(trial);
  if (size <= limit) return trial;
  if (stiffness > 0.0) work.friction += limit * (size - limit) / stiffness;
  return (limit / size) * trial;
}

/// The contact of this cycle from a hit.
Slot act(const PassView& pass, const NodeView& node, const NodeSlots& slots, const Hit& hit,
         SlidingWork& work) {
  const CandidateSegment& segment = pass.segments[hit.segment];
  Slot slot;
  slot.order = segment.order;
  for (int k = 0; k < 4; ++k) slot.nodes[k] = pass.used->id[segment.node[k]];
  slot.segment = hit.segment;
  slot.weight = hit.weight;
  slot.direction = hit.direction;
  slot.penetration = hit.penetration;
  const Slot* last = hit.slot >= 0 ? &slots.slot[hit.slot] : nullptr;
  slot.offset = last ? std::min(last->offset, hit.penetration)
                     : (pass.first && pass.law->keep_initial ? hit.penetration : 0.0);

  const double stiffness = hit.share * pair_stiffness(pass, node, hit);
  const Vec3 v = relative_velocity(pass, node, hit.segment, hit.weight);
  const double opening = dot(v, hit.direction);
  const double depth = hit.penetration - slot.offset;
  double normal_force = stiffness * depth;
  if (depth > 0.0) normal_force -= viscosity(pass, node, hit, stiffness) * opening;
  normal_force = std::max(normal_force, 0.0);  // damping must not make surfaces stick
  if (pass.law->friction)
    slot.friction = friction_force(pass, hit, last ? last->friction : Vec3{}, v - opening * hit.direction,
                                   stiffness, normal_force, work);
  slot.force = normal_force * hit.direction + slot.friction;
  work.total -= 0.5 * pass.dt * dot(slot.force, v);
  return slot;
}

}  // namespace

PenaltyLaw PenaltyLaw::of(const model::Contact& contact) {
  PenaltyLaw law;
  law.fs = contact.fs * contact.fsf;
  law.fd = contact.fd * contact.fsf;
  law.dc = contact.dc;
  law.vc = contact.vc * contact.vsf;
  law.damping = contact.vdc / 100.0;
  law.friction = law.fs > 0.0 || law.fd > 0.0;
  law.penopt = contact.penopt == 0 ? 1 : contact.penopt;
  law.soft = contact.soft == 1;
  law.sofscl = contact.sofscl;
  law.keep_initial = contact.ignore >= 1;
  return law;
}

double PenaltyLaw::coefficient(double speed) const {
  return fs == fd ? fs : fd + (fs - fd) * std::exp(-dc * speed);
}

double PenaltyLaw::stiffness(double node, double segment) const {
  if (!(node > 0.0)) return segment;
  if (!(segment > 0.0)) return node;
  return penopt == 2 ? segment : penopt >= 3 ? node : std::min(node, segment);
}

void update_node(const PassView& pass, const NodeView& node, NodeSlots& slots, std::uint8_t& count,
                 SlidingWork& work, Workspace& workspace) {
  // The work of t_{n-1/2}'s motion is half that of the last forces and half that of the new ones, which is
  // what the central difference scheme turns into kinetic energy (Belytschko, Liu, Moran 2000, 6.2.3).
  for (int k = 0; k < count; ++k) {
    const Slot& slot = slots.slot[k];
    if (slot.segment < 0) continue;
    work.total -= 0.5 * pass.dt * dot(slot.force, relative_velocity(pass, node, slot.segment, slot.weight));
  }
  HitList& hits = workspace.hits;
  const int found = find_hits(pass, node, slots, count, hits);
  const int kept = found > 0 ? select_hits(pass, hits, found) : 0;
  if (kept > 0 && count > 0) match_slots(pass, slots, count, std::span(hits.data(), kept));
  for (int k = 0; k < kept; ++k) workspace.now[k] = act(pass, node, slots, hits[k], work);
  std::copy_n(workspace.now.begin(), kept, slots.slot.begin());
  count = static_cast<std::uint8_t>(kept);
}

}  // namespace crumple::contact
