// Rigid bodies and other dependent nodes in Newmark's method: their start, their forces, damping by mass.
#include <algorithm>

#include "implicit/inertia.hpp"
#include "implicit/mean_spin.hpp"

namespace crumple::implicit {

using constraints::Directions;
using constraints::Matrix3;
using constraints::operator*;

namespace {

Vec3 times_by_axis(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// J^-1 p among the free directions.
Vec3 angular_velocity(const Matrix3& j, const Vec3& momentum, const Directions& free) {
  Matrix3 in_free{};
  for (int a = 0; a < free.count; ++a)
    for (int b = 0; b < free.count; ++b)
      in_free = sum(in_free, scaled(dot(free.axis[at(a)], j * free.axis[at(b)]),
                                    outer(free.axis[at(a)], free.axis[at(b)])));
  return constraints::pseudo_inverse(in_free) * momentum;
}

}  // namespace

/// Before dependent nodes have their motion: that of the nodes that they follow.
void Inertia::start_dependents(std::span<const BodyStart> bodies) {
  for (const model::NodeTie& tie : model_.node_ties) {
    double mass = 0.0;
    Vec3 momentum;
    for (const LocalId n : tie.nodes) {
      mass += masses_.mass[at(n)];
      momentum += masses_.mass[at(n)] * now_.v[at(n)];
    }
    for (int k = 0; mass > 0.0 && !tie.nodes.empty() && k < 3; ++k)
      if (tie.mask & (1u << k)) now_.v[at(tie.nodes.front())][k] = momentum[k] / mass;
  }
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b)
    start_body(b, bodies.empty() ? BodyStart{} : bodies[b]);
  start_welds();
  dependents_.follow(now_.v, now_.w);
}

/// A body that pivots keeps its angular momentum about the point.
void Inertia::start_body(std::size_t b, const BodyStart& start) {
  const BodyMass& body = masses_.bodies[b];
  const Matrix3 turned = constraints::matrix(start.orientation);
  const Matrix3 tensor = turned_tensor(turned, body.inertia);
  const Vec3 r = turned * body.arm;
  const auto& [v, w] = start.velocity;
  const std::size_t p = at(body.point);
  now_.w[p] = w;
  now_.v[p] = v - cross(w, r);
  if (body.pivots) {
    // J about the point, less what the arm adds, is that about the centre.
    const Vec3 momentum = tensor * w - inertia_of_arm(body.mass, r) * w + body.mass * cross(r, v);
    now_.w[p] = angular_velocity(tensor, momentum, body.free);
    now_.v[p] = {};
  }
  now_.bodies[b].orientation = start.orientation;
  now_.bodies[b].momentum = tensor * now_.w[p];
}

/// Welded nodes get the rigid motion with their momentum and angular momentum.
void Inertia::start_welds() {
  for (const DependentNodes::Members& weld : dependents_.bodies_from(masses_.bodies.size())) {
    double mass = 0.0;
    Vec3 momentum, centre, spin;
    Matrix3 inertia{};
    const auto each = [&](auto&& visit) {
      for (std::size_t k = 0; k < weld.nodes.size(); ++k) visit(at(weld.nodes[k]), weld.arms[k]);
    };
    each([&](std::size_t n, const Vec3& arm) {
      mass += masses_.mass[n];
      momentum += masses_.mass[n] * now_.v[n];
      centre += masses_.mass[n] * arm;
    });
    if (!(mass > 0.0)) continue;
    centre *= 1.0 / mass;
    each([&](std::size_t n, const Vec3& arm) {
      const Vec3 r = arm - centre;
      spin += masses_.mass[n] * cross(r, now_.v[n]) + masses_.inertia[n] * now_.w[n];
      inertia =
          sum(inertia, scaled(masses_.mass[n] * dot(r, r) + masses_.inertia[n], constraints::identity3()));
      inertia = sum(inertia, scaled(-masses_.mass[n], outer(r, r)));
    });
    const std::size_t p = at(weld.point);
    now_.w[p] = constraints::pseudo_inverse(inertia) * spin;
    now_.v[p] = (1.0 / mass) * momentum - cross(now_.w[p], centre);
  }
}

void Inertia::regroup_welds(std::size_t first, std::span<const Vec3> x, std::span<const std::uint8_t> dofs) {
  dofs_.assign(dofs.begin(), dofs.end());
  for (const DependentNodes::Members& weld : dependents_.bodies_from(first)) {
    const std::size_t p = at(weld.point);
    now_.v[p] = now_.w[p] = now_.a[p] = now_.alpha[p] = {};
    if (weld.nodes.empty()) continue;
    const std::size_t n = at(weld.nodes.front());
    const Vec3 r = x[p] - x[n], &w = now_.w[p] = now_.w[n], &alpha = now_.alpha[p] = now_.alpha[n];
    now_.v[p] = now_.v[n] + cross(w, r);
    now_.a[p] = now_.a[n] + cross(alpha, r) + cross(w, cross(w, r));
  }
  dependents_.follow(now_.v, now_.w);
  dependents_.follow(now_.v, now_.w, now_.a, now_.alpha);
}

Directions Inertia::given_rotations(LocalId point) const {
  const auto given = std::ranges::lower_bound(given_, point, {}, &NodeGiven::node);
  return given != given_.end() && given->node == point ? given->rotation.along : Directions{};
}

bool Inertia::spins_freely(std::size_t b) const {
  return given_rotations(masses_.bodies[b].point).count == 0;
}

/// From the point to the centre of mass.
Vec3 Inertia::arm_of(std::size_t b, const NodalMotion& at_time) const {
  return constraints::matrix(at_time.bodies[b].orientation) * masses_.bodies[b].arm;
}

/// What the centre of mass takes.
Vec3 Inertia::body_force(std::size_t b, const NodalMotion& of) const {
  const std::size_t p = at(masses_.bodies[b].point);
  const Vec3 r = arm_of(b, of);
  return masses_.bodies[b].mass * (of.a[p] + cross(of.alpha[p], r) + cross(of.w[p], cross(of.w[p], r)));
}

void Inertia::advance_bodies(const Increment& increment, NodalMotion& end) const {
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const LocalId point = masses_.bodies[b].point;
    const std::size_t p = at(point);
    end.bodies[b] = spin_after(step(), masses_.bodies[b], now_.bodies[b], increment.turn[p],
                               {end.w[p], end.alpha[p]}, given_rotations(point));
    if (!(share_ > 0.0)) end.bodies[b].momentum = end.bodies[b].moment = {};
  }
}

