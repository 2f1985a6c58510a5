// The motion of rigid bodies: exact resultants, and steps that conserve energy and angular momentum.
//
// Between impulses of the moments, a free body rotates by the implicit midpoint rule on the rotation group
// with Cayley's map, R_{n+1} = R_n cay(Theta), Theta = dt (W_n + W_{n+1}) / 2, where W is the angular
// velocity in the body's axes for the constant angular momentum. It conserves the energy exactly, too (Simo
// and Wong 1991, "Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and
// momentum", section 4; Krysl and Endres 2005 split it as here).
#include "constraints/rigid_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "constraints/stoppers/stopper.hpp"
#include "constraints/wide_sum.hpp"
#include "model/feature.hpp"
#include "parallel/exact_sum.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

constexpr std::size_t kNodesForThreads = 256;  ///< with fewer, starting threads takes longer than the work
constexpr std::size_t kBodiesForThreads = 32;  ///< the same for bodies
constexpr std::size_t kPrefetchDistance = 8;   ///< prefetch distance in nodes, to cover the latency of memory
constexpr int kWords = 13;  // per body in the exchange: 6 sums of 2 words, and a count of overflows

std::string name(const model::RigidBody& body) {
  return (body.nodal ? "the nodal rigid body " : "the rigid body of part ") + std::to_string(body.part_id);
}

/// The largest power of two not above `value`.
double power_of_two(double value) { return std::exp2(std::floor(std::log2(value))); }

void add_vector(std::span<parallel::ExactSum> sums, const Vec3& v) {
  for (int k = 0; k < 3; ++k) sums[k] += v[k];
}
Vec3 vector(std::span<const parallel::ExactSum> sums) {
  return {sums[0].value(), sums[1].value(), sums[2].value()};
}

/// Inertia tensor from the second moments xx yy zz xy yz zx and the nodes' own inertia.
Matrix3 inertia_tensor(std::span<const parallel::ExactSum> second, double own) {
  const double xx = second[0].value(), yy = second[1].value(), zz = second[2].value();
  const double xy = second[3].value(), yz = second[4].value(), zx = second[5].value();
  return {Vec3{yy + zz + own, -xy, -zx}, Vec3{-xy, zz + xx + own, -yz}, Vec3{-zx, -yz, xx + yy + own}};
}

/// Solves the k x k symmetric system a z = b, k = 1 or 2.
std::array<double, 2> solve_small(const std::array<std::array<double, 2>, 2>& a,
                                  const std::array<double, 2>& b, int k) {
  if (k == 1) return {a[0][0] > 0.0 ? b[0] / a[0][0] : 0.0, 0.0};
  const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  if (!(det > 1e-12 * a[0][0] * a[1][1])) {  // one of the two has no inertia
    const int j = a[0][0] >= a[1][1] ? 0 : 1;
    std::array<double, 2> z{};
    if (a[j][j] > 0.0) z[j] = b[j] / a[j][j];
    return z;
  }
  return {(b[0] * a[1][1] - b[1] * a[0][1]) / det, (b[1] * a[0][0] - b[0] * a[1][0]) / det};
}

/// Of the point of a lumped inertia, at t = 0.
Vec3 velocity_of(const model::LumpedInertia& lump, const state::Nodal& nodal) {
  return nodal.v[lump.node] + cross(nodal.w[lump.node], lump.point - nodal.x[lump.node]);
}

/// Second moments of the mass of a lumped inertia, xx yy zz xy yz zx: those of the tensor J about its point
/// are tr(J) I / 2 - J.
std::array<double, 6> products_of(const model::LumpedInertia& lump, const Vec3& r) {
  const auto& j = lump.inertia;
  const double half = 0.5 * (j[0] + j[1] + j[2]), m = lump.mass;
  return {m * r.x * r.x + half - j[0], m * r.y * r.y + half - j[1], m * r.z * r.z + half - j[2],
          m * r.x * r.y - j[3],        m * r.y * r.z - j[4],        m * r.z * r.x - j[5]};
}

/// Most nodes of a rigid body have no load, because its elements have no forces.
bool is_free_of_load(const state::Nodal& nodal, LocalId i) { return nodal.loads[i].is_zero(); }

}  // namespace

std::vector<char> whole_bodies(const model::Model& model, std::span<const std::int64_t> ranks) {
  std::vector<char> whole(ranks.size());
  for (std::size_t b = 0; b < ranks.size(); ++b)  // with given mass, every rank counts the energy
    whole[b] = ranks[b] == 1 && !model.rigid_bodies[b].inertia_given && model.rigid_bodies[b].lumps.empty();
  // Linked bodies are needed also on ranks that have no nodes of them.
  const auto link = [&](LocalId b) {
    if (b != model::kNone) whole[b] = 0;
  };
  for (const model::Support& support : model.supports) link(support.body);
  for (const model::PrescribedMotion& motion : model.motions) link(motion.rigid_body);
  for (const model::CrossSection& section : model.cross_sections) link(section.rigid_body);
  std::vector<LocalId> by_features;
  for (const model::Feature* const feature : model::features())
    feature->add_linked_bodies(model.features, by_features);
  std::ranges::for_each(by_features, link);
  return whole;
}

RigidBodies::RigidBodies(const model::Model& model, const state::Nodal& nodal,
                         const parallel::Communicator& comm)
    : model_(&model),
      comm_(&comm),
      bodies_(model.rigid_bodies.size()),
      mask_(nodal.size(), 0),
      body_of_(nodal.size(), model::kNone) {
  claim_nodes(nodal);
  measure(nodal);
  choose_scales(nodal);
  for (Body& body : bodies_) {
    hold(body);
    body.cmo_translation = body.held_translation;
    body.cmo_rotation = body.held_rotation;
  }
  hold_at_supports();
  for (Body& body : bodies_) {
    body.v = body.held_translation.removed_from(body.v);
    body.w = body.held_rotation.removed_from(body.w);
    body.momentum = body.inertia * body.w;
    body.w_end = body.w;
    body.energy = initial_energy(body);
  }
  for (const model::PrescribedMotion& input : model.motions)
    if (input.rigid_body != model::kNone) bodies_[input.rigid_body].driven.push_back({Motion(input)});
  for (const RelativeMotion& r : model.features.of<RelativeMotion>()) {
    const model::PrescribedMotion by_curve{.rigid_body = r.body,
                                           .dof = 1,
                                           .kind = 2,
                                           .curve = r.curve,
                                           .scale = r.scale,
                                           .birth = r.birth,
                                           .death = r.death};
    bodies_[r.body].relative.push_back({&r, Motion(by_curve), {}, {}});
  }
  assign_to_ranks();
  list_followers();
}

