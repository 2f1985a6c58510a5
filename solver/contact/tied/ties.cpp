// The cycle of tied nodes: transfer of forces and masses to the segments, then motion of the tied nodes.
#include "contact/tied/ties.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/assert.hpp"
#include "contact/force/add_fixed.hpp"
#include "contact/tied/segment_spin.hpp"
#include "contact/tied/tie_runs.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/fixed_point.hpp"
#include "state/archive.hpp"

namespace crumple::contact {

namespace {

/// r rotated by the Cayley vector theta: the r' with r' - r = theta x (r + r') / 2.
[[gnu::always_inline]] inline Vec3 turned(const Vec3& r, const Vec3& theta) {
  const Vec3 once = cross(theta, r);
  return r + (1.0 / (1.0 + 0.25 * dot(theta, theta))) * (once + 0.5 * cross(theta, once));
}

/// Velocities or accelerations of a tied node: linear and angular.
struct Motion {
  Vec3 point, spin;
};

/// A tied node is none of its segment's, whose weights make a mean.
void check_tie([[maybe_unused]] const model::Tie& tie, [[maybe_unused]] std::size_t n_nodes) {
  for (const LocalId n : tie.nodes)
    CRUMPLE_ASSERT(n >= 0 && static_cast<std::size_t>(n) < n_nodes && n != tie.node, n, tie.node, n_nodes);
  [[maybe_unused]] const double sum = tie.weight[0] + tie.weight[1] + tie.weight[2] + tie.weight[3];
  CRUMPLE_ASSERT(std::abs(sum - 1.0) < 1e-9, sum, tie.node, tie.nodes[0]);
  CRUMPLE_ASSERT(tie.level >= 0, tie.level, tie.node);
}

constexpr std::size_t kTiesForThreads = 256;  ///< with fewer, starting threads takes longer than the work
constexpr std::size_t kReceivedForThreads = 4096;

/// Not inlined: vectors that pass through its memory would do so for all ties.
template <class Tie>
[[gnu::noinline]] Motion motion(const Tie& tie, const Vec3& arm, const state::Nodal& nodal,
                                const AlignedVector<Vec3>& linear, const AlignedVector<Vec3>& angular) {
  Motion m{at_point(tie, linear), {}};
  if (spins(tie) || !(arm == Vec3{})) m.spin = SegmentSpin(tie, nodal)(linear, angular);
  return m;
}

}  // namespace

Ties::Ties(const model::Model& model, state::Nodal& nodal, const parallel::Communicator& comm,
           const parallel::Halo& halo, elements::Isa isa)
    : model_(&model), comm_(comm), passes_(tie_passes(isa)), halo_(comm) {
  list_ties(model, nodal);
  transducers_ = find_transducers(model, nodal, comm, true);
  if (levels_ == 0) return;
  number_nodes(nodal, halo);
  choose_scales(nodal, halo);
  share_among_threads(nodal.size());
  for (std::size_t k = 0; k < n_shared_; ++k) {
    loads_.push_back(nodal.loads[nodes_[k]]);
    loads_.back().clear();
  }
  mass_.assign(3 * nodes_.size(), 0);
  let_go_.assign(nodes_.size(), 0);
  nodal.tied_mass.assign(nodal.size(), 0.0);
  nodal.tied_inertia.assign(nodal.size(), 0.0);
  transfer(nodal, 0.0);
}

/// List the ties by level. Collective.
void Ties::list_ties(const model::Model& model, const state::Nodal& nodal) {
  struct Listed {
    const model::Tie* tie;
    std::size_t contact;
  };
  std::vector<Listed> ties;
  for (std::size_t c = 0; c < model.contacts.size(); ++c)
    for (const model::Tie& tie : model.contacts[c].ties) {
      ties.push_back({&tie, c});
      levels_ = std::max(levels_, tie.level + 1);
      first_death_ = std::min(first_death_, model.contacts[c].death);
    }
  levels_ = static_cast<std::int32_t>(comm_.max(static_cast<std::int64_t>(levels_)));
  // Sorted, so that consecutive ties share nodes of segments, and memory pages.
  std::ranges::stable_sort(
      ties, {}, [](const Listed& l) { return std::tuple(l.tie->level, l.tie->nodes[0], l.tie->node); });
  for (const auto& [tie, contact] : ties) {
    check_tie(*tie, nodal.size());
    HeldTie& held = held_.emplace_back();
    held.node = tie->node;
    held.nodes = tie->nodes;
    held.weight = tie->weight;
    held.arm = tie->arm;
    held.kind = tie->kind;
    held.rotations = tie->rotations;
    held.torsion = tie->torsion;
    held.mine = nodal.owner[tie->node] == comm_.rank();
    Record& record = record_.emplace_back();
    record.contact = static_cast<std::int32_t>(contact);
    record.level = tie->level;
    record.element = tie->element;
    record.id = nodal.id[tie->node];
    for (int a = 0; a < 4; ++a) record.ids[a] = nodal.id[tie->nodes[a]];
  }
  for (std::int32_t l = 0; l <= levels_; ++l)
    level_begin_.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(record_, l, {}, &Record::level) - record_.begin()));
  CRUMPLE_ASSERT(level_begin_.back() == held_.size(), level_begin_.back(), held_.size(), levels_);
}

