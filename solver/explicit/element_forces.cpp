// Runs kernels on threads, joins their sums, and finds steps and deletions of elements.
#include "explicit/element_forces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/at_work.hpp"
#include "base/processor_time.hpp"
#include "explicit/element_copies.hpp"
#include "explicit/plain_block.hpp"
#include "model/element_rows.hpp"
#include "state/archive_state.hpp"

namespace crumple::explicit_dynamics {

using state::ElementGroup;

namespace {
constexpr std::int32_t kBlocksAtOnce = 64;  ///< few enough that their steps are still in a cache afterwards
constexpr double kEvenEnough = 1.01;        ///< limit of the slowest thread's time over the mean

template <class T>
std::vector<std::int32_t> numbers_of_blocks(std::span<const ElementGroup<T>> groups) {
  std::vector<std::int32_t> numbers;
  for (const ElementGroup<T>& group : groups) numbers.push_back(group.blocks());
  return numbers;
}
}  // namespace

template <class T>
ElementForces<T>::ElementForces(const model::Model& model, elements::Isa isa, std::span<const char> shared,
                                std::span<const parallel::LoadSum> loads, int threads)
    : model_(model),
      groups_(state::make_groups<T>(model, isa, shared)),
      views_(state::views_of(groups_)),
      border_(share_blocks<T>(groups_, true, shared.size(), threads)),
      interior_(share_blocks<T>(groups_, false, shared.size(), threads)),
      times_(numbers_of_blocks<T>(groups_)),
      apart_(static_cast<std::size_t>(threads - 1)),
      findings_(static_cast<std::size_t>(threads)) {
  for (Apart& apart : apart_) apart = std::make_unique_for_overwrite<parallel::LoadSum[]>(shared.size());
  set_apart(border_, loads);
  set_apart(interior_, loads);
  for (ElementGroup<T>& group : groups_) {
    writable_.emplace_back(group);
    was_alive_.emplace_back(group.count, kAlive);
    asleep_.push_back(0);
    longer_.emplace_back();
  }
}

/// Separate sums of threads start at zero, with the scales of the nodes.
template <class T>
void ElementForces<T>::set_apart(const BlockShares& shares, std::span<const parallel::LoadSum> loads) {
  for (const Apart& apart : apart_)
    for (const LocalId n : shares.joined) apart[n] = loads[n], apart[n].clear();
}

/// Change shares if one thread took longer than others twice in a row: once may come from other load on the
/// machine. Sums do not depend on which thread adds.
template <class T>
void ElementForces<T>::balance(bool border, std::span<const parallel::LoadSum> loads) {
  BlockShares& shares = border ? border_ : interior_;
  const bool uneven = times_.unevenness(shares) > kEvenEnough;
  if (std::exchange(was_uneven_[border], uneven) && uneven) {
    const int threads = static_cast<int>(shares.of_thread.size());
    shares = share_blocks<T>(groups_, border, loads.size(), threads, times_.seconds());
    set_apart(shares, loads);
    was_uneven_[border] = false;
  }
}

template <class T>
void ElementForces<T>::add_border(state::Nodal& nodal, double time, double dt, model::Stage stage) {
  if (!apart_.empty()) {
    measured_ = times_.begin_cycle();
    if (times_.complete()) balance(true, nodal.loads), balance(false, nodal.loads);
  }
  smallest_step_ = kNoLimit;
  broken_ = false;
  deletions_.clear();
  add(border_, nodal, time, dt, stage);
}

template <class T>
void ElementForces<T>::add_interior(state::Nodal& nodal, double time, double dt, model::Stage stage) {
  add(interior_, nodal, time, dt, stage);
}

template <class T>
void ElementForces<T>::add(const BlockShares& shares, state::Nodal& nodal, double time, double dt,
                           model::Stage stage) {
  const int threads = static_cast<int>(shares.of_thread.size());
#pragma omp parallel num_threads(threads)
  {
    // There may be fewer threads than requested (OMP_THREAD_LIMIT, OMP_DYNAMIC): they also compute the other
    // shares.
#pragma omp for schedule(static, 1)
    for (int share = 0; share < threads; ++share) add_share(shares, share, nodal, time, dt, stage);
#pragma omp for schedule(static, 1)
    for (int share = 0; share < threads; ++share) join(shares, share, nodal);
  }
  for (const Findings& found : findings_) {
    smallest_step_ = std::min(smallest_step_, static_cast<double>(found.smallest));
    broken_ = broken_ || found.broken;
    deletions_.insert(deletions_.end(), found.deletions.begin(), found.deletions.end());
  }
}

/// For the report of a crash.
template <class T>
void ElementForces<T>::note(const ElementGroup<T>& g, int thread, std::int32_t begin,
                            std::int32_t end) const {
  const std::int32_t first = begin * elements::kLanes, last = std::min(end * elements::kLanes, g.count) - 1;
  note_elements(thread == 0, static_cast<int>(g.kind()), model::kind_name(g.kind()), model_.parts[g.part].id,
                g.id[first], g.id[last]);
}

/// The work of one thread.
template <class T>
void ElementForces<T>::add_share(const BlockShares& shares, int thread, state::Nodal& nodal, double time,
                                 double dt, model::Stage stage) {
  Findings found;
  const double of_run = stage == model::Stage::relaxation ? 0.0 : time;  // time for failure of welds (TFAIL)
  for (const BlockRange& range : shares.of_thread[thread]) {
    if (asleep_[range.group] != 0) continue;
    parallel::LoadSum* loads = range.apart ? apart_[thread - 1].get() : nodal.loads.data();
    for (std::int32_t begin = range.begin; begin < range.end; begin += kBlocksAtOnce) {
      const std::int32_t end = std::min(begin + kBlocksAtOnce, range.end);
      note(groups_[range.group], thread, begin, end);
      const double start = measured_ ? processor_time() : 0.0;
      groups_[range.group].run(nodal, loads, of_run, dt, begin, end);
      inspect(range.group, begin, end, time, stage, found);
      if (measured_) times_.add(range.group, begin, end, processor_time() - start);
    }
  }
  findings_[thread] = std::move(found);
}

/// Joins sums, with an equal part of the nodes for each thread.
template <class T>
void ElementForces<T>::join(const BlockShares& shares, int thread, state::Nodal& nodal) {
  const std::size_t n = shares.joined.size(), threads = shares.of_thread.size();
  for (std::size_t i = n * thread / threads; i < n * (thread + 1) / threads; ++i)
    for (Apart& apart : apart_) {
      const LocalId n = shares.joined[i];
      nodal.loads[n].add(apart[n]);
      apart[n].clear();
    }
}

/// Checks blocks [begin, end): the smallest step, elements whose step is not a number, and deletions.
template <class T>
void ElementForces<T>::inspect(std::size_t group, std::int32_t begin, std::int32_t end, double time,
                               model::Stage stage, Findings& found) {
  ElementGroup<T>& g = groups_[group];
  const std::int32_t first = begin * elements::kLanes, last = std::min(end * elements::kLanes, g.count);
  const auto least = static_cast<T>(g.ready.material.min_time_step);  // TDEL
  const auto scaled = static_cast<T>(least_step_[g.kind()]);          // ERODE
  const std::vector<T>& longer = longer_[group];
  const auto below_tdel = [&](std::int32_t e) { return least > T(0) && !(g.step[e] >= least); };
  const auto below_dtmin = [&](std::int32_t e) {
    const T step = longer.empty() ? g.step[e] : g.step[e] * longer[e];
    return scaled > T(0) && !(step >= scaled);
  };
  const bool may_be_shorter = !longer.empty() && model_.control.dt2ms > 0.0;
  const double failure_time = g.ready.material.failure_time;
  const bool may_fail = failure_time > 0 || (failure_time < 0 && stage == model::Stage::transient);
  const bool failed = may_fail && time > std::abs(failure_time);  // FAILTM
  if (failed) std::fill(g.alive.begin() + first, g.alive.begin() + last, T(0));
  const auto look = [&](std::int32_t e) {
    DeletionCause cause = failed ? DeletionCause::failtm : DeletionCause::law;
    if (g.alive[e] != T(0) && (below_tdel(e) || below_dtmin(e))) {
      cause = below_tdel(e) ? DeletionCause::tdel : DeletionCause::dtmin;
      g.alive[e] = T(0);
    }
    if (g.alive[e] != T(0)) {
      if (!(g.step[e] > T(0))) found.broken = true;
      found.smallest = std::min(found.smallest, g.step[e]);
    } else if (was_alive_[group][e] != kDead) {
      if (const char mark = was_alive_[group][e]; mark >= kMarked)
        cause = static_cast<DeletionCause>(mark - kMarked);
      was_alive_[group][e] = kDead;
      found.deletions.push_back(
          {g.kind(), g.element[e], {g.kind(), g.id[e], model_.parts[g.part].id}, cause});
    }
  };
  for (std::int32_t e = first; e < last; e += elements::kLanes) {
    const std::int32_t next = e + elements::kLanes;
    const bool whole = next <= last && !may_be_shorter;
    const T smallest = whole ? least_step_of_living(&g.step[e], &g.alive[e]) : T(0);
    if (smallest > T(0) && smallest >= least && smallest >= scaled)
      found.smallest = std::min(found.smallest, smallest);
    else
      for (std::int32_t k = e; k < std::min(next, last); ++k) look(k);
  }
}

template <class T>
void ElementForces<T>::scale_steps(bool border, MassFactors& factors) {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (longer_[g].empty()) longer_[g].assign(static_cast<std::size_t>(groups_[g].count), T(1));
  scales_ = true;
  const BlockShares& shares = border ? border_ : interior_;
  const int threads = static_cast<int>(shares.of_thread.size());
  T smallest = T(kNoLimit);
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(min : smallest)
  for (int share = 0; share < threads; ++share)  // each share on the thread that has just computed it
    for (const BlockRange& range : shares.of_thread[share])
      for (std::int32_t b = range.begin; b < range.end && asleep_[range.group] == 0; ++b)
        smallest = std::min(smallest, scale_block(range.group, b, factors));
  smallest_step_ = border ? smallest : std::min(smallest_at_border_, static_cast<double>(smallest));
  if (border) smallest_at_border_ = smallest_step_;
}

/// The smallest step of the block's elements that are not deleted.
template <class T>
T ElementForces<T>::scale_block(std::size_t group, std::int32_t block, MassFactors& factors) {
  ElementGroup<T>& g = groups_[group];
  const std::int32_t begin = block * elements::kLanes, end = std::min(begin + elements::kLanes, g.count);
  const bool full = end == begin + elements::kLanes;
  const auto least = [&] { return full ? least_step_of_living(&g.step[begin], &g.alive[begin]) : T(0); };
  T smallest = least();
  const std::span<const double> mass = factors.of_block(group, block, static_cast<double>(smallest));
  if (!mass.empty()) {
    for (std::int32_t e = begin; e < end; ++e) {
      longer_[group][e] = static_cast<T>(std::sqrt(mass[e - begin]));
      g.step[e] *= longer_[group][e];
    }
    smallest = least();
  }
  if (smallest > T(0)) return smallest;
  smallest = T(kNoLimit);
  for (std::int32_t e = begin; e < end; ++e)
    if (g.is_alive(e)) smallest = std::min(smallest, g.step[e]);
  return smallest;
}

template <class T>
void ElementForces<T>::sleep(std::span<const char> parts) {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    asleep_[g] = parts[static_cast<std::size_t>(groups_[g].part)];
}

template <class T>
void ElementForces<T>::mark_deleted(const std::function<bool(const ElementName&)>& gone,
                                    DeletionCause cause) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    ElementGroup<T>& group = groups_[g];
    for (std::int32_t e = 0; e < group.count; ++e) {
      if (!group.is_alive(e) || !gone({group.kind(), group.id[e], model_.parts[group.part].id})) continue;
      group.alive[e] = T(0);
      was_alive_[g][e] = static_cast<char>(kMarked + static_cast<char>(cause));
    }
  }
}