/// Each body is advanced once; nodes sit in one body, body after body.
bool RigidBodies::is_sound() const {
  std::vector<int> all = reduced_;
  all.insert(all.end(), own_.begin(), own_.end());
  std::ranges::sort(all);
  const auto in_body = [&](const Seat& seat) { return body_of_[seat.node] == seat.body; };
  return all == moved_ && std::ranges::adjacent_find(all) == all.end() &&
         std::ranges::is_sorted(seats_, {}, &Seat::body) && std::ranges::all_of(seats_, in_body) &&
         std::ranges::count(mask_, 1) == std::ssize(seats_);
}

/// Decide which rank advances which bodies, and which one counts their work.
void RigidBodies::assign_to_ranks() {
  std::vector<std::int64_t> ranks(bodies_.size());
  for (std::size_t b = 0; b < bodies_.size(); ++b) ranks[b] = !bodies_[b].input->nodes.empty();
  comm_->sum(std::span(ranks));
  const std::vector<char> whole = whole_bodies(*model_, ranks);
  for (int b = 0; b < size(); ++b) {
    Body& body = bodies_[b];
    const bool here = !body.input->nodes.empty();
    body.moved = here || !whole[b];
    body.counted = whole[b] ? here : comm_->root();
    if (!whole[b]) reduced_.push_back(b);
    if (whole[b] && here) own_.push_back(b);
    if (body.moved) moved_.push_back(b);
  }
  own_resultants_.resize(own_.size() * kWords);
  CRUMPLE_ASSERT(is_sound(), reduced_.size(), own_.size(), moved_.size(), seats_.size());
}

/// A body comes after all relative to which it moves; there are no circles.
void RigidBodies::list_followers() {
  std::vector<int> open;
  for (const int b : moved_)
    if (!bodies_[b].relative.empty()) open.push_back(b);
  const auto waits = [&](int b) {
    return std::ranges::any_of(bodies_[b].relative, [&](const Relative& r) {
      return std::ranges::find(open, r.input->lead) != open.end();
    });
  };
  while (!open.empty()) {
    const auto next = std::ranges::find_if_not(open, waits);
    CRUMPLE_ASSERT(next != open.end(), open.size());
    followers_.push_back(*next);
    open.erase(next);
  }
}

void RigidBodies::claim_nodes(const state::Nodal& nodal) {
  constexpr GlobalId kNobody = std::numeric_limits<GlobalId>::max();
  GlobalId claimed_twice = kNobody;
  for (int b = 0; b < size(); ++b) {
    bodies_[b].input = &model_->rigid_bodies[b];
    for (const LocalId i : bodies_[b].input->nodes) {
      CRUMPLE_ASSERT(i >= 0 && static_cast<std::size_t>(i) < nodal.size(), i, nodal.size(), b);
      if (mask_[i]) claimed_twice = std::min(claimed_twice, nodal.id[i]);
      mask_[i] = 1;
      body_of_[i] = b;
      seats_.push_back({i, b});
    }
  }
  claimed_twice = comm_->min(claimed_twice);
  if (claimed_twice != kNobody)
    throw Error("CR-C103", "node " + std::to_string(claimed_twice) +
                               " belongs to two rigid bodies: merge them with *CONSTRAINED_RIGID_BODIES");
}

/// Collective.
RigidBodies::Moments RigidBodies::moments(const state::Nodal& nodal, bool lumps) const {
  const auto owned = [&](LocalId i) { return nodal.owner[i] == comm_->rank(); };
  Moments m{std::vector<parallel::ExactSum>(bodies_.size() * 7),
            std::vector<parallel::ExactSum>(bodies_.size() * 10)};
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const std::span s(&m.first[7 * b], 7);
    for (const LocalId i : bodies_[b].input->nodes) {
      if (!owned(i)) continue;
      s[0] += nodal.mass[i];
      add_vector(s.subspan(1, 3), nodal.mass[i] * nodal.x[i]);
      add_vector(s.subspan(4, 3), nodal.mass[i] * nodal.v[i]);
    }
    for (const model::LumpedInertia& lump : bodies_[b].input->lumps) {
      if (!lumps || lump.node == model::kNone || !owned(lump.node)) continue;
      s[0] += lump.mass;
      add_vector(s.subspan(1, 3), lump.mass * lump.point);
      add_vector(s.subspan(4, 3), lump.mass * velocity_of(lump, nodal));
    }
  }
  parallel::ExactSum::reduce(*comm_, m.first);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const std::span s(&m.second[10 * b], 10);
    const Vec3 c = m.centre(b);
    for (const LocalId i : bodies_[b].input->nodes) {
      if (!owned(i)) continue;
      const double mass = nodal.mass[i];
      const Vec3 r = nodal.x[i] - c;
      const std::array<double, 6> products{r.x * r.x, r.y * r.y, r.z * r.z, r.x * r.y, r.y * r.z, r.z * r.x};
      for (int k = 0; k < 6; ++k) s[k] += mass * products[k];
      s[6] += nodal.inertia[i];
      add_vector(s.subspan(7, 3), mass * cross(r, nodal.v[i]) + nodal.inertia[i] * nodal.w[i]);
    }
    for (const model::LumpedInertia& lump : bodies_[b].input->lumps) {
      if (!lumps || lump.node == model::kNone || !owned(lump.node)) continue;
      const Vec3 r = lump.point - c;
      const auto products = products_of(lump, r);
      for (int k = 0; k < 6; ++k) s[k] += products[k];
      const auto& [xx, yy, zz, xy, yz, zx] = lump.inertia;
      const Matrix3 own{Vec3{xx, xy, zx}, Vec3{xy, yy, yz}, Vec3{zx, yz, zz}};
      add_vector(s.subspan(7, 3), lump.mass * cross(r, velocity_of(lump, nodal)) + own * nodal.w[lump.node]);
    }
  }
  parallel::ExactSum::reduce(*comm_, m.second);
  return m;
}

