// Newmark's formulas at every node, given motion, damping by mass.
#include "implicit/inertia.hpp"

#include <algorithm>
#include <utility>

#include "implicit/mean_spin.hpp"
#include "state/assembly.hpp"

namespace crumple::implicit {

using model::kNone;

namespace {

/// The part of `of` along the first `count` directions of `along`.
Vec3 part_along(const constraints::Directions& along, int count, const Vec3& of) {
  Vec3 sum;
  for (int k = 0; k < count; ++k) sum += dot(along.axis[at(k)], of) * along.axis[at(k)];
  return sum;
}

}  // namespace

double share_of_inertia(const model::Model& model, double time) {
  const model::Dynamics& d = model.control.implicit.dynamics;
  if (!d.active) return 0.0;
  if (d.share != kNone) return model.curves[at(d.share)](time);
  if (time < d.birth || time >= d.burial) return 0.0;
  return time <= d.death ? 1.0 : (d.burial - time) / (d.burial - d.death);
}

Inertia::Inertia(const InertiaOf& of, const parallel::Halo& halo, const parallel::Communicator& comm,
                 std::span<const BodyStart> bodies)
    : model_(of.model),
      control_(of.model.control.implicit.dynamics),
      nodal_(of.nodal),
      masses_(of.masses),
      dependents_(of.dependents),
      consistent_(of.consistent),
      dofs_(of.dofs.begin(), of.dofs.end()),
      now_(of.masses.mass.size(), of.masses.bodies.size()),
      last_(now_),
      trial_(now_) {
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    if (masses_.moves[n]) now_.v[n] = nodal_.v[n];
    if (masses_.turns[n]) now_.w[n] = nodal_.w[n];
  }
  if (dependents_.any()) start_dependents(bodies);
  if (state::has_mass_damping(model_)) {
    rates_.resize(nodal_.size());
    body_rates_.resize(model_.rigid_bodies.size());
  }
  find_damped_parts(halo, comm);
  share_ = share_of_inertia(model_, 0.5 * model_.control.implicit.steps.first);
}

void Inertia::find_damped_parts(const parallel::Halo& halo, const parallel::Communicator& comm) {
  for (const model::PartDamping& damping : model_.part_damping) {
    const state::LumpedMasses damped = state::lump_parts(model_, damping.parts, halo);
    of_parts_.push_back(state::damped_nodes(damped, nodal_.mass, nodal_.inertia));
    of_bodies_.push_back(state::damped_bodies(model_, damped, nodal_.mass, nodal_.owner, comm));
  }
}

void Inertia::find_rates(double time) {
  if (rates_.empty()) return;
  state::find_damping_rates(model_, time, of_parts_, rates_);
  state::find_damping_rates(model_, time, of_bodies_, body_rates_);
}

void Inertia::hold(std::span<const NodeGiven> given) {
  for (const NodeGiven& g : given) {
    const std::size_t n = at(g.node);
    const auto& t = g.translation;
    const auto& r = g.rotation;
    now_.v[n] -= part_along(t.along, t.along.count, now_.v[n]) - part_along(t.along, t.moved, now_.v[n]);
    now_.w[n] -= part_along(r.along, r.along.count, now_.w[n]) - part_along(r.along, r.moved, now_.w[n]);
  }
  if (!dependents_.any()) return;
  dependents_.follow(now_.v, now_.w);
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const BodyMass& body = masses_.bodies[b];
    const constraints::Matrix3 turned = constraints::matrix(now_.bodies[b].orientation);
    now_.bodies[b].momentum =
        constraints::operator*(turned_tensor(turned, body.inertia), now_.w[at(body.point)]);
  }
}

bool Inertia::begin(double start, double end, std::vector<NodeGiven> given) {
  dt_ = end - start;
  share_ = share_of_inertia(model_, 0.5 * (start + end));
  by_u_ = 1.0 / ((1.0 + control_.alpha) * control_.beta * dt_ * dt_);
  rate_by_u_ = control_.gamma / (control_.beta * dt_);
  given_ = std::move(given);
  if (share_ > 0.0) find_rates(end);
  return share_ > 0.0;
}

void Inertia::accelerate(const NodalForces& forces) {
  if (!(share_ > 0.0)) return;
  find_forces(now_);  // for the drag
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const double m = share_ * masses_.mass[n], j = share_ * masses_.inertia[n];
    if (m > 0.0) now_.a[n] = (1.0 / m) * (forces.force[n] - now_.drag.force[n]);
    if (j > 0.0) now_.alpha[n] = (1.0 / j) * (forces.moment[n] - now_.drag.moment[n]);
  }
  const AlignedVector<Vec3> v = now_.v, w = now_.w;
  take_given(now_);
  now_.v = v;
  now_.w = w;
  for (std::size_t n = 0; n < nodal_.size(); ++n) {  // as if they had been the same before
    now_.taken.force[n] = share_ * masses_.mass[n] * now_.a[n];
    now_.taken.moment[n] = share_ * masses_.inertia[n] * now_.alpha[n];
  }
}

