// The cycle of a ContactSystem: takes motion, adds forces, and answers queries.
#include "contact/contact_system.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "contact/contact_parts.hpp"
#include "contact/force/add_fixed.hpp"
#include "contact/force/ask_for_all.hpp"
#include "contact/search/pair_gaps.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/fixed_point.hpp"
#include "simd/vec.hpp"

namespace crumple::contact {

namespace {

// Below these counts starting threads takes longer than the loop.
constexpr std::size_t kActiveForThreads = 512, kSteppedForThreads = 256;

/// Prefetch the motion and mass of a node. Always inlined, because GCC drops calls without other effects.
[[gnu::always_inline]] inline void ask_for_motion(LocalId node, const state::Nodal& nodal) {
  __builtin_prefetch(&nodal.x[node]);
  __builtin_prefetch(&nodal.v[node]);
  __builtin_prefetch(&nodal.mass[node]);
  if (!nodal.tied_mass.empty()) __builtin_prefetch(&nodal.tied_mass[node]);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void ContactSystem::prepare_cycle(const state::Nodal& nodal, double dt) {
  if (passes_.empty() && lines_.empty() && !any_mortar(sides_)) return;
  if (std::exchange(deletes_, false)) exchange_deletions();
  sort_if_moved(nodal, dt);
  post(nodal);
}

void ContactSystem::measure_and_prepare(const state::Nodal& nodal) {
  if (passes_.empty() && lines_.empty() && !any_mortar(sides_)) return;
  measure(nodal);
  prepare_cycle(nodal, 0.0);
}

void ContactSystem::expect_new_masses() {
  masses_change_ = true;
  for (LineContact& lines : lines_) lines.expect_new_masses();
  for_each_mortar(sides_, [](auto& m) { m.expect_new_masses(); });
}

void ContactSystem::post(const state::Nodal& nodal) {
  exchange_.post(nodal);
  for (LineContact& lines : lines_) lines.post(nodal);
  for_each_mortar(sides_, [&](auto& m) { m.post(nodal); });
}

void ContactSystem::gather_used(const state::Nodal& nodal) {
  const auto start = std::chrono::steady_clock::now();
  exchange_.finish(used_);
  neighbours_.advance(nodal.x.data(), used_.local, used_.x);
  for (Pass& pass : passes_) add_steps(pass);
  for (parallel::FixedVector& f : used_.force) f.sum = {};
  timing_.wait += seconds_since(start);
}

/// A cluster's nodes come nearer to each other by at most the sum of the steps.
void ContactSystem::add_steps(Pass& pass) const {
#pragma omp parallel for if (pass.clusters.size() > kSteppedForThreads)
  for (std::size_t c = 0; c < pass.clusters.size(); ++c) {
    NodeCluster& cluster = pass.clusters[c];
    const double step =
        neighbours_.bound(std::span(pass.cluster_blocks)
                              .subspan(cluster.blocks_begin, cluster.blocks_end - cluster.blocks_begin));
    cluster.step = static_cast<float>(step);
    cluster.moved += step;
  }
}

PassView ContactSystem::view(const Pass& pass, const state::Nodal& nodal, double dt) const {
  PassView view;
  view.law = &pass.law;
  view.segments = pass.segments;
  view.planes = pass.planes;
  view.used = &used_;
  view.v = nodal.v.data();
  view.masses = masses_change_ ? &nodal : nullptr;
  view.dt = dt;
  view.soft_dt = soft_dt_;
  view.first = !pass.started;
  return view;
}

/// A view of one node, made in every cycle of every contact. All members are set at once, so that none is
/// cleared first.
NodeView ContactSystem::view(const Pass& pass, std::size_t active, const state::Nodal& nodal) const {
  const CandidateLists& lists = pass.candidates;
  const Side& side = sides_[pass.node_side];
  const std::int32_t i = lists.node[active];
  const TrackedNode& tracked = side.nodes[i];
  NodeView view;
  view.x = nodal.x[tracked.node];
  view.v = nodal.v[tracked.node];
  view.outward = tracked.outward;
  if (!side.planes.empty()) view.shift = side.planes[i].shift(nodal.x);
  view.half_thickness = tracked.half_thickness;
  view.stiffness = tracked.stiffness;
  view.mass = nodal.own_mass(tracked.node);
  view.stands_for = pass.law.segment_based ? &side.shares[i] : nullptr;
  view.part = tracked.part;
  view.area = tracked.area;
  view.rigid = tracked.rigid_body >= 0;
  view.keep_initial = tracked.beam_end || view.rigid;
  view.pairs = lists.of(active);
  return view;
}

/// Sets position, velocity and effective mass of a point of a segment.
void ContactSystem::set_point(const SegmentPoint& point, const state::Nodal& nodal, NodeView& view) {
  view.x = point.of(nodal.x);
  view.v = point.of(nodal.v);
  double inverse = 0.0;
  for (int k = 0; k < point.corners; ++k)
    if (const double m = nodal.own_mass(point.node[k]); m > 0.0)
      inverse += point.weight[k] * point.weight[k] / m;
  view.mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
}

/// Add a force to a tracked node, or to the nodes of its segment if it is a point.
template <bool kAtomic>
void ContactSystem::scatter_own(const Side& side, std::size_t tracked, const Vec3& f,
                                std::span<parallel::LoadSum> loads) {
  const auto add = [&](std::size_t local, const Vec3& part) { add_fixed<kAtomic>(loads[local].force, part); };
  if (!side.has_points()) return add(side.nodes[tracked].node, f);
  const SegmentPoint& point = side.points[tracked];
  for (int k = 0; k < point.corners; ++k) add(point.node[k], point.weight[k] * f);
}

/// Add a node's contact forces to it and their opposites to the segments' nodes.
template <bool kAtomic>
void ContactSystem::scatter(const Pass& pass, std::size_t i, std::span<parallel::LoadSum> loads) {
  const auto n_local = static_cast<std::int32_t>(used_.n_local());
  Vec3 sum;
  for (int k = 0; k < pass.count[i]; ++k) {
    const Slot& slot = pass.slots[i].slot[k];
    sum += slot.force;
    const CandidateSegment& segment = pass.segments[slot.segment];
    for (int a = 0; a < segment.corners; ++a) {
      const Vec3 f = -slot.weight[a] * slot.force;
      if (const std::int32_t node = segment.node[a]; node < n_local) {
        const std::size_t local = used_.local[node];
        add_fixed<kAtomic>(loads[local].force, f);
      } else {
        const std::size_t copy = node - n_local;
        add_fixed<kAtomic>(used_.force[copy], f);
      }
    }
  }
  scatter_own<kAtomic>(sides_[pass.node_side], i, sum, loads);
}

/// Prefetch what the law reads and writes at the nodes of segments within reach.
[[gnu::always_inline]] inline void ContactSystem::ask_for_loads(std::span<const SegmentWithinReach> near,
                                                                const PassView& pass,
                                                                std::span<parallel::LoadSum> loads) const {
  const auto n_local = static_cast<std::int32_t>(used_.n_local());
  for (const SegmentWithinReach& one : near)
    for (const std::int32_t node : pass.segments[one.segment].node) {
      if (node >= n_local) continue;
      const LocalId local = used_.local[node];
      __builtin_prefetch(&loads[local], 1);
      __builtin_prefetch(&pass.v[local]);
    }
}

/// Most nodes, and most clusters of nodes, are still too far from all their candidates to touch.
template <bool kAtomic>
void ContactSystem::evaluate(Pass& pass, const state::Nodal& nodal, double dt,
                             std::span<parallel::LoadSum> loads) {
  const PassView of_pass = view(pass, nodal, dt);
  constexpr std::size_t together =
      kAtomic ? 8 : 32;  // clusters that a thread looks at before it evaluates some
  due_.resize(std::max(due_.size(), static_cast<std::size_t>(omp_get_max_threads())));
#pragma omp parallel if (kAtomic)
  {
    Due& due = due_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic)
    for (std::size_t first = 0; first < pass.clusters.size(); first += together) {
      find_due_clusters(pass, first, std::min(first + together, pass.clusters.size()), nodal, due);
      const std::size_t n = due.batches.size();
      if (n > 0) ask_for_nodes(pass, due.batch(0), nodal);
      for (std::size_t k = 0; k < n; ++k) {
        if (k + 2 < n) ask_for_lists(pass, due.batch(k + 2));
        if (k + 1 < n) ask_for_nodes(pass, due.batch(k + 1), nodal);
        evaluate<kAtomic>(pass, of_pass, due.batch(k), nodal, due, loads);
      }
    }
  }
  pass.started = true;
}

template <bool kAtomic>
void ContactSystem::evaluate(Pass& pass, const PassView& of_pass, std::span<const std::size_t> clusters,
                             const state::Nodal& nodal, Due& due, std::span<parallel::LoadSum> loads) {
  find_due(pass, clusters, nodal, due);
  for (std::size_t k = 0; k < due.nodes.size(); ++k) {
    if (k + 1 < due.nodes.size()) ask_for_loads(due.near.of(k + 1), of_pass, loads);
    update<kAtomic>(pass, of_pass, due, k, loads);
  }
  look_ahead(pass, clusters, due);
}

/// Calls `visit(i)` for the nodes of a cluster that are due, with their numbers in the candidate lists.
template <class Visit>
void ContactSystem::for_each_due(const Pass& pass, std::size_t cluster, Visit visit) {
  const double moved = pass.clusters[cluster].moved;
  const std::vector<float>& gaps = pass.candidates.least_gap;
  const std::size_t end = std::min((cluster + 1) * kClusterNodes, gaps.size());
  for (std::size_t active = cluster * kClusterNodes; active < end; ++active)
    if (static_cast<double>(gaps[active]) <= moved) visit(active);
}

/// Lists the clusters from `first` up to `end` that have nodes that may touch now, in batches of so many due
/// nodes that their pairs fill vectors. What is read first of them is prefetched: since the last cycle
/// elements have used the cache.
void ContactSystem::find_due_clusters(Pass& pass, std::size_t first, std::size_t end,
                                      const state::Nodal& nodal, Due& due) const {
  for (std::size_t c = first; c < end; ++c)
    if (const NodeCluster& cluster = pass.clusters[c]; cluster.watches_now())
      for (const Watch& watch : cluster.watches) ask_for_all(watch);
  due.clusters.clear();
  due.batches.clear();
  std::size_t begin = 0, nodes = 0;
  for (std::size_t c = first; c < end; ++c) {
    NodeCluster& cluster = pass.clusters[c];
    if (cluster.watches_now()) end_watches(pass, cluster, nodal);
    if (static_cast<double>(cluster.least_gap) > cluster.moved) continue;
    due.clusters.push_back(c);
    for_each_due(pass, c, [&](std::size_t) { ++nodes; });
    if (nodes < kDueTogether) continue;
    due.batches.push_back({begin, due.clusters.size()});
    begin = due.clusters.size(), nodes = 0;
  }
  if (begin < due.clusters.size()) due.batches.push_back({begin, due.clusters.size()});
  for (std::size_t k = 0; k < std::min<std::size_t>(2, due.batches.size()); ++k)
    ask_for_lists(pass, due.batch(k));
}

/// Prefetch what is known of the due nodes of clusters, and their pairs.
void ContactSystem::ask_for_lists(const Pass& pass, std::span<const std::size_t> clusters) const {
  const CandidateLists& lists = pass.candidates;
  const Side& side = sides_[pass.node_side];
  for (const std::size_t cluster : clusters)
    for_each_due(pass, cluster, [&](std::size_t active) {
      const auto pairs = lists.of(active);
      ask_for_all(side.nodes[lists.node[active]]);
      ask_for_bytes(pairs.data(), pairs.size_bytes());
    });
}

/// Prefetch the motion and the contacts of the due nodes of clusters, and the segments near them.
void ContactSystem::ask_for_nodes(const Pass& pass, std::span<const std::size_t> clusters,
                                  const state::Nodal& nodal) const {
  const CandidateLists& lists = pass.candidates;
  const Side& side = sides_[pass.node_side];
  for (const std::size_t cluster : clusters)
    for_each_due(pass, cluster, [&](std::size_t active) {
      const std::int32_t i = lists.node[active];
      ask_for_motion(side.nodes[i].node, nodal);
      pass.slots.ask_for(static_cast<std::size_t>(i));
      ask_for_all(pass.work[i]);
      visit_near(lists.of(active), pass.clusters[cluster].moved,
                 [&](const Pair& pair) { ask_for_all(pass.segments[pair.segment]); });
    });
}

/// Of a node of the candidate lists.
Vec3 ContactSystem::position(const Pass& pass, std::int32_t active, const state::Nodal& nodal) const {
  return pass.used.empty() ? sides_[pass.node_side].position(pass.candidates.node[active], nodal)
                           : used_.x[pass.used[active]];
}

/// The nodes of a cluster that have used up their room are due.
void ContactSystem::end_watches(Pass& pass, NodeCluster& cluster, const state::Nodal& nodal) const {
  cluster.watched = false;
  cluster.wake = HUGE_VAL;
  for (Watch& watch : cluster.watches) {
    if (!watch.on()) continue;
    if (!watch.sleeps(cluster.moved) &&
        watch.passed(position(pass, watch.node(), nodal), used_.x.data(), cluster.moved)) {
      watch.end();
      pass.candidates.least_gap[watch.node()] = cluster.least_gap = 0.0F;
      continue;
    }
    cluster.watched = true;
    cluster.wake = std::min(cluster.wake, watch.wake());
  }
}

/// Finds the nodes of clusters that touch or may touch now, and the segments within their reach.
void ContactSystem::find_due(Pass& pass, std::span<const std::size_t> clusters, const state::Nodal& nodal,
                             Due& due) const {
  CandidateLists& lists = pass.candidates;
  const Side& side = sides_[pass.node_side];
  due.nodes.clear();
  due.near.clear();
  for (const std::size_t cluster : clusters)
    for_each_due(pass, cluster, [&](std::size_t active) {
      NodeCluster& of_nodes = pass.clusters[cluster];
      if (Watch* const watch = of_nodes.watch(active)) watch->end();
      const std::int32_t i = lists.node[active];
      if (!side.nodes[i].alive) {
        pass.count[i] = 0;
        lists.least_gap[active] = std::numeric_limits<float>::max();  // it comes back with a sort only
        return;
      }
      if (!pass.held.empty() && pass.held[i] != 0) {
        pass.count[i] = 0;
        return;
      }
      due.nodes.push_back({i, static_cast<std::int32_t>(active), view(pass, active, nodal)});
      NodeView& node = due.nodes.back().view;
      if (side.has_points()) set_point(side.points[i], nodal, node);
      due.near.ask(node.x, node.half_thickness, node.pairs, of_nodes.moved, pass.segments);
    });
  due.near.find(closest_pairs_, used_);
}

void ContactSystem::hold(std::int32_t contact, std::span<const std::int64_t> ties) {
  for (Pass& pass : passes_) {
    if (pass.contact != contact) continue;
    const Side& side = sides_[pass.node_side];
    pass.held.resize(side.nodes.size());
    for (std::size_t i = 0; i < side.nodes.size(); ++i) pass.held[i] = ties[side.nodes[i].node] != 0;
  }
}

/// Finds how far the nodes of clusters that were due may move until they are due again. Most of them are
/// near something that they do not touch for many cycles: beside the faces of their own body, in front of
/// them, or next to a sheet that is welded to theirs. If that has not helped for long, the next cycles do
/// without.
void ContactSystem::look_ahead(Pass& pass, std::span<const std::size_t> clusters, Due& due) const {
  constexpr std::int64_t kLong = 3;   // cycles
  constexpr std::uint8_t kRest = 16;  // cycles
  CandidateLists& lists = pass.candidates;
  due.ahead.clear();
  for (std::size_t k = 0; k < due.nodes.size(); ++k) {
    const std::int32_t active = due.nodes[k].active;
    lists.least_gap[active] = 0.0F;
    if (pass.rest[active] == 0 && timing_.cycles - pass.looked[active] < kLong) pass.rest[active] = kRest;
    if (pass.rest[active] > 0)
      --pass.rest[active];
    else
      due.ahead.push_back(static_cast<std::int32_t>(k));
  }
  due.near.find_rooms(due.ahead, closest_pairs_, used_, pass.segments);
  for (const std::int32_t k : due.ahead) {
    const Due::Node& node = due.nodes[k];
    NodeCluster& cluster = pass.clusters[static_cast<std::size_t>(node.active) / kClusterNodes];
    pass.looked[node.active] = timing_.cycles;
    Watch watch;
    watch.start(node.active, node.view.x);
    const float least = due.near.set_gaps(k, lists.of(static_cast<std::size_t>(node.active)),
                                          {cluster.moved, cluster.step}, pass.segments, used_, watch);
    if (pass.count[node.tracked] > 0) continue;
    lists.least_gap[node.active] = least;
    if (!watch.on()) continue;
    cluster.keep(node.active, watch);
  }
  for (const std::size_t c : clusters) {
    const std::size_t first = c * kClusterNodes, n = std::min(kClusterNodes, lists.node.size() - first);
    pass.clusters[c].least_gap = std::ranges::min(std::span(lists.least_gap).subspan(first, n));
  }
}

/// Update the contacts of a node and add its forces.
template <bool kAtomic>
void ContactSystem::update(Pass& pass, const PassView& of_pass, Due& due, std::size_t k,
                           std::span<parallel::LoadSum> loads) {
  const std::int32_t i = due.nodes[k].tracked;
  NodeView& node = due.nodes[k].view;
  node.near = due.near.of(k);
  const bool has_room = pass.slots.has(i);
  update_node(of_pass, node, has_room ? pass.slots[i] : due.fresh, pass.count[i], pass.work[i],
              due.workspace);
  if (pass.count[i] == 0) return;
  if (!has_room) {
#pragma omp critical(crumple_contact_slots)
    pass.slots.take(i) = due.fresh;
  }
  scatter<kAtomic>(pass, i, loads);
}

/// End all contacts of the pass.
void ContactSystem::end(Pass& pass, const state::Nodal& nodal, double dt) {
  const PassView of_pass = view(pass, nodal, dt);
  for (std::size_t active = 0; active < pass.candidates.node.size(); ++active) {
    const std::int32_t i = pass.candidates.node[active];
    if (pass.count[i] == 0) continue;
    NodeView of_node = view(pass, active, nodal);
    const Side& side = sides_[pass.node_side];
    if (side.has_points()) set_point(side.points[i], nodal, of_node);
    count_last_forces(of_pass, of_node, pass.slots[i], pass.count[i], pass.work[i]);
  }
  std::fill(pass.count.begin(), pass.count.end(), 0);
}

void ContactSystem::turn(std::int32_t contact, bool on) {
  for (Pass& pass : passes_)
    if (pass.contact == contact) pass.off = !on;
  for (LineContact& lines : lines_)
    if (lines.contact() == contact) lines.turn(on);
}

void ContactSystem::add_forces(state::Nodal& nodal, double time, double dt) {
  if (passes_.empty() && lines_.empty() && !any_mortar(sides_)) return;
  gather_used(nodal);
  const auto start = std::chrono::steady_clock::now();
  soft_dt_ = std::max(soft_dt_, dt);
  const bool measured = !contact_loads_.empty();
  for (parallel::LoadSum& sum : contact_loads_) sum.clear();
  const std::span<parallel::LoadSum> loads = measured ? std::span(contact_loads_) : std::span(nodal.loads);
  for (Pass& pass : passes_) {
    if (time < pass.birth || time >= pass.death || pass.off) {
      end(pass, nodal, dt);
      if (time < pass.birth || pass.off)
        pass.started = false;  // in the transient run, after dynamic relaxation
    } else if (omp_get_max_threads() > 1 && pass.candidates.node.size() > kActiveForThreads) {
      evaluate<true>(pass, nodal, dt, loads);
    } else {
      evaluate<false>(pass, nodal, dt, loads);
    }
  }
  forget_dying();
  timing_.force += seconds_since(start);
  const auto sending = std::chrono::steady_clock::now();
  exchange_.return_forces(used_, loads);
  for (LineContact& lines : lines_) lines.add_forces(nodal, time, dt, soft_dt_, loads);
  for_each_mortar(sides_, [&](auto& m) { m.add_forces(nodal, time, dt, soft_dt_, loads); });
  if (measured)
    for (std::size_t i = 0; i < loads.size(); ++i) nodal.loads[i].add(loads[i]);
  timing_.wait += seconds_since(sending);
  ++timing_.cycles;
}

/// Calls `visit(pass, point, slot)` for all present contacts; a node counts as a point with its whole weight
/// on one node.
template <class Visit>
void ContactSystem::for_each_touch(Visit visit) const {
  for (const Pass& pass : passes_)
    for (std::size_t i = 0; i < pass.count.size(); ++i) {
      if (pass.count[i] == 0) continue;
      const Side& side = sides_[pass.node_side];
      SegmentPoint point;
      point.id[0] = side.nodes[i].id;
      point.weight[0] = 1.0;
      point.corners = 1;
      if (side.has_points()) point = side.points[i];
      for (int k = 0; k < pass.count[i]; ++k) visit(pass, point, pass.slots[i].slot[k]);
    }
}

std::vector<ContactResult> ContactSystem::results() const {
  const std::size_t n = model_.contacts.size();
  enum : std::size_t { kA, kB = 3, kEnergyA = 6, kEnergyB, kFriction, kSums };
  std::vector<parallel::ExactSum> sums(n * kSums);
  std::vector<std::int64_t> touching(n, 0);
  std::vector<double> deepest(n, 0.0);
  for (const Pass& pass : passes_) {
    parallel::ExactSum* const sum = &sums[pass.contact * kSums];
    for (std::size_t i = 0; i < pass.count.size(); ++i) {
      sum[pass.of_b ? kEnergyB : kEnergyA] += pass.work[i].total;
      sum[kFriction] += pass.work[i].friction;
      if (pass.count[i] > 0) ++touching[pass.contact];
      for (int k = 0; k < pass.count[i]; ++k) {
        const Slot& slot = pass.slots[i].slot[k];
        deepest[pass.contact] = std::max(deepest[pass.contact], slot.penetration);
        for (int c = 0; c < 3; ++c) {
          sum[kA + c] += pass.of_b ? -slot.force[c] : slot.force[c];
          sum[kB + c] += pass.of_b ? slot.force[c] : -slot.force[c];
        }
      }
    }
  }
  for (const LineContact& lines : lines_) {
    parallel::ExactSum* const sum = &sums[lines.contact() * kSums];
    LineSums of_lines;
    lines.add_to(of_lines);
    sum[kEnergyA].add(of_lines.energy);
    sum[kFriction].add(of_lines.friction);
    for (int c = 0; c < 3; ++c) {
      sum[kA + c].add(of_lines.force[c]);
      sum[kB + c].add(of_lines.minus_force[c]);
    }
    touching[lines.contact()] += of_lines.touching;
    deepest[lines.contact()] = std::max(deepest[lines.contact()], of_lines.max_penetration);
  }
  for_each_mortar(sides_, [&](const auto& m) {
    const auto c = static_cast<std::size_t>(m.contact());
    parallel::ExactSum* const sum = &sums[c * kSums];
    mortar::MortarSums of;
    m.add_to(of);
    sum[kEnergyA].add(of.energy_a);
    sum[kEnergyB].add(of.energy_b);
    sum[kFriction].add(of.friction);
    for (std::size_t k = 0; k < 3; ++k) {
      sum[kA + k].add(of.force[k]);
      sum[kB + k].add(of.minus_force[k]);
    }
    touching[c] += of.touching;
    deepest[c] = std::max(deepest[c], of.max_penetration);
  });
  add_transducers(sums, kSums);
  parallel::ExactSum::reduce(comm_, sums);
  comm_.sum(std::span<std::int64_t>(touching));
  comm_.max(std::span<double>(deepest));
  std::vector<ContactResult> results(n);
  for (std::size_t c = 0; c < n; ++c) {
    const parallel::ExactSum* const sum = &sums[c * kSums];
    ContactResult& r = results[c];
    r.id = model_.contacts[c].id;
    r.force_a = {sum[kA].value(), sum[kA + 1].value(), sum[kA + 2].value()};
    r.force_b = {sum[kB].value(), sum[kB + 1].value(), sum[kB + 2].value()};
    r.energy_a = sum[kEnergyA].value();
    r.energy_b = sum[kEnergyB].value();
    r.friction_energy = sum[kFriction].value();
    r.touching = touching[c];
    r.max_penetration = deepest[c];
  }
  return results;
}

/// A transducer's force on a is the sum of all contact forces on its nodes, or of those from b only; the
/// force on b is its negative.
void ContactSystem::add_transducers(std::vector<parallel::ExactSum>& sums, std::size_t stride) const {
  for (const Transducer& t : transducers_) {
    const auto add = [&](const Vec3& f) {
      for (int c = 0; c < 3; ++c) {
        sums[t.contact * stride + c] += f[c];
        sums[t.contact * stride + 3 + c] += -f[c];
      }
    };
    for (std::size_t k = 0; k < t.nodes.size() && !t.between; ++k)
      add(contact_loads_[t.nodes[k]].force.value());
    if (!t.between) continue;
    for_each_touch([&](const Pass&, const SegmentPoint& point, const Slot& slot) {
      if (const double sign = t.between_sign(point.id[0], slot.nodes); sign != 0.0) add(sign * slot.force);
    });
    for (const LineContact& lines : lines_)
      for (const TouchingLines& pair : lines.touching()) {
        const std::span<const GlobalId, 4> node(pair.node);
        if (const double sign = t.between_sign(node.first<2>(), node.last<2>()); sign != 0.0)
          add(sign * (pair.force[0] + pair.force[1]));
      }
    for_each_mortar(sides_, [&](const auto& m) {
      m.for_each_touch([&](const mortar::TouchingFaces& pair) {
        const std::array<GlobalId, 4> second{pair.node[4], pair.node[5], pair.node[6], pair.node[7]};
        for (int k = 0; k < pair.corners[0]; ++k)
          if (const double sign = t.between_sign(pair.node[k], second); sign != 0.0)
            add(sign * pair.force[k]);
      });
    });
  }
}

std::vector<NodalContactForce> ContactSystem::nodal_forces() const {
  std::vector<NodalContactForce> mine;
  const auto add = [&](std::int32_t number, std::int32_t b, GlobalId node, const Vec3& force) {
    const model::Contact& contact = model_.contacts[number];
    if (b == 1 ? contact.b_in_ncforc : contact.a_in_ncforc) mine.push_back({number, b, node, force});
  };
  for_each_touch([&](const Pass& pass, const SegmentPoint& point, const Slot& slot) {
    const std::int32_t of_node = pass.of_b ? 1 : 0, of_segment = pass.segment_side % 2;
    for (int k = 0; k < point.corners; ++k)
      add(pass.contact, of_node, point.id[k], point.weight[k] * slot.force);
    for (int k = 0; k < 4; ++k)
      if (slot.weight[k] != 0.0) add(pass.contact, of_segment, slot.nodes[k], -slot.weight[k] * slot.force);
  });
  for (const LineContact& lines : lines_)
    for (const TouchingLines& pair : lines.touching())
      for (int k = 0; k < 4; ++k) add(lines.contact(), pair.side[k / 2], pair.node[k], pair.force[k]);
  for_each_mortar(sides_, [&](const auto& m) {
    m.for_each_touch([&](const mortar::TouchingFaces& pair) {
      for (int k = 0; k < mortar::kPairNodes; ++k)
        if (const int side = k / mortar::kCorners; k % mortar::kCorners < pair.corners[side])
          add(m.contact(), m.single() ? 0 : side, pair.node[k], pair.force[k]);
    });
  });
  const auto all = comm_.gather(std::span<const NodalContactForce>(mine));
  std::map<std::tuple<std::int32_t, std::int32_t, GlobalId>, std::array<parallel::ExactSum, 3>> sums;
  for (const NodalContactForce& f : all)
    for (int c = 0; c < 3; ++c) sums[{f.contact, f.b, f.node}][c] += f.force[c];
  std::vector<NodalContactForce> forces;
  for (const auto& [key, sum] : sums)
    forces.push_back({std::get<0>(key),
                      std::get<1>(key),
                      std::get<2>(key),
                      {sum[0].value(), sum[1].value(), sum[2].value()}});
  return forces;
}

std::vector<InitialPenetration> ContactSystem::initial_penetrations(const state::Nodal& nodal) {
  if (passes_.empty()) return {};
  measure_and_prepare(nodal);
  gather_used(nodal);
  std::vector<InitialPenetration> mine;
  Due due;
  for (const Pass& pass : passes_) {
    if (sides_[pass.node_side].has_points()) continue;  // points have no node to report
    const PassView of_pass = view(pass, nodal, 0.0);
    for (std::size_t active = 0; active < pass.candidates.node.size(); ++active) {
      if (sides_[pass.node_side].nodes[pass.candidates.node[active]].beam_end) continue;
      NodeSlots slots;
      SlidingWork work;
      std::uint8_t count = 0;
      NodeView node = view(pass, active, nodal);
      due.near.clear();
      due.near.ask(node.x, node.half_thickness, node.pairs, measured_motion(), pass.segments);
      due.near.find(closest_pairs_, used_);
      node.near = due.near.of(0);
      update_node(of_pass, node, slots, count, work, due.workspace);
      const GlobalId id = sides_[pass.node_side].nodes[pass.candidates.node[active]].id;
      for (int k = 0; k < count; ++k)
        mine.push_back({pass.contact, id, slots.slot[k].order, slots.slot[k].penetration,
                        slots.slot[k].direction, pass.segments[slots.slot[k].segment].part});
    }
  }
  auto all = comm_.gather(std::span<const InitialPenetration>(mine));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.contact, a.node, a.segment) < std::tie(b.contact, b.node, b.segment);
  });
  return all;
}

double ContactSystem::stable_step(const state::Nodal& nodal) const {
  double least = HUGE_VAL;
  for (const Pass& pass : passes_) {
    if (pass.law.segment_based) continue;  // its stiffness is chosen to be stable
    if (pass.law.curve != nullptr) continue;
    for (const TrackedNode& node : sides_[pass.node_side].nodes)
      if (const double m = nodal.own_mass(node.node); node.stiffness > 0.0 && m > 0.0)
        least = std::min(least, std::sqrt(2.0 * m / node.stiffness));
  }
  return comm_.min(least);
}

std::size_t ContactSystem::active() const {
  std::size_t n = 0;
  for (const Pass& pass : passes_)
    n += std::count_if(pass.count.begin(), pass.count.end(), [](auto c) { return c > 0; });
  return n;
}

std::size_t ContactSystem::candidates() const {
  std::size_t n = 0;
  for (const Pass& pass : passes_) n += pass.candidates.node.size();
  return n;
}

void ContactSystem::set_margin(double fraction) {
  margin_fraction_ = fraction;
  adapt_margin_ = false;
  sorted_ = false;
}

}  // namespace crumple::contact