Vec3 RigidBodies::Moments::centre(std::size_t b) const {
  return mass(b) > 0.0 ? (1.0 / mass(b)) * vector(std::span(&first[7 * b + 1], 3)) : Vec3{};
}

Matrix3 RigidBodies::Moments::inertia(std::size_t b) const {
  const std::span s(&second[10 * b], 10);
  return inertia_tensor(s.first(6), s[6].value());
}

/// Of the nodes' centre: the rigid motion with the nodes' momentum and angular momentum.
RigidBodies::Velocity RigidBodies::Moments::velocity(std::size_t b) const {
  return {(1.0 / mass(b)) * vector(std::span(&first[7 * b + 4], 3)),
          pseudo_inverse(inertia(b)) * vector(std::span(&second[10 * b + 7], 3))};
}

void RigidBodies::measure(const state::Nodal& nodal) {
  const Moments of_nodes = moments(nodal);
  const bool any_lumps =
      std::ranges::any_of(bodies_, [](const Body& body) { return !body.input->lumps.empty(); });
  const Moments bare = any_lumps ? moments(nodal, false) : Moments{};
  std::vector<std::int64_t> n_nodes(bodies_.size(), 0);
  for (std::size_t b = 0; b < bodies_.size() && any_lumps; ++b)
    n_nodes[b] = std::ranges::count_if(bodies_[b].input->nodes,
                                       [&](LocalId i) { return nodal.owner[i] == comm_->rank(); });
  if (any_lumps) comm_->sum(std::span(n_nodes));
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    Body& body = bodies_[b];
    const model::RigidBody& input = *body.input;
    const double nodal_mass = of_nodes.mass(b);
    const Matrix3 nodal_inertia = of_nodes.inertia(b);
    body.mass = input.inertia_given ? input.mass : nodal_mass;
    body.centre0 = input.inertia_given ? input.centre : of_nodes.centre(b);
    body.inertia = nodal_inertia;
    if (input.inertia_given) {
      const auto& [xx, yy, zz, xy, yz, zx] = input.inertia;
      body.inertia = {Vec3{xx, xy, zx}, Vec3{xy, yy, yz}, Vec3{zx, yz, zz}};
      const Vec3 d =
          of_nodes.centre(b) - body.centre0;  // the nodes' inertia about the given centre is a bound
      const double steiner = nodal_mass * dot(d, d);
      const Eigen3 own = eigen(body.inertia), nodes = eigen(nodal_inertia);
      const double least = std::min({own.value[0], own.value[1], own.value[2]});
      const double most = 2 * (std::max({nodes.value[0], nodes.value[1], nodes.value[2]}) + steiner);
      body.mass_factor = std::min(1.0, nodal_mass > 0.0 ? body.mass / (2 * nodal_mass) : 1.0);
      if (most > 0.0) body.mass_factor = std::min(body.mass_factor, std::max(0.0, least / most));
    }
    const bool no_nodes = comm_->sum(static_cast<std::int64_t>(input.nodes.size())) == 0;
    body.inert = no_nodes && !(body.mass > 0.0);
    if (!body.inert && !(body.mass > 0.0))
      throw Error("CR-C102",
                  name(input) +
                      " has no mass: give its parts elements and a density, or "
                      "*PART_INERTIA",
                  input.place);
    body.inverse = pseudo_inverse(body.inertia);
    body.centre = body.centre0;
    if (input.velocity_given) {
      body.v = input.v, body.w = input.w;
    } else if (nodal_mass > 0.0) {
      // The velocities of several nodes say how their body turns; a lumped inertia turns with it.
      const bool by_nodes = !input.lumps.empty() && bare.mass(b) > 0.0 && n_nodes[b] > 1;
      const Moments& of = by_nodes ? bare : of_nodes;
      const Velocity velocity = of.velocity(b);
      body.v = velocity.v;
      body.w = velocity.w;
      body.v += cross(body.w, body.centre0 - of.centre(b));
    }
    body.momentum = body.inertia * body.w;
    body.w_end = body.w;
  }
}

void RigidBodies::choose_scales(const state::Nodal& nodal) {
  std::vector<double> most(3 * bodies_.size(), 0.0);  // force scale, 1 / force scale, radius
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (const LocalId i : bodies_[b].input->nodes) {
      most[3 * b] = std::max(most[3 * b], nodal.loads[i].force.scale);
      most[3 * b + 1] = std::max(most[3 * b + 1], 1.0 / nodal.loads[i].force.scale);
      most[3 * b + 2] = std::max(most[3 * b + 2], norm(nodal.x[i] - bodies_[b].centre0));
    }
  if (!most.empty()) comm_->max(std::span<double>(most));
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    Body& body = bodies_[b];
    if (!(most[3 * b] > 0.0)) continue;
    // Every node's integer force keeps all its bits unless scales differ by more than 2^40.
    body.force_scale = std::min(most[3 * b], 0x1p40 / most[3 * b + 1]);
    const double radius = most[3 * b + 2] > 0.0 ? most[3 * b + 2] : 1.0;
    body.moment_scale = body.force_scale / power_of_two(radius);
  }
}

void RigidBodies::hold(Body& body) const {
  const model::RigidBody& input = *body.input;
  constexpr std::array<std::uint8_t, 8> axes{0, 1, 2, 4, 3, 6, 5, 7};  // codes of CON1 and CON2
  const auto add = [](Directions& held, std::uint8_t mask, const Matrix3& system) {
    for (int k = 0; k < 3; ++k)
      if (mask & (1u << k)) held.add(system[k]);
  };
  if (input.cmo > 0) {
    if (input.con1 < 0 || input.con1 > 7 || input.con2 < 0 || input.con2 > 7)
      throw Error("CR-C105", name(input) + ": CON1 and CON2 must be 0 to 7 where CMO is 1");
    add(body.held_translation, axes[input.con1], identity3());
    add(body.held_rotation, axes[input.con2], identity3());
  } else if (input.cmo < 0) {
    const Matrix3 system = input.system == model::kNone ? identity3() : model_->systems[input.system].axis;
    add(body.held_translation, input.local_mask & 7u, system);
    add(body.held_rotation, (input.local_mask >> 3) & 7u, system);
  }
}

