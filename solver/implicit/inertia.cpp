// Newmark's formulas at every node, given motion, damping by mass.
#include "implicit/inertia.hpp"

#include <algorithm>
#include <utility>

#include "state/assembly.hpp"

namespace crumple::implicit {

using model::kNone;

namespace {

Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

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

Inertia::Inertia(const model::Model& model, const state::Nodal& nodal, std::span<const std::uint8_t> dofs,
                 const parallel::Halo& halo)
    : model_(model),
      control_(model.control.implicit.dynamics),
      nodal_(nodal),
      dofs_(dofs.begin(), dofs.end()),
      now_(nodal.size()),
      last_(nodal.size()),
      trial_(nodal.size()) {
  for (std::size_t n = 0; n < nodal.size(); ++n) {
    if (nodal.mass[n] > 0.0) now_.v[n] = nodal.v[n];
    if (nodal.inertia[n] > 0.0) now_.w[n] = nodal.w[n];
  }
  if (model.control.mass_damping || !model.part_damping.empty()) rates_.resize(nodal.size());
  find_damped_parts(halo);
  share_ = share_of_inertia(model, 0.5 * model.control.implicit.steps.first);
}

void Inertia::find_damped_parts(const parallel::Halo& halo) {
  for (const model::PartDamping& damping : model_.part_damping) {
    const state::LumpedMasses damped = state::lump_parts(model_, damping.parts, halo);
    std::vector<Share>& shares = of_parts_.emplace_back();
    const auto fraction = [](double part, double all) { return all > 0.0 ? part / all : 0.0; };
    for (std::size_t n = 0; n < nodal_.size(); ++n)
      if (damped.mass[n] > 0.0 || damped.inertia[n] > 0.0)
        shares.push_back({static_cast<LocalId>(n), fraction(damped.mass[n], nodal_.mass[n]),
                          fraction(damped.inertia[n], nodal_.inertia[n])});
  }
}

void Inertia::find_rates(double time) {
  if (rates_.empty()) return;
  const model::Control& c = model_.control;
  const double everywhere = !c.mass_damping            ? 0.0
                            : c.damping_curve != kNone ? model_.curves[at(c.damping_curve)](time)
                                                       : c.damping_constant;
  std::ranges::fill(rates_, Rates{everywhere * c.damping_st, everywhere * c.damping_sr});
  for (std::size_t k = 0; k < of_parts_.size(); ++k) {
    const model::PartDamping& damping = model_.part_damping[k];
    const double d = damping.scale * model_.curves[at(damping.curve)](time);
    for (const Share& share : of_parts_[k]) {
      rates_[at(share.node)].translation += d * share.mass * damping.translation;
      rates_[at(share.node)].rotation += d * share.inertia * damping.rotation;
    }
  }
}

void Inertia::hold(std::span<const NodeGiven> given) {
  for (const NodeGiven& g : given) {
    const std::size_t n = at(g.node);
    const auto& t = g.translation;
    const auto& r = g.rotation;
    now_.v[n] -= part_along(t.along, t.along.count, now_.v[n]) - part_along(t.along, t.moved, now_.v[n]);
    now_.w[n] -= part_along(r.along, r.along.count, now_.w[n]) - part_along(r.along, r.moved, now_.w[n]);
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
    const double m = share_ * nodal_.mass[n], j = share_ * nodal_.inertia[n];
    if (m > 0.0) now_.a[n] = (1.0 / m) * (forces.force[n] - now_.drag.force[n]);
    if (j > 0.0) now_.alpha[n] = (1.0 / j) * (forces.moment[n] - now_.drag.moment[n]);
  }
  const AlignedVector<Vec3> v = now_.v, w = now_.w;
  take_given(now_);
  now_.v = v;
  now_.w = w;
  for (std::size_t n = 0; n < nodal_.size(); ++n) {  // as if they had been the same before
    now_.taken.force[n] = share_ * nodal_.mass[n] * now_.a[n];
    now_.taken.moment[n] = share_ * nodal_.inertia[n] * now_.alpha[n];
  }
}

/// Motion at the end of the step.
void Inertia::advance(const Increment& increment, NodalMotion& end) const {
  const double b = control_.beta, g = control_.gamma;
  const double by_u = 1.0 / (b * dt_ * dt_), by_a = 0.5 / b - 1.0, rate = 1.0 / dt_;
  const auto step = [&](double mass, const Vec3& u, const Vec3& v, const Vec3& a, Vec3& v_end, Vec3& a_end) {
    if (!(mass > 0.0)) {
      v_end = rate * u;
      a_end = {};
      return;
    }
    a_end = by_u * (u - dt_ * v) - by_a * a;
    v_end = v + dt_ * ((1.0 - g) * a + g * a_end);
  };
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    step(nodal_.mass[n], increment.u[n], now_.v[n], now_.a[n], end.v[n], end.a[n]);
    step(nodal_.inertia[n], increment.turn[n], now_.w[n], now_.alpha[n], end.w[n], end.alpha[n]);
  }
  take_given(end);
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
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const double m = share_ * nodal_.mass[n], j = share_ * nodal_.inertia[n];
    end.taken.force[n] = weight * (m * end.a[n] + alpha * now_.taken.force[n]);
    end.taken.moment[n] = weight * (j * end.alpha[n] + alpha * now_.taken.moment[n]);
    if (rates_.empty()) continue;
    end.drag.force[n] = m * times(rates_[n].translation, end.v[n]);
    end.drag.moment[n] = j * times(rates_[n].rotation, end.w[n]);
  }
}