void Ties::number_nodes(const state::Nodal& nodal, const parallel::Halo& halo) {
  std::vector<double> marked(nodal.size(), 0.0);
  for (const HeldTie& held : held_) {
    marked[held.node] = 1.0;
    for (const LocalId n : held.nodes) marked[n] = 1.0;
  }
  halo.max(marked);
  std::vector<std::int32_t> place(nodal.size(), -1);
  const auto add = [&](std::size_t n) {
    if (marked[n] == 0.0 || place[n] >= 0) return;
    place[n] = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back(static_cast<LocalId>(n));
  };
  for (const std::vector<LocalId>& nodes : halo.map().shared())
    for (const LocalId n : nodes) add(static_cast<std::size_t>(n));
  n_shared_ = nodes_.size();
  for (std::size_t n = 0; n < nodal.size(); ++n) add(n);
  for (std::size_t k = 0; k < held_.size(); ++k) {
    record_[k].at = place[held_[k].node];
    for (int a = 0; a < 4; ++a) {
      record_[k].on[a] = place[held_[k].nodes[a]];
      if (static_cast<std::size_t>(record_[k].on[a]) < n_shared_) held_[k].shared = true;
    }
  }
  halo_ = parallel::Halo(comm_, halo.map().narrowed(place));
}

/// The larger of a node's own mass and that of a node tied to it is at 2^44. A transferred mass may be 2^17
/// times as large, and is resolved to 1e-13 of it.
void Ties::choose_scales(const state::Nodal& nodal, const parallel::Halo& halo) {
  constexpr int bits = 44;
  std::vector<double> mass(nodal.mass.begin(), nodal.mass.end());
  std::vector<double> inertia(nodal.inertia.begin(), nodal.inertia.end());
  for (std::int32_t l = levels_ - 1; l >= 0; --l) {
    for (std::size_t k = level_begin_[l]; k < level_begin_[l + 1]; ++k) {
      const HeldTie& held = held_[k];
      for (const LocalId n : held.nodes) {
        const double arm2 = dot(held.arm, held.arm), own = mass[held.node];
        mass[n] = std::max(mass[n], own);
        inertia[n] = std::max(inertia[n], inertia[held.node] + own * arm2);
      }
    }
    halo.max(mass);
    halo.max(inertia);
  }
  const auto scale_of = [](double s) { return s > 0.0 ? std::ldexp(1.0, bits - std::ilogb(s)) : 1.0; };
  for (const LocalId n : nodes_) {
    mass_scale_.push_back(scale_of(mass[n]));
    inertia_scale_.push_back(scale_of(inertia[n]));
  }
}