/// The freedoms that single-point constraints of nodes of bodies hold exactly: rotations, and translations
/// along which no free rotation moves the node relative to the centre. Joints (joints.cpp) hold the others.
void RigidBodies::hold_at_supports() {
  const auto each = [&](int first, auto&& hold_one) {
    for (const model::Support& s : model_->supports)
      for (int k = 0; k < 3; ++k)
        if (s.mask & (1u << (first + k))) hold_one(s.body, s.axis[k]);
  };
  each(3, [&](LocalId b, const Vec3& d) { bodies_[b].held_rotation.add(d); });
  each(0, [&](LocalId b, const Vec3& d) {
    if (moves_along_with_centre(b, d)) bodies_[b].held_translation.add(d);
  });
}

/// d . (w x r) is zero for every arm r if the angular velocity can only be along d.
bool RigidBodies::moves_along_with_centre(int b, const Vec3& d) const {
  const Directions free = bodies_[b].held_rotation.complement();
  for (int k = 0; k < free.count; ++k)
    if (norm(cross(free.axis[k], d)) > 1e-8) return false;
  return true;
}

BodyMotion RigidBodies::motion(int b) const {
  const Body& body = bodies_[b];
  return {body.centre, matrix(body.orientation), body.v, body.w};
}

double RigidBodies::mobility(int b, const Vec3& arm) const {
  const Body& body = bodies_[b];
  if (body.inert) return 0.0;
  // The velocity of the point from a unit impulse along e: e / m + (J^-1 (r x e)) x r.
  const bool moves = body.held_translation.count < 3, turns = body.held_rotation.count < 3;
  Matrix3 velocity{};
  for (int k = 0; k < 3; ++k) {
    const Vec3 e = identity3()[k];
    if (moves) velocity[k] = (1.0 / body.mass) * e;
    if (turns) velocity[k] += cross(body.inverse * cross(arm, e), arm);
  }
  const Eigen3 values = eigen(velocity);
  return std::max({values.value[0], values.value[1], values.value[2]});
}

double RigidBodies::angular_mobility(int b) const {
  if (bodies_[b].inert || bodies_[b].held_rotation.count == 3) return 0.0;
  const Eigen3 values = eigen(bodies_[b].inverse);
  return std::max({values.value[0], values.value[1], values.value[2]});
}

void RigidBodies::set_node_velocities(state::Nodal& nodal, const Body& body) {
  for (const LocalId i : body.input->nodes) {
    nodal.v[i] = body.v + cross(body.w, nodal.x[i] - body.centre);
    nodal.w[i] = body.w;
  }
}

void RigidBodies::initialize(state::Nodal& nodal) const {
  for (const Body& body : bodies_) {
    if (const LocalId i = body.input->centre_node; i != model::kNone) nodal.x0[i] = nodal.x[i] = body.centre0;
    set_node_velocities(nodal, body);
  }
}

std::vector<RigidBodies::Velocity> RigidBodies::velocities() const {
  std::vector<Velocity> all;
  for (const Body& body : bodies_) all.push_back({body.v, body.w});
  return all;
}

void RigidBodies::set_velocities(std::span<const Velocity> velocities, state::Nodal& nodal) {
  for (int b = 0; b < size(); ++b) set_velocity(b, velocities[static_cast<std::size_t>(b)], nodal);
}

void RigidBodies::set_velocity(int b, const Velocity& velocity, state::Nodal& nodal) {
  Body& body = bodies_[b];
  body.v = velocity.v;
  body.w = body.w_end = velocity.w;
  body.momentum = inertia_at(body, matrix(body.orientation)) * body.w;
  set_node_velocities(nodal, body);
}

void RigidBodies::place(int b, const Place& place, const Velocity& velocity, state::Nodal& nodal) {
  Body& body = bodies_[b];
  body.centre = place.centre;
  body.orientation = place.orientation;
  body.turn_now = matrix(place.orientation);
  body.turned = place.turned;
  set_velocity(b, velocity, nodal);
}

void RigidBodies::follow_nodes(std::span<const char> changed, state::Nodal& nodal) {
  if (bodies_.empty()) return;
  std::vector<std::int64_t> follow(bodies_.size(), 0);
  for (const Seat& seat : seats_)
    if (changed[static_cast<std::size_t>(seat.node)] != 0) follow[static_cast<std::size_t>(seat.body)] = 1;
  comm_->max(std::span(follow));
  const Moments of_nodes = moments(nodal);
  for (int b = 0; b < size(); ++b) {
    const auto k = static_cast<std::size_t>(b);
    if (follow[k] == 0 || !(of_nodes.mass(k) > 0.0)) continue;
    const Body& body = bodies_[k];
    Velocity velocity = of_nodes.velocity(k);
    velocity.v += cross(velocity.w, body.centre - of_nodes.centre(k));
    set_velocity(
        b, {body.held_translation.removed_from(velocity.v), body.held_rotation.removed_from(velocity.w)},
        nodal);
  }
}

namespace {

/// Force and moment of nodes on a body, and at how many nodes the sums had overflowed.
///
/// Terms below 2^50, as nearly all are, are rounded to integers in doubles and added in 64 bits, up to 4,096
/// of them, before 128 bits are needed. They are in pairs, because one by one GCC 12 makes pairs of them by
/// way of memory.
class Resultant {
 public:
  Resultant(double force_scale, double moment_scale)
      : scale_{{force_scale, force_scale}, {force_scale, moment_scale}, {moment_scale, moment_scale}} {
    std::fill_n(sum_.begin(), 3, WideSum(force_scale));
    std::fill_n(sum_.begin() + 3, 3, WideSum(moment_scale));
  }
  void add(const state::Nodal& nodal, LocalId i, const Vec3& centre) {
    const parallel::LoadSum& loads = nodal.loads[i];
    const Vec3 f = loads.force.value();
    const Vec3 m = loads.moment.value() + cross(nodal.x[i] - centre, f);
    const Pair xy = Pair{f.x, f.y} * scale_[0], zx = Pair{f.z, m.x} * scale_[1],
               yz = Pair{m.y, m.z} * scale_[2];
    const Whole small = is_small(xy) & is_small(zx) & is_small(yz);
    if ((small[0] & small[1]) == 0) return add_large(f, m, loads.overflowed());
    overflows_ += may_overflow(loads) && loads.overflowed();
    near_[0] += rounded(xy), near_[1] += rounded(zx), near_[2] += rounded(yz);
    if (++count_ == kMostTerms) flush();
  }
  void add(Resultant& other) {
    other.flush();
    for (std::size_t k = 0; k < 6; ++k) sum_[k].add(other.sum_[k]);
    overflows_ += other.overflows_;
  }
  /// @param words (kWords) out
  void give(std::span<std::int64_t> words) {
    flush();
    std::int64_t overflows = overflows_;
    for (std::size_t k = 0; k < 6; ++k) {
      words[2 * k] = sum_[k].high();
      words[2 * k + 1] = sum_[k].low();
      overflows += sum_[k].invalid();
    }
    words[12] = overflows;
  }