void Inertia::evaluate(const Increment& increment, bool stiffness, const Elements::Visit& visit) {
  advance(increment, trial_);
  double force[6], k[36];
  for (std::size_t n = 0; n < nodal_.size(); ++n) {
    const std::size_t dofs = dofs_[n];
    if (dofs == 0) continue;
    for (int i = 0; i < 3; ++i) {
      force[i] = trial_.taken.force[n][i] + trial_.drag.force[n][i];
      force[i + 3] = trial_.taken.moment[n][i] + trial_.drag.moment[n][i];
    }
    if (stiffness) {
      std::fill_n(k, dofs * dofs, 0.0);
      const Rates damping = rates_.empty() ? Rates{} : rates_[n];
      for (std::size_t i = 0; i < dofs; ++i) {
        const double mass = share_ * (i < 3 ? nodal_.mass[n] : nodal_.inertia[n]);
        const double rate = i < 3 ? damping.translation[int(i)] : damping.rotation[int(i) - 3];
        k[i * dofs + i] = mass * (by_u_ + rate * rate_by_u_);
      }
    }
    const auto node = static_cast<LocalId>(n);
    visit({std::span(&node, 1), static_cast<int>(dofs), std::span(force, dofs),
           std::span(k, stiffness ? dofs * dofs : 0)});
  }
}

void Inertia::accept(const Increment& increment) {
  NodalMotion end(nodal_.size());
  if (share_ > 0.0) advance(increment, end);
  last_ = std::exchange(now_, std::move(end));
  for (std::size_t n = 0; n < nodal_.size(); ++n)
    damping_energy_ += 0.5 * (dot(last_.drag.force[n] + now_.drag.force[n], increment.u[n]) +
                              dot(last_.drag.moment[n] + now_.drag.moment[n], increment.turn[n]));
}

double Inertia::work_beyond_mean(const NodeGiven& driven, const Increment& increment, bool before) const {
  const std::size_t n = at(driven.node);
  const double old = before ? 1.0 : 0.0;
  const auto of = [&](const GivenMotion& given, double mass, const Vec3& v_last, const Vec3& v_now,
                      const Vec3& f_last, const Vec3& f_now, const Vec3& u) {
    double sum = 0.0;
    for (int k = 0; k < given.moved; ++k) {
      const Vec3& axis = given.along.axis[at(k)];
      const double v0 = dot(axis, v_last), v1 = dot(axis, v_now);
      sum += 0.5 * share_ * mass * (v1 * v1 - v0 * v0) - 0.5 * dot(axis, old * f_last + f_now) * dot(axis, u);
    }
    return sum;
  };
  return of(driven.translation, nodal_.mass[n], last_.v[n], now_.v[n], last_.taken.force[n],
            now_.taken.force[n], increment.u[n]) +
         of(driven.rotation, nodal_.inertia[n], last_.w[n], now_.w[n], last_.taken.moment[n],
            now_.taken.moment[n], increment.turn[n]);
}

}  // namespace crumple::implicit