void Ties::start(state::Nodal& nodal) {
  for (const HeldTie& held : held_) {
    const Motion m = motion(held, held.arm, nodal, nodal.v, nodal.w);
    nodal.v[held.node] = m.point + cross(m.spin, held.arm);
    if (held.rotations) nodal.w[held.node] = m.spin;
  }
  started_ = true;
}

void Ties::take_arms(const state::Nodal& nodal) {
  for (HeldTie& held : held_) {
    if (held.arm == Vec3{}) continue;
    held.arm = nodal.x[held.node];
    for (int a = 0; a < corners(held); ++a) held.arm -= held.weight[a] * nodal.x[held.nodes[a]];
  }
}

void Ties::delete_elements(std::span<const DeletedElement> elements) {
  for (std::size_t k = 0; k < held_.size(); ++k)
    for (const DeletedElement& e : elements)
      if (held_[k].kind == e.kind && record_[k].element == e.element) deleted_.push_back(record_[k].at);
}

/// End a tie whose segment is deleted or whose death time has passed: the node gets its mass back.
void Ties::release(std::size_t k, state::Nodal& nodal, double time) {
  HeldTie& held = held_[k];
  Record& record = record_[k];
  const LocalId n = held.node;
  if (!let_go_[record.at] && time < model_->contacts[record.contact].death) return;
  held.alive = false;
  record.force = {};
  nodal.mass[n] += held.mass;
  nodal.inertia[n] += record.inertia;
  nodal.tied_mass[n] -= held.mass;
  nodal.tied_inertia[n] -= record.inertia;
  give_mass(k, -held.mass, -record.turning);
  count_loss(k, nodal, -held.mass, -record.inertia, -record.turning);
}

/// Count the kinetic energy that is lost because a mass transferred between node and segment changes its
/// velocity. Central differences conserve v_{n-1/2} . m v_{n+1/2}, and masses change between cycles, so the
/// balance is exact with velocities at t_{n-1/2}.
void Ties::count_loss(std::size_t k, const state::Nodal& nodal, double mass, double inertia, double turning) {
  const HeldTie& held = held_[k];
  if (!held.mine || !started_) return;
  const LocalId n = held.node;
  double lost = mass * dot(nodal.v[n], nodal.v[n]) + inertia * dot(nodal.w[n], nodal.w[n]);
  for (int a = 0; a < corners(held); ++a) {
    const Vec3 &v = nodal.v[held.nodes[a]], &w = nodal.w[held.nodes[a]];
    lost -= held.weight[a] * (mass * dot(v, v) + turning * dot(w, w));
  }
  lost_ += 0.5 * lost;
}

void Ties::give_mass(std::size_t k, double mass, double turning) {
  const HeldTie& held = held_[k];
  if (!held.mine) return;
  mass_on_the_way_ = true;
  for (int a = 0; a < corners(held); ++a) {
    const auto at = static_cast<std::size_t>(record_[k].on[a]);
    mass_[3 * at + 1] += parallel::to_fixed(held.weight[a] * mass, mass_scale_[at]);
    mass_[3 * at + 2] += parallel::to_fixed(held.weight[a] * turning, inertia_scale_[at]);
  }
}

bool Ties::has_mass(std::size_t k, const state::Nodal& nodal) const {
  const HeldTie& held = held_[k];
  return nodal.mass[held.node] != 0.0 || (held.rotations && nodal.inertia[held.node] != 0.0);
}

/// Remove the mass of a tied node, to be transferred.
void Ties::take_mass(std::size_t k, state::Nodal& nodal) {
  HeldTie& held = held_[k];
  const LocalId n = held.node;
  const double mass = nodal.mass[n], inertia = held.rotations ? nodal.inertia[n] : 0.0;
  const double turning = spins(held) ? inertia + mass * dot(held.arm, held.arm) : 0.0;
  held.mass += mass;
  record_[k].inertia += inertia;
  record_[k].turning += turning;
  nodal.mass[n] -= mass;
  nodal.inertia[n] -= inertia;
  nodal.tied_mass[n] += mass;
  nodal.tied_inertia[n] += inertia;
  give_mass(k, mass, turning);
  count_loss(k, nodal, mass, inertia, turning);
}

