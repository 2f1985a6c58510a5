// The cycle of tied nodes: forces and masses down to the segments, motion back.
#include "contact/tied/ties.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tied/segment_spin.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/fixed_point.hpp"

namespace crumple::contact {

namespace {

/// r turned by the Cayley vector theta: the r' with r' - r = theta x (r + r') / 2.
Vec3 turned(const Vec3& r, const Vec3& theta) {
  const Vec3 once = cross(theta, r);
  return r + (1.0 / (1.0 + 0.25 * dot(theta, theta))) * (once + 0.5 * cross(theta, once));
}

/// Velocities or accelerations of a tied node: linear and angular.
struct Motion {
  Vec3 point, spin;
};

Motion motion(const model::Tie& tie, const Vec3& arm, const state::Nodal& nodal,
              const AlignedVector<Vec3>& linear, const AlignedVector<Vec3>& angular) {
  Motion m{at_point(tie, gather(tie, linear)), {}};
  if (spins(tie) || !(arm == Vec3{})) m.spin = SegmentSpin(tie, nodal)(linear, angular);
  return m;
}

/// Shared nodes of `halo` that are marked; both sides of a border mark the same ones.
parallel::Halo narrowed(const parallel::Communicator& comm, const parallel::Halo& halo,
                        const std::vector<double>& marked) {
  std::vector<int> ranks;
  std::vector<std::vector<LocalId>> nodes;
  for (std::size_t k = 0; k < halo.ranks().size(); ++k) {
    std::vector<LocalId> some;
    for (const LocalId n : halo.nodes()[k])
      if (marked[n] > 0.0) some.push_back(n);
    if (some.empty()) continue;
    ranks.push_back(halo.ranks()[k]);
    nodes.push_back(std::move(some));
  }
  return {comm, std::move(ranks), std::move(nodes)};
}

void add_fixed(std::vector<std::int64_t>& sum, LocalId node, const Vec3& value, double scale) {
  for (int k = 0; k < 3; ++k) sum[3 * std::size_t(node) + k] += parallel::to_fixed(value[k], scale);
}

}  // namespace

Ties::Ties(const model::Model& model, state::Nodal& nodal, const parallel::Communicator& comm,
           const parallel::Halo& halo)
    : model_(&model), comm_(comm), halo_(comm) {
  std::int32_t levels = 0;
  for (std::size_t c = 0; c < model.contacts.size(); ++c)
    for (const model::Tie& tie : model.contacts[c].ties) {
      Held& held = held_.emplace_back();
      held.tie = tie;
      held.contact = static_cast<std::int32_t>(c);
      held.mine = nodal.owner[tie.node] == comm.rank();
      held.arm = tie.arm;
      held.id = nodal.id[tie.node];
      for (int a = 0; a < 4; ++a) held.ids[a] = nodal.id[tie.nodes[a]];
      levels = std::max(levels, tie.level + 1);
    }
  levels_ = static_cast<std::int32_t>(comm.max(static_cast<std::int64_t>(levels)));
  transducers_ = find_transducers(model, nodal, comm, true);
  if (levels_ == 0) return;
  std::stable_sort(held_.begin(), held_.end(),
                   [](const Held& a, const Held& b) { return a.tie.level < b.tie.level; });
  for (std::int32_t l = 0; l <= levels_; ++l)
    level_begin_.push_back(std::lower_bound(held_.begin(), held_.end(), l,
                                            [](const Held& h, std::int32_t x) { return h.tie.level < x; }) -
                           held_.begin());
  std::vector<double> marked(nodal.size(), 0.0);
  for (const Held& held : held_) {
    marked[held.tie.node] = 1.0;
    for (const LocalId n : held.tie.nodes) marked[n] = 1.0;
  }
  halo.max(marked);
  for (std::size_t i = 0; i < nodal.size(); ++i)
    if (marked[i] > 0.0) nodes_.push_back(static_cast<LocalId>(i));
  halo_ = narrowed(comm, halo, marked);
  for (auto* sum : {&force_, &moment_, &mass_}) sum->assign(3 * nodal.size(), 0);
  let_go_.assign(nodal.size(), 0);
  nodal.tied_mass.assign(nodal.size(), 0.0);
  nodal.tied_inertia.assign(nodal.size(), 0.0);
  choose_scales(nodal, halo);
  hand_on(nodal, 0.0);
}

/// A node's own mass, or that of a node tied to it, at 2^44: what is handed on may be 2^17 times as much, and
/// is known to 1e-13 of it.
void Ties::choose_scales(const state::Nodal& nodal, const parallel::Halo& halo) {
  constexpr int bits = 44;
  mass_scale_.assign(nodal.mass.begin(), nodal.mass.end());
  inertia_scale_.assign(nodal.inertia.begin(), nodal.inertia.end());
  for (std::int32_t l = levels_ - 1; l >= 0; --l) {
    for (const Held& held : level(l))
      for (const LocalId n : held.tie.nodes) {
        const double arm2 = dot(held.arm, held.arm), mass = mass_scale_[held.tie.node];
        mass_scale_[n] = std::max(mass_scale_[n], mass);
        inertia_scale_[n] = std::max(inertia_scale_[n], inertia_scale_[held.tie.node] + mass * arm2);
      }
    halo.max(mass_scale_);
    halo.max(inertia_scale_);
  }
  for (auto* scale : {&mass_scale_, &inertia_scale_})
    for (double& s : *scale) s = s > 0.0 ? std::ldexp(1.0, bits - std::ilogb(s)) : 1.0;
}

std::span<Ties::Held> Ties::level(std::int32_t level) {
  return std::span(held_).subspan(level_begin_[level], level_begin_[level + 1] - level_begin_[level]);
}

void Ties::start(state::Nodal& nodal) {
  for (Held& held : held_) {
    const Motion m = motion(held.tie, held.arm, nodal, nodal.v, nodal.w);
    nodal.v[held.tie.node] = m.point + cross(m.spin, held.arm);
    if (held.tie.rotations) nodal.w[held.tie.node] = m.spin;
  }
  started_ = true;
}

void Ties::delete_elements(std::span<const DeletedElement> elements) {
  for (const Held& held : held_)
    for (const DeletedElement& e : elements)
      if (held.tie.kind == e.kind && held.tie.element == e.element) deleted_.push_back(held.tie.node);
}

/// End a tie whose segment is gone or whose time is over: the node takes its mass back.
void Ties::release(Held& held, state::Nodal& nodal, double time) {
  const LocalId n = held.tie.node;
  if (!let_go_[n] && time < model_->contacts[held.contact].death) return;
  held.alive = false;
  held.force = {};
  nodal.mass[n] += held.mass;
  nodal.inertia[n] += held.inertia;
  nodal.tied_mass[n] -= held.mass;
  nodal.tied_inertia[n] -= held.inertia;
  give_mass(held, -held.mass, -held.turning);
  count_loss(held, nodal, -held.mass, -held.inertia, -held.turning);
}

/// Mass that goes from a node to the segment has another velocity there: what that takes from the kinetic
/// energy. Central differences keep v_{n-1/2} . m v_{n+1/2}, and the masses change between cycles, so the
/// velocities at t_{n-1/2} make the balance exact.
void Ties::count_loss(const Held& held, const state::Nodal& nodal, double mass, double inertia,
                      double turning) {
  if (!held.mine || !started_) return;
  const LocalId n = held.tie.node;
  double lost = mass * dot(nodal.v[n], nodal.v[n]) + inertia * dot(nodal.w[n], nodal.w[n]);
  for (int a = 0; a < corners(held.tie); ++a) {
    const Vec3 &v = nodal.v[held.tie.nodes[a]], &w = nodal.w[held.tie.nodes[a]];
    lost -= held.tie.weight[a] * (mass * dot(v, v) + turning * dot(w, w));
  }
  lost_ += 0.5 * lost;
}

void Ties::give_mass(const Held& held, double mass, double turning) {
  if (!held.mine) return;
  for (int a = 0; a < corners(held.tie); ++a) {
    const LocalId n = held.tie.nodes[a];
    const double w = held.tie.weight[a];
    mass_[3 * std::size_t(n) + 1] += parallel::to_fixed(w * mass, mass_scale_[n]);
    mass_[3 * std::size_t(n) + 2] += parallel::to_fixed(w * turning, inertia_scale_[n]);
  }
}

/// Take from a tied node the mass that it has.
void Ties::take_mass(Held& held, state::Nodal& nodal) {
  const LocalId n = held.tie.node;
  const double mass = nodal.mass[n], inertia = held.tie.rotations ? nodal.inertia[n] : 0.0;
  if (mass == 0.0 && inertia == 0.0) return;
  const double turning = spins(held.tie) ? inertia + mass * dot(held.arm, held.arm) : 0.0;
  held.mass += mass;
  held.inertia += inertia;
  held.turning += turning;
  nodal.mass[n] -= mass;
  nodal.inertia[n] -= inertia;
  nodal.tied_mass[n] += mass;
  nodal.tied_inertia[n] += inertia;
  give_mass(held, mass, turning);
  count_loss(held, nodal, mass, inertia, turning);
}

void Ties::give_force(const Held& held, const state::Nodal& nodal) {
  if (!held.mine) return;
  const model::Tie& tie = held.tie;
  const Vec3 force = nodal.force_at(tie.node);
  Vec3 moment = cross(held.arm, force);
  if (tie.rotations) moment += nodal.moment_at(tie.node);
  NodalLoads loads;
  for (int a = 0; a < corners(tie); ++a) loads.force[a] = tie.weight[a] * force;
  if (!(moment == Vec3{})) SegmentSpin(tie, nodal).add_moment(moment, loads);
  for (int a = 0; a < corners(tie); ++a) {
    const LocalId n = tie.nodes[a];
    add_fixed(force_, n, loads.force[a], nodal.force_scale[n]);
    if (spins(tie)) add_fixed(moment_, n, loads.moment[a], nodal.moment_scale[n]);
  }
}

/// Add what came from all ranks to the nodes.
void Ties::receive(state::Nodal& nodal) {
  const std::array<std::span<std::int64_t>, 3> sums{force_, moment_, mass_};
  halo_.sum(sums, 3);
  for (const LocalId n : nodes_) {
    const std::size_t i = 3 * std::size_t(n);
    for (std::size_t k = i; k < i + 3; ++k) {
      nodal.force[k] += force_[k];
      nodal.moment[k] += moment_[k];
      force_[k] = moment_[k] = 0;
    }
    if (mass_[i] != 0) let_go_[n] = 1;
    if (mass_[i + 1] != 0) nodal.mass[n] += parallel::from_fixed(mass_[i + 1], mass_scale_[n]);
    if (mass_[i + 2] != 0) nodal.inertia[n] += parallel::from_fixed(mass_[i + 2], inertia_scale_[n]);
    std::fill_n(mass_.begin() + static_cast<std::ptrdiff_t>(i), 3, 0);
  }
}

void Ties::hand_on(state::Nodal& nodal, double time) {
  if (levels_ == 0) return;
  for (std::int32_t l = levels_ - 1; l >= 0; --l) {
    for (Held& held : level(l)) {
      if (!held.alive) continue;
      release(held, nodal, time);
      if (!held.alive) continue;
      take_mass(held, nodal);
      give_force(held, nodal);
    }
    if (l == 0) {  // for the next cycle, on all ranks at once
      for (const LocalId n : deleted_) mass_[3 * std::size_t(n)] = 1;
      deleted_.clear();
    }
    receive(nodal);
  }
}

void Ties::move(state::Nodal& nodal, double dt_x) {
  for (Held& held : held_) {
    if (!held.alive) continue;
    const LocalId n = held.tie.node;
    const Motion velocity = motion(held.tie, held.arm, nodal, nodal.v, nodal.w);
    const Motion acceleration = motion(held.tie, held.arm, nodal, nodal.a, nodal.alpha);
    const Vec3 arm = turned(held.arm, dt_x * velocity.spin);
    // The arm turns by just the way that its end goes, so the node never leaves it.
    nodal.v[n] = velocity.point + (1.0 / dt_x) * (arm - held.arm);
    nodal.a[n] = acceleration.point + cross(acceleration.spin, held.arm);
    if (held.tie.rotations) {
      nodal.w[n] = velocity.spin;
      nodal.alpha[n] = acceleration.spin;
    }
    held.force = held.mass * nodal.a[n] - nodal.force_at(n);
    held.arm = arm;
  }
}

/// Add a tie's force to those that transducers count.
void Ties::measure(const Held& held, std::span<parallel::ExactSum> sums) const {
  for (const Transducer& t : transducers_) {
    const auto add = [&](double share) {
      for (int k = 0; k < 3; ++k) sums[3 * std::size_t(t.contact) + k] += share * held.force[k];
    };
    if (t.between) {
      add(t.between_sign(held.id, held.ids));
      continue;
    }
    if (t.on_a(held.id)) add(1.0);
    for (int a = 0; a < corners(held.tie); ++a)
      if (t.on_a(held.ids[a])) add(-held.tie.weight[a]);
  }
}

void Ties::add_results(std::span<ContactResult> results) const {
  if (levels_ == 0) return;
  std::vector<parallel::ExactSum> sums(3 * results.size());
  std::vector<std::int64_t> count(results.size(), 0);
  for (const Held& held : held_) {
    if (!held.mine || !held.alive) continue;
    ++count[held.contact];
    for (int k = 0; k < 3; ++k) sums[3 * std::size_t(held.contact) + k] += held.force[k];
    measure(held, sums);
  }
  parallel::ExactSum::reduce(comm_, sums);
  comm_.sum(std::span<std::int64_t>(count));
  for (std::size_t c = 0; c < results.size(); ++c) {
    const model::Contact& contact = model_->contacts[c];
    if (!model::is_tied(contact.type) && !contact.measures_ties) continue;
    results[c].force_a = {sums[3 * c].value(), sums[3 * c + 1].value(), sums[3 * c + 2].value()};
    results[c].force_b = -results[c].force_a;
    results[c].touching = count[c];
  }
}

}  // namespace crumple::contact