 private:
  using Pair [[gnu::vector_size(16)]] = double;
  using Whole [[gnu::vector_size(16)]] = std::int64_t;
  static constexpr int kMostTerms = 4096;

  static Whole is_small(Pair a) {
    const Pair most{0x1p50, 0x1p50};
    return (Whole)(a < most) & (Whole)(a > -most);  // false for NaN
  }
  /// The nearest integers, as to_fixed gives them: the last place of 1.5 * 2^52 and its neighbours is 1.
  static Whole rounded(Pair a) {
    const Pair unit_place{0x1.8p52, 0x1.8p52};
    return (Whole)(a + unit_place) - (Whole)unit_place;
  }
  /// False: no sum is beyond kOverflow, 2^61.
  static bool may_overflow(const parallel::LoadSum& loads) {
    static_assert(parallel::kOverflow == std::int64_t{1} << 61);
    const auto above = [](std::int64_t sum) {
      return static_cast<std::uint64_t>(sum) + (std::uint64_t{1} << 61);
    };
    const auto &f = loads.force.sum, &m = loads.moment.sum;
    return (above(f[0]) | above(f[1]) | above(f[2]) | above(m[0]) | above(m[1]) | above(m[2])) >> 62 != 0;
  }
  void add_large(const Vec3& f, const Vec3& m, bool overflowed) {
    if (overflowed) ++overflows_;
    for (int k = 0; k < 3; ++k) {
      sum_[k].add(f[k]);
      sum_[k + 3].add(m[k]);
    }
  }
  void flush() {
    for (std::size_t k = 0; k < 6; ++k) sum_[k].add_fixed(near_[k / 2][k % 2]);
    std::ranges::fill(near_, Whole{});
    count_ = 0;
  }

  Pair scale_[3];
  Whole near_[3]{};  ///< fx fy, fz mx, my mz
  std::array<WideSum, 6> sum_;
  int count_ = 0;
  std::int64_t overflows_ = 0;
};

}  // namespace

std::size_t RigidBodies::n_resultants() const { return reduced_.size() * kWords; }

void RigidBodies::find_resultants(const state::Nodal& nodal, std::span<std::int64_t> resultants) {
  CRUMPLE_ASSERT(resultants.size() == n_resultants(), resultants.size(), n_resultants());
  find_all(nodal, reduced_, resultants);
  find_all(nodal, own_, own_resultants_);
}

/// Small bodies with one thread each, then large ones with all threads.
void RigidBodies::find_all(const state::Nodal& nodal, const std::vector<int>& bodies,
                           std::span<std::int64_t> words) const {
  const auto find = [&](std::size_t k, bool large) {
    const Body& body = bodies_[bodies[k]];
    if ((body.input->nodes.size() > kNodesForThreads) == large)
      find_resultant(nodal, body, words.subspan(k * kWords, kWords));
  };
#pragma omp parallel for schedule(static) if (bodies.size() > kBodiesForThreads)
  for (std::size_t k = 0; k < bodies.size(); ++k) find(k, false);
  for (std::size_t k = 0; k < bodies.size(); ++k) find(k, true);
}

/// @param words (kWords)
void RigidBodies::find_resultant(const state::Nodal& nodal, const Body& body,
                                 std::span<std::int64_t> words) const {
  const std::vector<LocalId>& nodes = body.input->nodes;
  const auto add = [&](Resultant& sum, LocalId i) {
    if (nodal.owner[i] == comm_->rank() && !is_free_of_load(nodal, i)) sum.add(nodal, i, body.centre);
  };
  Resultant all(body.force_scale, body.moment_scale);
  if (nodes.size() <= kNodesForThreads) {
    for (const LocalId i : nodes) add(all, i);
  } else {
#pragma omp parallel
    {
      Resultant mine(body.force_scale, body.moment_scale);
#pragma omp for schedule(static) nowait
      for (std::size_t k = 0; k < nodes.size(); ++k) add(mine, nodes[k]);
#pragma omp critical(crumple_resultants)
      all.add(mine);
    }
  }
  all.give(words);
}

/// @param words (kWords), of all ranks that have nodes of the body
void RigidBodies::take(int b, std::span<const std::int64_t> words) {
  Body& body = bodies_[b];
  if (words[12] != 0) body.failed = 0.0;
  for (int k = 0; k < 3; ++k) {
    body.force[k] = WideSum::value(words[2 * k], words[2 * k + 1], body.force_scale);
    body.moment[k] = WideSum::value(words[2 * k + 6], words[2 * k + 7], body.moment_scale);
  }
  body.force += body.applied_force;
  body.moment += body.applied_moment;
  body.applied_force = body.applied_moment = {};
}

void RigidBodies::stop(LocalId b) const {
  const double turn = comm_->max(bodies_[b].failed.value_or(0.0));
  const std::string body = name(*bodies_[b].input);
  throw Error("CR-C104",
              turn > 0.0 ? body + " turns by about " + std::to_string(turn) +
                               " radians in one step, which is too far to integrate"
                         : "a force on " + body + " is not finite or out of range",
              {}, Exit::run);
}

double RigidBodies::rate(Body& body, Driven& driven, double time, double dt_v, double dt_x,
                         model::Stage stage) const {
  const Motion& m = driven.motion;
  const Vec3& velocity = m.rotation ? body.w : body.v;
  if (m.kind == 0) return m.value(*model_, time + 0.5 * dt_x, stage);
  if (m.kind == 1) return dot(velocity, m.direction) + m.value(*model_, time, stage) * dt_v;
  if (m.kind == 3) {  // half way through the step
    const Vec3 moved = m.rotation ? body.turned : body.centre - body.centre0;
    if (m.curve == model::kNone || !model_->curves[m.curve].acts(stage)) return 0.0;
    return m.scale * model_->curves[m.curve](dot(moved + 0.5 * dt_x * velocity, m.direction));
  }
  // Along an axis of the body the displacement is what the body has moved along it so far.
  const double now = m.displacement(*model_, time, stage), next = m.displacement(*model_, time + dt_x, stage);
  if (m.rotation) return 2.0 * std::tan(0.5 * (next - now)) / dt_x;  // exact for Cayley's map
  if (m.turns) return (next - now) / dt_x;
  const double position = dot(body.centre - body.centre0, m.direction);
  MotionStart& start = driven.start;
  if (!start.started) start = {true, position - now};
  return (start.position + next - position) / dt_x;
}