std::vector<double> Ties::transferred(std::vector<double> mass) const {
  std::vector<std::int64_t> sums(nodes_.size());
  for (std::int32_t l = levels_ - 1; l >= 0; --l) {
    for (std::size_t k = level_begin_[l]; k < level_begin_[l + 1]; ++k) {
      const HeldTie& held = held_[k];
      for (int a = 0; held.mine && a < corners(held); ++a) {
        const auto at = static_cast<std::size_t>(record_[k].on[a]);
        sums[at] += parallel::to_fixed(held.weight[a] * mass[held.node], mass_scale_[at]);
      }
      mass[held.node] = 0.0;
    }
    const std::array<std::span<std::int64_t>, 1> arrays{sums};
    halo_.sum(arrays, 1);
    for (std::size_t at = 0; at < nodes_.size(); ++at)
      mass[nodes_[at]] += parallel::from_fixed(std::exchange(sums[at], 0), mass_scale_[at]);
  }
  return mass;
}

/// Nodes that only this rank has get their parts at once, before messages arrive: no tie of a level depends
/// on another of the same level.
template <bool kAtomic>
void Ties::give_force(std::size_t k, state::Nodal& nodal) {
  const HeldTie& held = held_[k];
  if (!held.mine) return;
  const Vec3 force = nodal.force_at(held.node);
  Vec3 moment = cross(held.arm, force);
  if (held.rotations) moment += nodal.moment_at(held.node);
  const auto sum_of = [&](int a) -> parallel::LoadSum& {
    const auto at = static_cast<std::size_t>(held.shared ? record_[k].on[a] : n_shared_);
    return at < n_shared_ ? loads_[at] : nodal.loads[held.nodes[a]];
  };
  if (turns_with_nodes(held)) {
    for (int a = 0; a < corners(held); ++a) {
      parallel::LoadSum& sum = sum_of(a);
      add_fixed<kAtomic>(sum.force, held.weight[a] * force);
      add_fixed<kAtomic>(sum.moment, held.weight[a] * moment);
    }
    return;
  }
  NodalLoads loads;
  for (int a = 0; a < 4; ++a) loads.force[a] = held.weight[a] * force;
  if (!(moment == Vec3{})) SegmentSpin(held, nodal).add_moment(moment, loads);
  for (int a = 0; a < corners(held); ++a) {
    parallel::LoadSum& sum = sum_of(a);
    add_fixed<kAtomic>(sum.force, loads.force[a]);
    if (spins(held)) add_fixed<kAtomic>(sum.moment, loads.moment[a]);
  }
}

void Ties::share_among_threads(std::size_t n_nodes) {
  runs_ = static_cast<std::size_t>(omp_get_max_threads());
  for (std::int32_t l = 0; l < levels_ && runs_ > 1; ++l) {
    const std::size_t begin = level_begin_[l], n = level_begin_[l + 1] - begin;
    if (n <= kTiesForThreads) continue;
    std::vector<std::array<LocalId, 4>> segments;
    for (std::size_t k = begin; k < begin + n; ++k) segments.push_back(held_[k].nodes);
    const std::vector<char> meets = find_meetings(segments, runs_, n_nodes);
    for (std::size_t k = 0; k < n; ++k) held_[begin + k].meets = meets[k] != 0;
  }
}

/// Only the node's own tie takes mass and force from a tied node, so ties of a level are independent except
/// where they add to nodes.
void Ties::give_loads(std::size_t level, state::Nodal& nodal) {
  const std::size_t begin = level_begin_[level], n = level_begin_[level + 1] - begin;
  const std::size_t runs = n > kTiesForThreads ? runs_ : 1;
#pragma omp parallel for schedule(static, 1) if (runs > 1)
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t end = begin + run_begin(n, run + 1, runs);
    for (std::size_t k = begin + run_begin(n, run, runs); k < end; ++k) {
      k = passes_.give(held_, k, end, nodal.mass.data(), nodal.inertia.data(), nodal.loads.data());
      if (k < end) give_one(k, nodal);
    }
  }
}