/// Motion at the end of the step.
void Inertia::advance(const Increment& increment, NodalMotion& end) const {
  const NewmarkStep newmark = step();
  const double rate = 1.0 / dt_;
  const auto advance_one = [&](bool has_mass, const Vec3& u, const Vec3& v, const Vec3& a, Vec3& v_end,
                               Vec3& a_end) {
    if (has_mass) return newmark.advance(u, v, a, v_end, a_end);
    v_end = rate * u;
    a_end = {};
  };
  for (std::size_t n = 0; n < now_.v.size(); ++n) {
    advance_one(masses_.moves[n], increment.u[n], now_.v[n], now_.a[n], end.v[n], end.a[n]);
    advance_one(masses_.turns[n], increment.turn[n], now_.w[n], now_.alpha[n], end.w[n], end.alpha[n]);
  }
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const std::size_t p = at(masses_.bodies[b].point);
    const SpinRates rates =
        spin_rates(newmark, now_.bodies[b], {now_.w[p], now_.alpha[p]}, increment.turn[p], spins_freely(b));
    end.w[p] = rates.w;
    end.alpha[p] = rates.alpha;
  }
  take_given(end);
  if (dependents_.any()) {
    dependents_.follow(end.v, end.w);
    dependents_.follow(end.v, end.w, end.a, end.alpha);
  }
  advance_bodies(increment, end);
  find_forces(end);
}

void Inertia::take_given(NodalMotion& end) const {
  const auto take = [](const GivenMotion& given, Vec3& v, Vec3& a) {
    for (int k = 0; k < given.along.count; ++k) {
      const Vec3& axis = given.along.axis[at(k)];
      v += (given.velocity[at(k)] - dot(axis, v)) * axis;
      a += (given.acceleration[at(k)] - dot(axis, a)) * axis;
    }
  };
  for (const NodeGiven& g : given_) {
    take(g.translation, end.v[at(g.node)], end.a[at(g.node)]);
    take(g.rotation, end.w[at(g.node)], end.alpha[at(g.node)]);
  }
}

void Inertia::find_forces(NodalMotion& end) const {
  const double alpha = control_.alpha, weight = 1.0 / (1.0 + alpha);
  AlignedVector<Vec3> by_others(couples() ? end.v.size() : 0);
  if (couples()) consistent_->add_product(end.a, by_others);
  for (std::size_t n = 0; n < end.v.size(); ++n) {
    const double m = share_ * masses_.mass[n], j = share_ * masses_.inertia[n];
    Vec3 force = m * end.a[n];
    if (couples()) force += share_ * by_others[n];
    end.taken.force[n] = weight * (force + alpha * now_.taken.force[n]);
    end.taken.moment[n] = weight * (j * end.alpha[n] + alpha * now_.taken.moment[n]);
  }
  find_body_forces(end);
  if (!rates_.empty()) find_drag(end);
}

void Inertia::evaluate(const Increment& increment, bool stiffness, const Elements::Visit& visit) {
  advance(increment, trial_);
  double force[6], k[36];
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const std::size_t dofs = dofs_[n];
    if (dofs == 0 || (masses_.in_body[n] && rates_.empty() && !couples())) continue;
    for (int i = 0; i < 3; ++i) {
      force[i] = trial_.taken.force[n][i] + trial_.drag.force[n][i];
      force[i + 3] = trial_.taken.moment[n][i] + trial_.drag.moment[n][i];
    }
    if (stiffness) {
      std::fill_n(k, dofs * dofs, 0.0);
      const Rates damping = rates_.empty() ? Rates{} : rates_[n];
      // Of a body's node only its damping counts here.
      const double slowed = masses_.in_body[n] ? dragged_mass(n) : 0.0;
      for (std::size_t i = 0; i < dofs; ++i) {
        const double mass = share_ * (i < 3 ? masses_.mass[n] : masses_.inertia[n]);
        const double rate = i < 3 ? damping.translation[int(i)] : damping.rotation[int(i) - 3];
        k[i * dofs + i] = mass * (by_u_ + rate * rate_by_u_);
        if (i < 3) k[i * dofs + i] += share_ * slowed * rate * rate_by_u_;
      }
    }
    const auto node = static_cast<LocalId>(n);
    visit({std::span(&node, 1), static_cast<int>(dofs), std::span(force, dofs),
           std::span(k, stiffness ? dofs * dofs : 0)});
  }
  visit_bodies(increment, stiffness, visit);
  visit_lines(increment, stiffness, visit);
}