void RigidBodies::switch_motions(GlobalId id, bool on) {
  for (Body& body : bodies_)
    for (Driven& driven : body.driven) {
      if (driven.motion.id != id) continue;
      driven.motion.off = !on;
      if (!on) driven.start.started = false;
    }
}

void RigidBodies::start_motions_again() {
  for (Body& body : bodies_)
    for (Driven& driven : body.driven) driven.start.started = false;
  for (Body& body : bodies_)
    for (Relative& r : body.relative) r.start.started = false;
}

bool RigidBodies::leaves_to_another(const Body& body, const Motion& motion, double time,
                                    model::Stage stage) const {
  return std::ranges::any_of(
      body.driven, [&](const Driven& d) { return motion.yields_to(d.motion, *model_, time, stage); });
}

/// Half way through the step, if it turns with the body: by its last angular velocity.
Vec3 RigidBodies::direction(const Body& body, const Motion& motion, double dt_x) {
  if (!motion.turns) return motion.direction;
  return matrix(cayley((0.5 * dt_x) * body.w_end)) * (matrix(body.orientation) * motion.direction);
}

/// Directions of relative motions at t_n, before any body moves.
void RigidBodies::aim_relative_motions() {
  for (const int b : followers_)
    for (Relative& r : bodies_[b].relative) {
      const auto point = [&](std::size_t k) {
        const Body& of = bodies_[r.input->ends[k]];
        return of.centre + of.turn_now * (r.input->points[k] - of.centre0);
      };
      const Vec3 way =
          r.input->along_line() ? bodies_[b].centre - bodies_[r.input->lead].centre : point(1) - point(0);
      const double length = norm(way);
      r.direction = length > 0.0 ? (1.0 / length) * way : Vec3{};
    }
}

/// Where the body arrives relative to its lead, which has advanced already, is what the curve says.
Vec3 RigidBodies::follow_leads(Body& body, Vec3 velocity, double time, double dt_x, model::Stage stage) {
  for (Relative& r : body.relative) {
    if (!r.motion.active(time)) continue;
    const Body& lead = bodies_[r.input->lead];
    const Vec3 way = body.centre - lead.kept.position, &d = r.direction;
    const double along = dot(way, d);
    if (!r.start.started) r.start = {true, along - r.motion.displacement(*model_, time, stage)};
    const double reach = r.start.position + r.motion.displacement(*model_, time + dt_x, stage);
    const double target = constraints::relative_velocity(*r.input, d, way, velocity, lead.v, reach, dt_x);
    velocity += (target - dot(velocity, d)) * d;
  }
  return velocity;
}

void RigidBodies::translate(Body& body, double time, double dt_v, double dt_x, model::Stage stage) {
  const Vec3 before = body.v;
  const Vec3 impulse = dt_v * (body.force + body.mass * body.base);
  const Vec3 free = before + (1.0 / body.mass) * impulse;
  Vec3 after = body.held_translation.removed_from(free);
  const Vec3 undriven = after;
  body.bearing.force = body.cmo_translation.removed_from((body.mass / dt_v) * (undriven - free));
  for (Driven& driven : body.driven) {
    const Motion& m = driven.motion;
    if (m.rotation || !m.active(time) || leaves_to_another(body, m, time, stage)) continue;
    const double target = rate(body, driven, time, dt_v, dt_x, stage);
    const Vec3 d = direction(body, m, dt_x);
    after = m.others_held ? target * d : after + (target - dot(after, d)) * d;
  }
  after = follow_leads(body, after, time, dt_x, stage);
  for (const Stopper& stopper : model_->features.of<Stopper>()) {
    if (&model_->rigid_bodies[stopper.body] != body.input) continue;
    const Vec3& d = stopper.direction;
    const double along = dot(after, d), start = dot(body.centre0, d);
    after += (stopped(stopper, *model_, along, dot(body.centre, d), start, time, dt_x, stage) - along) * d;
  }
  // The impulse of everything but the nodes' forces: base acceleration, bearings and prescribed motion. It is
  // not computed as the change of momentum minus the impulse of those forces, because that difference of
  // large numbers has rounding errors where it should be zero.
  const Vec3 other = (dt_v * body.mass) * body.base + body.mass * (after - free);
  body.work_with_old = dot(other, before);
  body.work_with_new = dot(other, after);
  const Vec3 drive = body.mass * (after - undriven);
  body.drive.force = (1.0 / dt_v) * drive;
  count_drive(body, dot(drive, before), dot(drive, after), 2 * dt_v <= dt_x);
  body.energy = 0.5 * body.mass * dot(before, after);
  body.kick.v_before = before;
  body.kick.v_after = after;
  body.v = after;
  body.a = (1.0 / dt_v) * (after - before);
  body.base = {};
}

/// As HalfStepWork does.
void RigidBodies::count_drive(Body& body, double with_old, double with_new, bool first) {
  (first ? body.drive_work_after : body.drive.work) += 0.5 * with_old;
  body.drive_work_after += 0.5 * with_new;
}

Matrix3 RigidBodies::inertia_at(const Body& body, const Matrix3& r) {
  Matrix3 result{};
  for (int i = 0; i < 3; ++i) {
    const Vec3 row = transpose_times(body.inertia, r[i]);  // r J r^T, J symmetric
    result[i] = r * row;
  }
  return result;
}