void Ties::give_one(std::size_t k, state::Nodal& nodal) {
  if (!held_[k].alive) return;
  if (has_mass(k, nodal)) {
#pragma omp critical(crumple_ties_mass)
    take_mass(k, nodal);
  }
  if (held_[k].meets)
    give_force<true>(k, nodal);
  else
    give_force<false>(k, nodal);
}

/// Add the sums over all ranks to the nodes.
void Ties::receive(state::Nodal& nodal) {
  const auto loads = parallel::sums_of(loads_);
  const std::array sums{loads[0], loads[1], parallel::NodeSums(mass_, 3)};
  halo_.begin_sum(sums);
  halo_.finish_sum(sums);
  for (std::size_t i = 0; i < n_shared_; ++i) {
    nodal.loads[nodes_[i]].add(loads_[i]);
    loads_[i].clear();
  }
  const std::size_t any = mass_on_the_way_ ? nodes_.size() : n_shared_;
  bool some_let_go = false;
#pragma omp parallel for schedule(static) reduction(|| : some_let_go) if (any > kReceivedForThreads)
  for (std::size_t k = 0; k < any; ++k) {
    std::int64_t* const sum = &mass_[3 * k];
    const LocalId n = nodes_[k];
    if (sum[0] != 0) let_go_[k] = 1, some_let_go = true;
    if (sum[1] != 0) nodal.mass[n] += parallel::from_fixed(sum[1], mass_scale_[k]);
    if (sum[2] != 0) nodal.inertia[n] += parallel::from_fixed(sum[2], inertia_scale_[k]);
    std::fill_n(sum, 3, 0);
  }
  some_let_go_ = some_let_go_ || some_let_go;
  mass_on_the_way_ = false;
}

void Ties::transfer(state::Nodal& nodal, double time) {
  if (levels_ == 0) return;
  const bool some_end = some_let_go_ || time >= first_death_;
  for (std::int32_t l = levels_ - 1; l >= 0; --l) {
    const std::size_t begin = level_begin_[l], end = level_begin_[l + 1];
    for (std::size_t k = begin; some_end && k < end; ++k)
      if (held_[k].alive) release(k, nodal, time);
    give_loads(static_cast<std::size_t>(l), nodal);
    if (l == 0) {  // for the next cycle, on all ranks at once
      for (const std::int32_t at : deleted_) mass_[3 * std::size_t(at)] = 1;
      mass_on_the_way_ = mass_on_the_way_ || !deleted_.empty();
      deleted_.clear();
    }
    receive(nodal);
  }
}

/// Calls `visit(k)` for active ties, in an order in which a segment's node that is tied itself comes first.
template <class Visit>
void Ties::for_each_by_level(Visit visit) const {
  for (std::int32_t l = 0; l < levels_; ++l) {
    const std::size_t begin = level_begin_[l], end = level_begin_[l + 1];
#pragma omp parallel for schedule(static) if (end - begin > kTiesForThreads)
    for (std::size_t k = begin; k < end; ++k)
      if (held_[k].alive) visit(k);
  }
}

void Ties::accelerate(state::Nodal& nodal) {
  for_each_by_level([&](std::size_t k) {
    const HeldTie& held = held_[k];
    const LocalId n = held.node;
    const Motion acceleration = motion(held, held.arm, nodal, nodal.a, nodal.alpha);
    nodal.a[n] = acceleration.point;
    if (!(held.arm == Vec3{})) nodal.a[n] += cross(acceleration.spin, held.arm);
    if (held.rotations) nodal.alpha[n] = acceleration.spin;
    record_[k].force = held.mass * nodal.a[n] - nodal.force_at(n);
  });
}

