// Normal penalty, friction by return mapping, damping, and the work of all three.
#include "contact/force/penalty.hpp"

#include <algorithm>
#include <cmath>

#include "contact/force/touching.hpp"

namespace crumple::contact {

namespace {

/// Inverse masses of a pair: of the segment's contact point, sum(w^2 / m), and of the node.
struct InverseMasses {
  double segment = 0.0, node = 0.0;
};

double mass_of(const PassView& pass, std::int32_t node) {
  const UsedNodes& used = *pass.used;
  const auto k = static_cast<std::size_t>(node);
  return pass.masses && k < used.n_local() ? pass.masses->own_mass(static_cast<std::size_t>(used.local[k]))
                                           : used.mass[k];
}

double inverse_point_mass(const PassView& pass, const Hit& hit) {
  const CandidateSegment& s = pass.segments[hit.segment];
  double sum = 0.0;
  for (int k = 0; k < s.corners; ++k)
    sum += hit.weight[k] * hit.weight[k] * inverse(mass_of(pass, s.node[k]));
  return sum;
}

/// Stiffness of SOFT = 2 at one point: its fraction of k = scale m1 m2 / (m1 + m2) / (2 dt^2) of a pair of
/// segments (Hallquist 2006, LS-DYNA Theory Manual, section 29.6.3). If the points of both surfaces are
/// tracked, each pair occurs twice, so each direction has half.
///
/// The points on a segment are a quadrature rule, so their springs act on the nodes like one consistent
/// matrix. With lumped masses its eigenvalues are bounded by omega^2 dt^2 <= scale / 2.
double segment_based_stiffness(const PassView& pass, const NodeView& node, double other, double step2) {
  const double way = pass.law->two_way ? 0.5 : 1.0;
  return node.stands_for->share * way * 0.5 * pass.law->mass_scale *
         inverse(inverse(node.stands_for->mass) + inverse(other)) / step2;
}

/// Penalty stiffness of a pair; with SOFT = 1 at least the stiffness that is stable at the step for the two
/// masses: k = SOFSCL m* / (2 dt^2) (Hallquist 2006, LS-DYNA Theory Manual, section 29.6.2).
double pair_stiffness(const PassView& pass, const NodeView& node, const Hit& hit,
                      const InverseMasses& inverse_masses) {
  const double k = pass.law->stiffness(node.stiffness, pass.segments[hit.segment].stiffness);
  if (!(pass.soft_dt > 0.0)) return pass.law->segment_based ? 0.0 : k;
  const double step = std::max(pass.soft_dt, pass.law->step), step2 = step * step;
  if (pass.law->segment_based)
    return segment_based_stiffness(pass, node, pass.segments[hit.segment].mass, step2);
  const auto [of_segment, of_node] = inverse_masses;
  const double soft = pass.law->soft ? 0.5 * pass.law->sofscl * inverse(of_segment + of_node) / step2 : 0.0;
  // Nodes of a rigid body cannot vibrate individually: only masses of free nodes limit the spring.
  const double moving = (pass.segments[hit.segment].rigid ? 0.0 : of_segment) + (node.rigid ? 0.0 : of_node);
  const double bound = moving > 0.0 ? kStableShare / (moving * (pass.soft_dt * pass.soft_dt)) : HUGE_VAL;
  return std::min(std::max(k, soft), bound);
}

/// Viscous constant of the normal direction: the fraction VDC of critical damping, 2 min(m) omega with
/// omega^2 = k (1/m1 + 1/m2).
double viscosity(const PassView& pass, const InverseMasses& inverse_masses, double stiffness) {
  if (!(pass.law->damping > 0.0)) return 0.0;
  const auto [a, b] = inverse_masses;
  return pass.law->damping * 2.0 * inverse(std::max(a, b)) * std::sqrt(stiffness * (a + b));
}

/// Tangential spring with Coulomb's limit (return mapping). Adds the dissipation of sliding to `work`.
Vec3 friction_force(const PassView& pass, const NodeView& node, const Hit& hit, const Vec3& last,
                    const Vec3& slide, double stiffness, double normal_force, SlidingWork& work) {
  const CandidateSegment& segment = pass.segments[hit.segment];
  const model::Friction law = pass.law->of_parts(node.part, segment.part);
  const Vec3& n = hit.direction;
  const Vec3 trial = (last - dot(last, n) * n) - (stiffness * pass.dt) * slide;
  double limit = law.coefficient(norm(slide)) * normal_force;
  const double share = node.stands_for ? node.stands_for->share : 1.0;
  if (law.vc > 0.0) limit = std::min(limit, law.vc * segment.area * share);
  const double size = norm(trial);
  if (size <= limit) return trial;
  if (stiffness > 0.0) work.friction += limit * (size - limit) / stiffness;
  return (limit / size) * trial;
}

/// Penetration without force of a new contact: its whole depth if initial penetrations are kept, or if a node
/// without contacts is behind a face through which it did not come. Such a face has come from the other side,
/// through a hole that deleted solids left.
double offset_at_birth(const PassView& pass, const NodeView& node, const Hit& hit, int count) {
  const bool stays = pass.first && (pass.law->keep_initial || node.keep_initial);
  const bool from_behind = !pass.first && count == 0 && hit.inside() && hit.claim == Claim::none;
  return stays || from_behind ? hit.penetration : 0.0;
}

/// Area under a curve from 0 to `to`.
double area_under(const model::Curve& curve, double to) {
  double sum = 0.0, at = 0.0;
  for (const double x : curve.x) {
    if (!(x > at)) continue;
    if (!(x < to)) break;
    sum += 0.5 * (x - at) * (curve(at) + curve(x));
    at = x;
  }
  return sum + 0.5 * (to - at) * (curve(at) + curve(to));
}

/// Completes a contact of rigid bodies, whose force follows a curve over the penetration d: F = C(d) when it
/// grows, and US (d - p) below that when it falls and grows again, p the penetration at which the force has
/// gone. So p is the largest d - F / US so far. The damping force DSF DC(v) v acts on the speed of
/// penetration. F may be a pressure, on the node's share of its surface.
void act_by_curve(const PassView& pass, const NodeView& node, const Hit& hit, const Slot* last, Slot& slot,
                  SlidingWork& work) {
  const PenaltyLaw& law = *pass.law;
  const double depth = hit.penetration;
  double force = std::max((*law.curve)(depth), 0.0);
  slot.offset = last ? last->offset : 0.0;
  if (law.unloading > 0.0) {
    force = std::max(std::min(force, law.unloading * (depth - slot.offset)), 0.0);
    slot.offset = std::max(slot.offset, depth - force / law.unloading);
  }
  const double share = law.pressure ? hit.share * node.area : hit.share;
  const double stiffness = share * (law.unloading > 0.0 ? law.unloading : force / depth);
  const Vec3 v = relative_velocity(pass, node, hit.segment, hit.weight);
  const double opening = dot(v, hit.direction);
  if (law.damping_curve != nullptr)
    force -= law.damping_scale * (*law.damping_curve)(std::abs(opening)) * opening;
  force = share * std::max(force, 0.0);  // damping must not cause adhesion
  if (law.friction)
    slot.friction = friction_force(pass, node, hit, last ? last->friction : Vec3{},
                                   v - opening * hit.direction, stiffness, force, work);
  slot.force = force * hit.direction + slot.friction;
  work.total -= 0.5 * pass.dt * dot(slot.force, v);
  if (pass.first) work.total += share * area_under(*law.curve, depth);  // the initial energy
}

/// The contact of this cycle from a hit; the node had `count` contacts in the last cycle.
Slot act(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count, const Hit& hit,
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
  if (pass.law->curve != nullptr) {
    act_by_curve(pass, node, hit, last, slot, work);
    return slot;
  }
  slot.offset = last ? std::min(last->offset, hit.penetration) : offset_at_birth(pass, node, hit, count);

  InverseMasses masses;
  if (!pass.law->segment_based || pass.law->damping > 0.0)
    masses = {inverse_point_mass(pass, hit), inverse(node.mass)};
  const double stiffness = hit.share * pair_stiffness(pass, node, hit, masses);
  const Vec3 v = relative_velocity(pass, node, hit.segment, hit.weight);
  const double opening = dot(v, hit.direction);
  const double depth = hit.penetration - slot.offset;
  double normal_force = stiffness * depth;
  if (depth > 0.0) normal_force -= viscosity(pass, masses, stiffness) * opening;
  normal_force = std::max(normal_force, 0.0);  // damping must not cause adhesion
  if (pass.law->friction)
    slot.friction =
        friction_force(pass, node, hit, last ? last->friction : Vec3{}, v - opening * hit.direction,
                       pass.law->friction_scale * stiffness, normal_force, work);
  slot.force = normal_force * hit.direction + slot.friction;
  work.total -= 0.5 * pass.dt * dot(slot.force, v);
  if (pass.first && depth > 0.0) work.total += 0.5 * stiffness * depth * depth;  // the initial energy
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
  if (contact.pairs.given) law.pairs = &contact.pairs;
  law.friction = law.pairs != nullptr ? law.pairs->any() : law.fs > 0.0 || law.fd > 0.0;
  law.unloading = contact.by_curve.unloading;
  law.damping_scale = contact.by_curve.damping_scale;
  law.penopt = contact.penopt == 0 ? 1 : contact.penopt;
  law.soft = contact.soft == 1;
  law.sofscl = contact.sofscl;
  law.step = contact.stiffness_step;
  law.segment_based = contact.soft == 2;
  law.mass_scale =
      contact.slsfac * (is_single(contact.type) ? contact.sfa : std::min(contact.sfa, contact.sfb));
  law.friction_scale = contact.friction_scale;
  law.edge_scale = contact.edge_scale;
  law.two_way = contact.type != model::ContactType::automatic_nodes_to_surface &&
                contact.type != model::ContactType::nodes_to_surface;
  law.keep_initial = contact.ignore >= 1 || law.segment_based;
  return law;
}

double PenaltyLaw::coefficient(double speed) const {
  return model::Friction{fs, fd, dc, vc}.coefficient(speed);
}

double PenaltyLaw::stiffness(double node, double segment) const {
  if (!(node > 0.0)) return segment;
  if (!(segment > 0.0)) return node;
  return penopt == 2 ? segment : penopt >= 3 ? node : std::min(node, segment);
}

// The work in the motion at t_{n-1/2} is half that of the last forces and half that of the new ones. This is
// what the central difference scheme converts to kinetic energy (Belytschko, Liu, Moran 2000, 6.2.3).
void count_last_forces(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count,
                       SlidingWork& work) {
  for (int k = 0; k < count; ++k) {
    const Slot& slot = slots.slot[k];
    if (slot.segment < 0) continue;
    work.total -= 0.5 * pass.dt * dot(slot.force, relative_velocity(pass, node, slot.segment, slot.weight));
  }
}

void update_node(const PassView& pass, const NodeView& node, NodeSlots& slots, std::uint8_t& count,
                 SlidingWork& work, Workspace& workspace) {
  count_last_forces(pass, node, slots, count, work);
  HitList& hits = workspace.hits;
  const int kept = find_touching(pass, node, slots, count, hits);
  for (int k = 0; k < kept; ++k) workspace.now[k] = act(pass, node, slots, count, hits[k], work);
  std::copy_n(workspace.now.begin(), kept, slots.slot.begin());
  count = static_cast<std::uint8_t>(kept);
}

}  // namespace crumple::contact