Vec3 RigidBodies::angular_velocity(const Body& body, const Matrix3& r, const Vec3& momentum,
                                   const Spin& spin) {
  const int k = spin.free.count;
  if (k == 3) return r * (body.inverse * transpose_times(r, momentum));
  if (k == 0) return spin.rate;
  const Matrix3 inertia = inertia_at(body, r);
  const Vec3 rest = momentum - inertia * spin.rate;
  std::array<std::array<double, 2>, 2> a{};
  std::array<double, 2> b{};
  for (int i = 0; i < k; ++i) {
    b[i] = dot(spin.free.axis[i], rest);
    for (int j = 0; j < k; ++j) a[i][j] = dot(spin.free.axis[i], inertia * spin.free.axis[j]);
  }
  const auto z = solve_small(a, b, k);
  Vec3 w = spin.rate;
  for (int i = 0; i < k; ++i) w += z[i] * spin.free.axis[i];
  return w;
}

/// Cayley vector, in global axes, of the rotation in `dt`: the fixed point of theta = dt (w_0 + w_1) / 2.
///
/// For a freely rotating body the mean is taken in the body's axes, which conserves the energy. With held or
/// prescribed directions it is taken in global axes, in which these are fixed.
std::optional<Vec3> RigidBodies::turn(const Body& body, const Vec3& w_start, const Vec3& momentum,
                                      const Spin& spin, double dt) const {
  const auto w_at = [&](const Matrix3& r) { return angular_velocity(body, r, momentum, spin); };
  return cayley_turn(body.orientation, w_start, dt, spin.free.count == 3, w_at);
}

void RigidBodies::rotate(Body& body, double time, double dt_v, double dt_x, model::Stage stage) {
  Spin spin;
  spin.held = body.held_rotation;
  for (Driven& driven : body.driven) {
    const Motion& m = driven.motion;
    if (!m.rotation || !m.active(time) || leaves_to_another(body, m, time, stage)) continue;
    const double target = rate(body, driven, time, dt_v, dt_x, stage);
    const Vec3 d = direction(body, m, dt_x);
    spin.rate += (target - dot(spin.rate, d)) * d;
    spin.held.add(d);
    if (m.others_held) spin.held = {identity3(), 3};
  }
  spin.free = spin.held.complement();

  const Matrix3 r = matrix(body.orientation);
  const Vec3 before = body.w_end, kicked = body.momentum + dt_v * body.moment;
  const Vec3 after = angular_velocity(body, r, kicked, spin);
  // The part that comes neither from the moments nor from an ideal bearing: prescribed rotation.
  const Vec3 momentum = spin.free.count == 3 ? kicked : inertia_at(body, r) * after;
  const bool driven = spin.held.count > body.held_rotation.count;
  const Vec3 twist = driven ? momentum - kicked : Vec3{};
  body.drive.moment = (1.0 / dt_v) * twist;
  count_drive(body, dot(twist, before), dot(twist, after), 2 * dt_v <= dt_x);
  if (spin.free.count < 3) {
    body.work_with_old += dot(momentum - kicked, before);
    body.work_with_new += dot(momentum - kicked, after);
  }
  body.energy += 0.5 * dot(momentum, before);
  body.kick.w_before = before;
  body.kick.w_after = after;

  const std::optional<Vec3> turned = turn(body, after, momentum, spin, dt_x);
  if (!turned) body.failed = dt_x * norm(after);
  const Vec3 theta = turned.value_or(Vec3{});
  body.orientation = unit(cayley(theta) * body.orientation);
  const Matrix3 r_new = matrix(body.orientation);
  body.w_end = angular_velocity(body, r_new, momentum, spin);
  body.momentum = spin.free.count == 3 ? momentum : inertia_at(body, r_new) * body.w_end;
  find_bearing_moment(body, (1.0 / dt_v) * (momentum - kicked), (1.0 / dt_x) * (body.momentum - momentum),
                      2 * dt_v <= dt_x);
  const Vec3 w = (1.0 / dt_x) * theta;
  body.alpha = (1.0 / dt_v) * (w - body.w);  // from mean velocities: includes the gyroscopic part
  body.w = w;
  body.turned += theta;
}

/// @param kick change of angular momentum at t_n without the moments on the body, divided by time
/// @param turning the same during the step from t_n on
void RigidBodies::find_bearing_moment(Body& body, const Vec3& kick, const Vec3& turning, bool first) {
  const Vec3 all = kick + (first ? turning : 0.5 * (body.turning + turning));
  body.turning = turning;
  body.bearing.moment = body.cmo_rotation.removed_from(body.held_rotation.part_of(all));
}

[[gnu::always_inline]] inline void RigidBodies::place(state::Nodal& nodal, const Seat& seat) const {
  const Body& body = bodies_[seat.body];
  const LocalId i = seat.node;
  const Vec3 arm = nodal.x0[i] - body.centre0;
  const Vec3 r0 = body.kept.direction * arm, r1 = body.turn_now * arm;
  // Cayley's map: theta x (r0 + r1) / 2 is r1 - r0, so v dt is exactly the node's displacement.
  nodal.v[i] = body.v + cross(body.w, 0.5 * (r0 + r1));
  nodal.w[i] = body.w;
  nodal.a[i] = body.a + cross(body.alpha, r0) + cross(body.w, cross(body.w, r0));
  nodal.alpha[i] = body.alpha;
  nodal.x[i] = body.centre + r1;
}

/// Nodes of bodies are far apart in memory, and many bodies have few nodes.
void RigidBodies::place_all(state::Nodal& nodal) const {
#pragma omp parallel for schedule(static) if (seats_.size() > kNodesForThreads)
  for (std::size_t k = 0; k < seats_.size(); ++k) {
    if (k + kPrefetchDistance < seats_.size()) {
      const LocalId later = seats_[k + kPrefetchDistance].node;
      __builtin_prefetch(&nodal.x0[later]);
      for (auto* array : {&nodal.x, &nodal.v, &nodal.w, &nodal.a, &nodal.alpha})
        __builtin_prefetch(&(*array)[later], 1);
    }
    place(nodal, seats_[k]);
  }
}

void RigidBodies::advance(state::Nodal& nodal, std::span<const std::int64_t> resultants, double time,
                          double dt_v, double dt_x, model::Stage stage) {
  CRUMPLE_ASSERT(resultants.size() == n_resultants(), resultants.size(), n_resultants(), time);
  take_all(reduced_, resultants);
  take_all(own_, own_resultants_);
  aim_relative_motions();
#pragma omp parallel for schedule(static) if (moved_.size() > kBodiesForThreads)
  for (std::size_t k = 0; k < moved_.size(); ++k)
    if (bodies_[moved_[k]].relative.empty()) advance_body(bodies_[moved_[k]], time, dt_v, dt_x, stage);
  for (const int b : followers_) advance_body(bodies_[b], time, dt_v, dt_x, stage);
  work_.begin_step(2 * dt_v <= dt_x);
  for (const int b : moved_) settle(b);
  place_all(nodal);
}