/// At the bodies' points.
void Inertia::find_body_forces(NodalMotion& end) const {
  const double alpha = control_.alpha, weight = 1.0 / (1.0 + alpha);
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const BodyMass& body = masses_.bodies[b];
    const std::size_t p = at(body.point);
    const Vec3 force = share_ * body_force(b, end);
    Vec3 moment = share_ * end.bodies[b].moment;
    if (!body.pivots) moment += cross(arm_of(b, end), force);
    end.taken.force[p] = weight * (force + alpha * now_.taken.force[p]);
    end.taken.moment[p] = weight * (moment + alpha * now_.taken.moment[p]);
  }
}

/// Damping acts on the nodes of a body as in the explicit solver, unless its mass properties were given.
double Inertia::dragged_mass(std::size_t n) const {
  if (!masses_.in_body[n]) return masses_.mass[n];
  const LocalId body = dependents_.body_of(static_cast<LocalId>(n));
  return model_.rigid_bodies[at(body)].inertia_given ? 0.0 : nodal_.mass[n];
}

void Inertia::find_drag(NodalMotion& end) const {
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    end.drag.force[n] = share_ * dragged_mass(n) * times_by_axis(rates_[n].translation, end.v[n]);
    end.drag.moment[n] = share_ * masses_.inertia[n] * times_by_axis(rates_[n].rotation, end.w[n]);
  }
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const BodyMass& body = masses_.bodies[b];
    if (!model_.rigid_bodies[b].inertia_given) continue;
    const std::size_t p = at(body.point);
    const Vec3 r = arm_of(b, end), v = end.v[p] + cross(end.w[p], r);
    const Vec3 momentum =
        end.bodies[b].momentum - (body.pivots ? body.mass * cross(r, cross(end.w[p], r)) : Vec3{});
    end.drag.force[p] = share_ * body.mass * times_by_axis(body_rates_[b].translation, v);
    end.drag.moment[p] =
        share_ * times_by_axis(body_rates_[b].rotation, momentum) + cross(r, end.drag.force[p]);
  }
}