void Inertia::add_coupling(const AddBlock& add) const {
  if (couples()) consistent_->add_blocks(stiffness(), add);
}

/// At the point of a body the sum of what its nodes have; other nodes keep theirs.
NodalForces Inertia::by_body(NodalForces of_nodes) const {
  NodalForces sum(of_nodes.force.size());
  for (std::size_t n = 0; n < sum.force.size(); ++n) {
    if (masses_.in_body[n]) continue;
    std::swap(sum.force[n], of_nodes.force[n]);
    std::swap(sum.moment[n], of_nodes.moment[n]);
  }
  dependents_.gather(of_nodes);
  for (std::size_t n = 0; n < sum.force.size(); ++n) {
    sum.force[n] += of_nodes.force[n];
    sum.moment[n] += of_nodes.moment[n];
  }
  return sum;
}

Inertia::Coupled Inertia::coupled(const NodalMotion& motion) const {
  NodalForces momentum(motion.v.size());
  consistent_->add_product(motion.v, momentum.force);
  return {by_body(std::move(momentum)), by_body(motion.taken)};
}

void Inertia::accept(const Increment& increment) {
  NodalMotion end(now_.v.size(), now_.bodies.size());
  if (share_ > 0.0)
    advance(increment, end);
  else
    advance_bodies(increment, end);  // their orientation
  last_ = std::exchange(now_, std::move(end));
  if (couples()) {
    coupled_last_ = coupled(last_);
    coupled_now_ = coupled(now_);
  }
  for (std::size_t n = 0; n < now_.v.size(); ++n)
    damping_energy_ += 0.5 * (dot(last_.drag.force[n] + now_.drag.force[n], increment.u[n]) +
                              dot(last_.drag.moment[n] + now_.drag.moment[n], increment.turn[n]));
}

double Inertia::mass_along(const NodeGiven& driven, const Vec3& axis, bool rotation) const {
  for (std::size_t b = 0; b < masses_.bodies.size(); ++b) {
    const BodyMass& body = masses_.bodies[b];
    if (body.point != driven.node) continue;
    const constraints::Matrix3 r = constraints::matrix(now_.bodies[b].orientation);
    return rotation ? dot(axis, constraints::operator*(turned_tensor(r, body.inertia), axis)) : body.mass;
  }
  return rotation ? masses_.inertia[at(driven.node)] : masses_.mass[at(driven.node)];
}

double Inertia::work_beyond_mean(const NodeGiven& driven, const Increment& increment, bool before) const {
  const std::size_t n = at(driven.node);
  const double old = before ? 1.0 : 0.0;
  const auto coupled_change = [&](bool rotation) {
    if (!couples()) return Vec3{};
    const NodalForces &now = coupled_now_.momentum, &last = coupled_last_.momentum;
    return rotation ? now.moment[n] - last.moment[n] : now.force[n] - last.force[n];
  };
  const auto of = [&](const GivenMotion& given, bool rotation, const Vec3& v_last, const Vec3& v_now,
                      const Vec3& f_last, const Vec3& f_now, const Vec3& u) {
    double sum = 0.0;
    for (int k = 0; k < given.moved; ++k) {
      const Vec3& axis = given.along.axis[at(k)];
      const double v0 = dot(axis, v_last), v1 = dot(axis, v_now);
      const double mass = mass_along(driven, axis, rotation);
      sum += 0.5 * share_ * mass * (v1 * v1 - v0 * v0) - 0.5 * dot(axis, old * f_last + f_now) * dot(axis, u);
      sum += 0.5 * share_ * (v0 + v1) * dot(axis, coupled_change(rotation));
    }
    return sum;
  };
  const Vec3& turn = increment.turn[n];
  const NodalForces& taken_last = couples() ? coupled_last_.taken : last_.taken;
  const NodalForces& taken_now = couples() ? coupled_now_.taken : now_.taken;
  return of(driven.translation, false, last_.v[n], now_.v[n], taken_last.force[n], taken_now.force[n],
            increment.u[n]) +
         of(driven.rotation, true, last_.w[n], now_.w[n], taken_last.moment[n], taken_now.moment[n],
            n < nodal_.size() ? turn : rotation_of(turn));
}

}  // namespace crumple::implicit