void RigidBodies::take_all(const std::vector<int>& bodies, std::span<const std::int64_t> words) {
#pragma omp parallel for schedule(static) if (bodies.size() > kBodiesForThreads)
  for (std::size_t k = 0; k < bodies.size(); ++k) take(bodies[k], words.subspan(k * kWords, kWords));
}

/// The part that threads must not do concurrently.
void RigidBodies::settle(int b) {
  const Body& body = bodies_[b];
  if (body.counted) work_.add(body.work_with_old, body.work_with_new);
  if (body.failed && failed_ == model::kNone) failed_ = b;
}

void RigidBodies::advance_body(Body& body, double time, double dt_v, double dt_x, model::Stage stage) {
  const bool first = 2 * dt_v <= dt_x;
  body.drive.work += body.drive_work_after;
  body.drive_work_after = 0.0;
  body.work_with_old = body.work_with_new = 0.0;
  if (body.inert || body.failed) return;
  const double start_energy = initial_energy(body);
  body.kept = state_of(body);
  translate(body, time, dt_v, dt_x, stage);
  rotate(body, time, dt_v, dt_x, stage);
  if (first) body.energy = start_energy;
  keep_velocities(body, first);
  body.centre += dt_x * body.v;
  body.turn_now = matrix(body.orientation);
}

/// At t_n velocities are the means of both half steps; at t = 0 they are the initial ones.
void RigidBodies::keep_velocities(Body& body, bool first) {
  const Kick& k = body.kick;
  body.kept.velocity = first ? k.v_before : 0.5 * (k.v_before + k.v_after);
  body.kept.angular_velocity = first ? k.w_before : 0.5 * (k.w_before + k.w_after);
  body.kept.acceleration = body.a;
  body.kept.angular_acceleration = body.alpha;
}

RigidBodyState RigidBodies::state(int b) const { return state_of(bodies_[b]); }

std::vector<RigidBodyState> RigidBodies::kept_states() const {
  struct Row {
    std::int32_t body;
    RigidBodyState state;
  };
  std::vector<RigidBodyState> states;
  for (const Body& body : bodies_) states.push_back(body.kept);
  if (states.empty()) return states;
  std::vector<Row> mine;
  for (const int b : own_) mine.push_back({b, bodies_[b].kept});
  for (const Row& row : comm_->gather<Row>(mine)) states[row.body] = row.state;
  return states;
}

RigidBodyState RigidBodies::state_of(const Body& body) {
  RigidBodyState s;
  s.part_id = body.input->part_id;
  s.mass = body.mass;
  s.position = body.centre;
  s.displacement = body.centre - body.centre0;
  s.velocity = body.v;
  s.acceleration = body.a;
  s.rotation = body.turned;
  s.angular_velocity = body.w;
  s.angular_acceleration = body.alpha;
  s.direction = matrix(body.orientation);
  return s;
}

double RigidBodies::initial_energy(const Body& body) {
  return 0.5 * body.mass * dot(body.v, body.v) + 0.5 * dot(body.momentum, body.w_end);
}

double RigidBodies::kinetic_energy(int b) const { return bodies_[b].energy; }

double RigidBodies::kept_kinetic_energy(int b) const {
  const Body& body = bodies_[b];
  const RigidBodyState& kept = body.kept;
  const Vec3 w = transpose_times(kept.direction, kept.angular_velocity);  // in the body's axes
  return 0.5 * body.mass * dot(kept.velocity, kept.velocity) + 0.5 * dot(w, body.inertia * w);
}

/// Where displacements relative to other bodies began.
void RigidBodies::archive_relative(state::Archive& archive) {
  using state::Of, state::Rows;
  if (model_->features.of<RelativeMotion>().empty()) return;
  std::vector<GlobalId> keys;  // body, and which of its motions
  std::vector<MotionStart> starts;
  for (const int b : followers_)
    for (std::size_t k = 0; k < bodies_[b].relative.size(); ++k) {
      keys.insert(keys.end(), {b, static_cast<GlobalId>(k)});
      starts.push_back(bodies_[b].relative[k].start);
    }
  archive.structs("relative motion", Rows::equal(Of::entity, keys, 2), std::span(starts));
  auto start = starts.begin();
  for (const int b : followers_)
    for (Relative& r : bodies_[b].relative) r.start = *start++;
}

/// Ranks that do not advance a body know nothing of its motion.
void RigidBodies::archive(state::Archive& archive) {
  using state::Of, state::Rows;
  const auto here = archive.module("rigid bodies");
  const std::vector<GlobalId> keys(moved_.begin(), moved_.end());
  std::vector<Carried> carried;
  std::vector<GlobalId> motions;  // body, and which of its motions
  std::vector<MotionStart> starts;
  for (const int b : moved_) {
    carried.push_back(bodies_[b]);
    for (std::size_t k = 0; k < bodies_[b].driven.size(); ++k) {
      motions.insert(motions.end(), {b, static_cast<GlobalId>(k)});
      starts.push_back(bodies_[b].driven[k].start);
    }
  }
  archive.structs("body", Rows::equal(Of::entity, keys), std::span(carried));
  archive.structs("prescribed motion", Rows::equal(Of::entity, motions, 2), std::span(starts));
  archive_relative(archive);
  archive.global_sum("work", work_, comm_->rank());
  if (!archive.reading()) return;
  auto start = starts.begin();
  for (std::size_t k = 0; k < moved_.size(); ++k) {
    Body& body = bodies_[moved_[k]];
    static_cast<Carried&>(body) = carried[k];
    body.turn_now = matrix(body.orientation);
    for (Driven& driven : body.driven) driven.start = *start++;
  }
}

double RigidBodies::kinetic_energy_now(int b) const {
  return 0.5 * (dot(bodies_[b].v, momentum(b)) + dot(bodies_[b].w, bodies_[b].momentum));
}

Vec3 RigidBodies::momentum(int b) const { return bodies_[b].mass * bodies_[b].v; }

Vec3 RigidBodies::angular_momentum(int b) const { return bodies_[b].momentum; }

}  // namespace crumple::constraints