/// Without the change of arms, of gyroscopic moments of damping and of a centre that is not the point.
void Inertia::visit_bodies(const Increment& increment, bool stiffness, const Elements::Visit& visit) const {
  double force[6], k[36];
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const BodyMass& body = masses_.bodies[b];
    const std::size_t p = at(body.point);
    for (int i = 0; i < 3; ++i) {
      force[i] = trial_.taken.force[p][i] + trial_.drag.force[p][i];
      force[i + 3] = trial_.taken.moment[p][i] + trial_.drag.moment[p][i];
    }
    if (stiffness) {
      const double weight = share_ / (1.0 + control_.alpha);
      const Matrix3 spin = moment_by_turn(step(), body, now_.bodies[b], trial_.bodies[b], increment.turn[p],
                                          trial_.w[p], spins_freely(b));
      body_mass_block(body, arm_of(b, trial_), {}, k);
      const bool slowed = !rates_.empty() && model_.rigid_bodies[b].inertia_given;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
          k[6 * i + j] *= share_ * by_u_;
          if (i >= 3 && j >= 3) k[6 * i + j] += weight * spin[at(i - 3)][j - 3];
        }
      for (int i = 0; slowed && i < 3; ++i)
        k[7 * i] += share_ * body.mass * body_rates_[b].translation[i] * rate_by_u_;
      const Matrix3 j = turned_tensor(constraints::matrix(trial_.bodies[b].orientation), body.inertia);
      for (int i = 0; slowed && i < 3; ++i)
        for (int c = 0; c < 3; ++c)
          k[6 * (i + 3) + c + 3] += share_ * body_rates_[b].rotation[i] * j[at(i)][c] * rate_by_u_;
    }
    visit({std::span(&body.point, 1), 6, std::span(force, 6), std::span(k, stiffness ? 36 : 0)});
  }
}

/// A turn about a line of masses has no meaning: it is none in each step. The moment that says so is zero
/// then.
void Inertia::visit_lines(const Increment& increment, bool stiffness, const Elements::Visit& visit) const {
  double force[6], k[36];
  for (const MassLine& line : masses_.lines) {
    if (given_rotations(line.point).count > 0) continue;
    const Vec3& arm = dependents_.arm(line.node);
    const Vec3 e = (1.0 / norm(arm)) * arm;
    const double size = share_ * by_u_ * line.inertia, about = dot(e, increment.turn[at(line.point)]);
    std::fill_n(force, 6, 0.0);
    std::fill_n(k, 36, 0.0);
    for (int i = 0; i < 3; ++i) {
      force[i + 3] = size * about * e[i];
      for (int j = 0; j < 3; ++j) k[6 * (i + 3) + j + 3] = size * e[i] * e[j];
    }
    visit({std::span(&line.point, 1), 6, std::span(force, 6), std::span(k, stiffness ? 36 : 0)});
  }
}

NodalForces Inertia::out_of_balance(const NodalForces& forces) {
  std::ranges::fill(now_.a, Vec3{});
  std::ranges::fill(now_.alpha, Vec3{});
  const AlignedVector<Vec3> v = now_.v, w = now_.w;
  take_given(now_);
  now_.v = v;
  now_.w = w;
  dependents_.follow(now_.v, now_.w, now_.a, now_.alpha);
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const std::size_t p = at(masses_.bodies[b].point);
    now_.bodies[b].moment =
        euler_moment(masses_.bodies[b], now_.bodies[b].orientation, {now_.w[p], now_.alpha[p]});
  }
  now_.taken.clear();
  find_forces(now_);
  NodalForces left(now_.v.size());
  const double whole = 1.0 + control_.alpha;  // without forces before, a share of them is taken
  for (std::size_t n = 0; n < left.force.size(); ++n) {
    left.force[n] = forces.force[n] - whole * now_.taken.force[n] - now_.drag.force[n];
    left.moment[n] = forces.moment[n] - whole * now_.taken.moment[n] - now_.drag.moment[n];
  }
  return left;
}

/// Given accelerations stay: these have no unknowns.
void Inertia::accelerate_by(const Increment& accelerations) {
  for (std::size_t n = 0; n < now_.a.size(); ++n) {
    if (masses_.moves[n]) now_.a[n] += accelerations.u[n];
    if (masses_.turns[n]) now_.alpha[n] += accelerations.turn[n];
  }
  dependents_.follow(now_.v, now_.w, now_.a, now_.alpha);
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const std::size_t p = at(masses_.bodies[b].point);
    now_.bodies[b].moment =
        euler_moment(masses_.bodies[b], now_.bodies[b].orientation, {now_.w[p], now_.alpha[p]});
  }
  now_.taken.clear();
  find_forces(now_);
  const double whole = 1.0 + control_.alpha;  // as if they had been the same before
  for (auto* const of : {&now_.taken.force, &now_.taken.moment})
    for (Vec3& f : *of) f *= whole;
}

Inertia::OfBodies Inertia::of_bodies() const {
  OfBodies all;
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const BodyMass& body = masses_.bodies[b];
    const std::size_t p = at(body.point);
    const Vec3 v = now_.v[p] + cross(now_.w[p], arm_of(b, now_));
    all.kinetic += 0.5 * dot(now_.w[p], now_.bodies[b].momentum);
    if (!body.pivots) all.kinetic += 0.5 * body.mass * dot(v, v);
    all.mass += body.mass;
    all.momentum += body.mass * v;
  }
  return all;
}

}  // namespace crumple::implicit