template <class T>
std::unique_ptr<ElementCopies> ElementForces<T>::copies(const Wanted& wanted) const {
  return std::make_unique<CopiesOf<T>>(groups_, wanted);
}

std::unique_ptr<Elements> make_elements(bool single_precision, const model::Model& model, elements::Isa isa,
                                        std::span<const char> shared,
                                        std::span<const parallel::LoadSum> loads, int threads) {
  if (single_precision) return std::make_unique<ElementForces<float>>(model, isa, shared, loads, threads);
  return std::make_unique<ElementForces<double>>(model, isa, shared, loads, threads);
}

template <class T>
void ElementForces<T>::archive_state(state::Archive& archive) {
  state::archive_groups<T>(archive, model_, groups_);
  if (!archive.reading()) return;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::int32_t e = 0; e < groups_[g].count; ++e)
      was_alive_[g][e] = groups_[g].is_alive(e) ? kAlive : kDead;
}

template <class T>
void ElementForces<T>::archive(state::Archive& archive) {
  archive_state(archive);
  const auto here = archive.module("elements");
  for (const model::ElementKindInfo& kind : model::element_kinds())
    archive.global(std::string("least step ") + kind.name, least_step_[kind.kind]);
  archive_scales(archive);
}

/// By how much scaled masses had lengthened the steps of the last cycle.
template <class T>
void ElementForces<T>::archive_scales(state::Archive& archive) {
  archive.global("scales", scales_);
  for (std::size_t g = 0; scales_ && g < groups_.size(); ++g) {
    std::vector<GlobalId> orders;
    for (const LocalId e : groups_[g].element)
      orders.push_back(model::rows_of(model_, groups_[g].kind()).order[static_cast<std::size_t>(e)]);
    longer_[g].resize(orders.size());
    archive.field(std::string("longer ") + model::kind_name(groups_[g].kind()),
                  state::Rows::own(state::Of::element, orders), std::span(longer_[g]));
  }
}

template class ElementForces<float>;
template class ElementForces<double>;

}  // namespace crumple::explicit_dynamics