void Ties::move(state::Nodal& nodal, double dt_x) {
  for (std::int32_t l = 0; l < levels_; ++l) {
    const std::size_t begin = level_begin_[l], n = level_begin_[l + 1] - begin;
    const std::size_t runs = n > kTiesForThreads ? runs_ : 1;
#pragma omp parallel for schedule(static, 1) if (runs > 1)
    for (std::size_t run = 0; run < runs; ++run) {
      const std::size_t end = begin + run_begin(n, run + 1, runs);
      for (std::size_t k = begin + run_begin(n, run, runs); k < end; ++k) {
        k = passes_.move(held_, k, end, dt_x, nodal.v.data(), nodal.w.data());
        if (k < end && held_[k].alive) move_one(held_[k], nodal, dt_x);
      }
    }
  }
}

void Ties::move_one(HeldTie& held, state::Nodal& nodal, double dt_x) const {
  const Motion velocity = turns_with_nodes(held) ? Motion{at_point(held, nodal.v), at_point(held, nodal.w)}
                                                 : motion(held, held.arm, nodal, nodal.v, nodal.w);
  const LocalId n = held.node;
  Vec3 v = velocity.point;
  if (!(held.arm == Vec3{})) {
    const Vec3 arm = turned(held.arm, dt_x * velocity.spin);
    // The arm rotates by exactly its end's displacement, so the node stays on it.
    v += (1.0 / dt_x) * (arm - held.arm);
    held.arm = arm;
  }
  nodal.v[n] = v;
  if (held.rotations) nodal.w[n] = velocity.spin;
}

/// All ranks that have a tied node have its tie; forces are of one step.
void Ties::archive(state::Archive& archive) {
  using state::Of, state::Rows;
  static_assert(field_count<HeldTie>() == 12 && field_count<Record>() == 10, "is the new member carried on?");
  if (levels_ == 0) return;
  const auto here = archive.module("ties");
  std::vector<GlobalId> tied, nodes;  // user ids
  for (const Record& record : record_) tied.push_back(record.id);
  for (const LocalId n : nodes_) nodes.push_back(model_->nodes.id[static_cast<std::size_t>(n)]);
  const Rows of_ties = Rows::equal(Of::entity, tied);
  archive.member("alive", of_ties, std::span(held_), &HeldTie::alive);
  archive.member("arm", of_ties, std::span(held_), &HeldTie::arm);
  archive.member("mass", of_ties, std::span(held_), &HeldTie::mass);
  archive.member("inertia", of_ties, std::span(record_), &Record::inertia);
  archive.member("turning inertia", of_ties, std::span(record_), &Record::turning);
  archive.field("let go", Rows::equal(Of::entity, nodes), std::span(let_go_));
  archive.global_sum("lost energy", lost_, comm_.rank());
  if (archive.reading()) some_let_go_ = std::ranges::any_of(let_go_, [](char gone) { return gone != 0; });
}

/// Add a tie's force to the sums of transducers.
void Ties::measure(std::size_t k, std::span<parallel::ExactSum> sums) const {
  const Record& record = record_[k];
  for (const Transducer& t : transducers_) {
    const auto add = [&](double share) {
      for (int c = 0; c < 3; ++c) sums[3 * std::size_t(t.contact) + c] += share * record.force[c];
    };
    if (t.between) {
      add(t.between_sign(record.id, record.ids));
      continue;
    }
    if (t.on_a(record.id)) add(1.0);
    for (int a = 0; a < corners(held_[k]); ++a)
      if (t.on_a(record.ids[a])) add(-held_[k].weight[a]);
  }
}

void Ties::add_results(std::span<ContactResult> results) const {
  if (levels_ == 0) return;
  std::vector<parallel::ExactSum> sums(3 * results.size());
  std::vector<std::int64_t> count(results.size(), 0);
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const Record& record = record_[k];
    if (!held_[k].mine || !held_[k].alive) continue;
    ++count[record.contact];
    for (int c = 0; c < 3; ++c) sums[3 * std::size_t(record.contact) + c] += record.force[c];
    measure(k, sums);
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
