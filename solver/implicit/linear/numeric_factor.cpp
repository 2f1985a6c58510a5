// Walks up the tree of fronts to factor, up and down to solve.
#include "implicit/linear/numeric_factor.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "implicit/linear/panel_solve.hpp"
#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear {

namespace {

template <class T>
T* values_of(const WorkingMemory& memory) {
  return reinterpret_cast<T*>(memory.data());
}

template <class T>
void set_to_zero(T* values, std::int64_t n, int threads) {
  constexpr std::int64_t kCleared = std::int64_t(1) << 20;
  parallel_loop((n + kCleared - 1) / kCleared, threads, [&](std::int64_t k) {
    std::fill(values + k * kCleared, values + std::min(n, (k + 1) * kCleared), T(0));
  });
}

/// Cholesky's elimination of a front.
template <class T>
struct ByCholesky {
  const Fronts& fronts;
  std::span<const double> scale;
  double zero;
  std::mutex mutex;
  double least = std::numeric_limits<double>::infinity();

  bool pivots(std::int32_t front, const FrontMemory<T>& memory, int threads, const PanelDone& done) {
    const auto first = static_cast<std::size_t>(fronts.equation[fronts.begin[front]]);
    const double own = factor_by_cholesky(
        memory, scale.subspan(first, static_cast<std::size_t>(memory.shape.pivots)), threads, done);
    const std::lock_guard lock(mutex);
    least = std::min(least, own);
    return own > zero;
  }
  void update(std::int32_t, const FrontMemory<T>& memory, std::int64_t first, std::int64_t last,
              int threads) {
    update_by_cholesky(memory, first, last, threads);
  }
};

/// Elimination that counts signs.
struct WithSigns {
  const Fronts& fronts;
  std::span<const double> scale;
  double zero;
  std::vector<Pivots>& all_pivots;
  std::mutex mutex;
  Signs all;

  bool pivots(std::int32_t front, const FrontMemory<double>& memory, int threads, const PanelDone& done) {
    const std::int64_t first = fronts.equation[fronts.begin[front]];
    Signs signs;
    factor_with_signs(
        memory, first,
        scale.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(memory.shape.pivots)), zero,
        all_pivots[front], signs, threads, done);
    const std::lock_guard lock(mutex);
    all.negative += signs.negative;
    all.zero += signs.zero;
    if (signs.first_zero >= 0 && (all.first_zero < 0 || signs.first_zero < all.first_zero))
      all.first_zero = signs.first_zero;
    return true;
  }
  void update(std::int32_t front, const FrontMemory<double>& memory, std::int64_t first, std::int64_t last,
              int threads) {
    update_with_signs(memory, all_pivots[front], first, last, threads);
  }
};

}  // namespace

/// Memory of update matrices: the stacks of one thread, or of the fronts above subtrees; and those of roots.
template <class T>
struct NumericFactor<T>::Room {
  const Plan& plan;
  const WorkingMemory& stacks;
  const WorkingMemory& roots;
  const WorkingMemory& kept;

  T* update_of(std::int32_t front) const {
    const std::uint8_t stack = plan.stack[front];
    return values_of<T>(stack == 3 ? kept : stack == 2 ? roots : stacks) + plan.update_at[front];
  }
};

template <class T>
NumericFactor<T>::NumericFactor(const Symbolic& symbolic, Plan plan, const std::string& folder,
                                MemoryCount* count)
    : symbolic_(symbolic),
      plan_(std::move(plan)),
      count_(count != nullptr ? *count : own_count_),
      store_(plan_, sizeof(T), folder, count_) {
  passed_at_.assign(1, 0);
  for (const FrontShape& shape : symbolic.fronts.shape)
    passed_at_.push_back(passed_at_.back() + shape.updated());
}

template <class T>
template <class Elimination>
bool NumericFactor<T>::make_front(std::span<const double> values, std::int32_t front, FrontRows& rows,
                                  const Room& room, int threads, Elimination& elimination) {
  const Fronts& fronts = symbolic_.fronts;
  const bool by_panels = plan_.on_disk[front] != 0;
  const auto children = fronts.children_of(front);
  const bool reads = std::any_of(children.begin(), children.end(),
                                 [&](std::int32_t child) { return plan_.on_disk[child] != 0; });
  if (reads) store_.finish();  // what is read was written
  FrontMemory<T> memory{fronts.shape[front], reinterpret_cast<T*>(store_.begin(front)),
                        by_panels ? nullptr : room.update_of(front)};
  if (!by_panels) set_to_zero(memory.update, memory.shape.update_values(), threads);
  rows.set(fronts, front);
  add_matrix(fronts, symbolic_.blocks, values, front, rows, memory);
  std::optional<ChildUpdates<T>> updates;
  if (by_panels || reads) {
    updates.emplace(fronts, plan_, store_, front, rows, by_panels,
                    [&](std::int32_t child) { return room.update_of(child); });
    updates->add_next(memory, threads);
  } else {
    for (const std::int32_t child : children) {
      const std::int64_t updated = fronts.shape[child].updated();
      add_child(room.update_of(child), {updated, 0, updated}, row_runs(fronts, child, rows), memory, threads);
    }
  }
  const FrontShape& shape = memory.shape;
  const bool good = elimination.pivots(front, memory, threads, [&](std::int64_t c) {
    store_.panel_done(front, FrontShape::panel(shape.order, c),
                      FrontShape::trapezoid(shape.order, std::min(shape.pivots, c + kTile)));
  });
  if (!good) return false;
  if (by_panels)
    make_update_by_panels(front, memory, *updates, threads, elimination);
  else
    elimination.update(front, memory, 0, (shape.updated() + kTile - 1) / kTile, threads);
  store_.end(front);
  return true;
}

/// The update matrix of a front whose pivots are eliminated; each panel goes to the file when it is made.
template <class T>
template <class Elimination>
void NumericFactor<T>::make_update_by_panels(std::int32_t front, FrontMemory<T> memory,
                                             ChildUpdates<T>& children, int threads,
                                             Elimination& elimination) {
  const std::int64_t updated = memory.shape.updated();
  for (std::int64_t c = 0; c < updated; c += kTile) {
    memory.update_from = FrontShape::panel(updated, c);
    const std::int64_t n = FrontShape::trapezoid(updated, std::min(updated, c + kTile)) - memory.update_from;
    WorkingMemory panel(count_, n * static_cast<std::int64_t>(sizeof(T)));
    memory.update = values_of<T>(panel);
    set_to_zero(memory.update, n, threads);
    children.add_next(memory, threads);
    elimination.update(front, memory, c / kTile, c / kTile + 1, threads);
    store_.write_update(front, memory.update_from, std::move(panel));
  }
}

template <class T>
template <class Elimination>
bool NumericFactor<T>::make_fronts_up(std::span<const double> values, Elimination& elimination) {
  store_.finish();  // of an earlier factor that was not completed
  const auto room_of = [&](std::int64_t n) {
    return WorkingMemory(count_, n * static_cast<std::int64_t>(sizeof(T)));
  };
  kept_ = {};  // of that factor
  kept_ = room_of(plan_.memory.kept);
  const WorkingMemory roots = room_of(plan_.memory.roots);
  std::atomic<bool> good = true;
  if (!plan_.subtrees.empty()) {
    std::vector<WorkingMemory> stacks(static_cast<std::size_t>(plan_.threads));
    std::vector<std::unique_ptr<FrontRows>> rows(stacks.size());
    parallel_loop(std::ssize(plan_.subtrees), plan_.threads, [&](std::int64_t k) {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      if (!rows[thread]) {
        stacks[thread] = room_of(plan_.memory.subtree);
        rows[thread] = std::make_unique<FrontRows>(symbolic_.fronts.row.size());
      }
      const Room room{plan_, stacks[thread], roots, kept_};
      for (std::int32_t f = plan_.subtrees[k].begin; good && f < plan_.subtrees[k].end; ++f)
        if (!make_front(values, f, *rows[thread], room, 1, elimination)) good = false;
    });
  }
  if (good) {
    const WorkingMemory stacks = room_of(plan_.memory.top);
    const Room room{plan_, stacks, roots, kept_};
    FrontRows rows(symbolic_.fronts.row.size());
    for (const std::int32_t f : plan_.top)
      if (good && !make_front(values, f, rows, room, plan_.threads, elimination)) good = false;
  }
  store_.finish();
  store_.release();
  return good;
}

template <class T>
double NumericFactor<T>::cholesky(std::span<const double> values, std::span<const double> scale,
                                  double zero) {
  pivots_.clear();
  ByCholesky<T> elimination{symbolic_.fronts, scale, zero, {}};
  make_fronts_up(values, elimination);
  return elimination.least;
}

template <class T>
Signs NumericFactor<T>::with_signs(std::span<const double> values, std::span<const double> scale,
                                   double zero) {
  if constexpr (std::is_same_v<T, double>) {
    pivots_.assign(symbolic_.fronts.parent.size(), {});
    WithSigns elimination{symbolic_.fronts, scale, zero, pivots_, {}, {}};
    make_fronts_up(values, elimination);
    return elimination.all;
  } else {
    throw std::logic_error("signs of pivots are counted in double precision");
  }
}

/// Order of the pivots of a front's panel; empty if they are Cholesky's.
template <class T>
std::span<const std::int32_t> NumericFactor<T>::pivot_order(std::int32_t front, std::int64_t c) const {
  if (pivots_.empty()) return {};
  const std::int64_t width = std::min(kTile, symbolic_.fronts.shape[front].pivots - c);
  return std::span<const std::int32_t>(pivots_[front].order)
      .subspan(static_cast<std::size_t>(c), static_cast<std::size_t>(width));
}

template <class T>
template <class PanelOf>
void NumericFactor<T>::forward(std::int32_t front, PanelOf panel_of, std::span<T> x, std::int64_t n_rhs) {
  const Fronts& fronts = symbolic_.fronts;
  const FrontShape& shape = fronts.shape[front];
  const std::int64_t n = shape.order, p = shape.pivots, all = fronts.equation.back();
  const std::int64_t first = fronts.equation[fronts.begin[front]];
  std::vector<T> v(static_cast<std::size_t>(n * n_rhs), T(0));
  for (std::int64_t r = 0; r < n_rhs; ++r) std::copy_n(x.data() + r * all + first, p, v.data() + r * n);
  // Rows of children are found by walking through both sorted lists.
  for (const std::int32_t child : fronts.children_of(front)) {
    const T* passed = passed_.data() + passed_at_[child] * n_rhs;
    const std::int64_t updated = fronts.shape[child].updated();
    const auto updates = fronts.updates_of(front);
    std::size_t u = 0;
    std::int64_t row = p, at = 0;
    for (const std::int32_t k : fronts.updates_of(child)) {
      const std::int64_t size = fronts.equation[k + 1] - fronts.equation[k];
      std::int64_t to = fronts.equation[k] - first;
      if (k >= fronts.begin[front + 1]) {
        for (; updates[u] != k; ++u) row += fronts.equation[updates[u] + 1] - fronts.equation[updates[u]];
        to = row;
      }
      for (std::int64_t r = 0; r < n_rhs; ++r)
        for (std::int64_t i = 0; i < size; ++i) v[r * n + to + i] += passed[r * updated + at + i];
      at += size;
    }
  }
  for (std::int64_t c = 0; c < p; c += kTile)
    solve_panel_up(shape, c, panel_of(c), pivot_order(front, c), v.data(), n_rhs);
  for (std::int64_t r = 0; r < n_rhs; ++r) {
    std::copy_n(v.data() + r * n, p, x.data() + r * all + first);
    std::copy_n(v.data() + r * n + p, n - p, passed_.data() + passed_at_[front] * n_rhs + r * (n - p));
  }
}

template <class T>
template <class PanelOf>
void NumericFactor<T>::backward(std::int32_t front, PanelOf panel_of, std::span<T> x, std::int64_t n_rhs) {
  const Fronts& fronts = symbolic_.fronts;
  const FrontShape& shape = fronts.shape[front];
  const std::int64_t n = shape.order, p = shape.pivots, all = fronts.equation.back();
  const std::int64_t first = fronts.equation[fronts.begin[front]];
  std::vector<T> v(static_cast<std::size_t>(n * n_rhs));
  for (std::int64_t r = 0; r < n_rhs; ++r) {
    std::copy_n(x.data() + r * all + first, p, v.data() + r * n);
    std::int64_t row = r * n + p;
    for (const std::int32_t k : fronts.updates_of(front))
      for (std::int32_t e = fronts.equation[k]; e < fronts.equation[k + 1]; ++e) v[row++] = x[r * all + e];
  }
  if (!pivots_.empty()) divide_by_d<T>(pivots_[front].diagonal, pivots_[front].beside, v.data(), n, n_rhs);
  for (std::int64_t c = (p - 1) / kTile * kTile; c >= 0; c -= kTile)
    solve_panel_down(shape, c, panel_of(c), pivot_order(front, c), v.data(), n_rhs);
  for (std::int64_t r = 0; r < n_rhs; ++r) std::copy_n(v.data() + r * n, p, x.data() + r * all + first);
}

/// What is read from the file in one piece: chunks, or panels of large fronts, in the order of their use.
template <class T>
std::vector<Extent> NumericFactor<T>::extents_of_file(bool up) const {
  std::vector<Extent> extents;
  for (const Chunk& chunk : plan_.chunks) {
    if (!plan_.read_by_panels(chunk)) {
      extents.push_back(store_.factor_extent(chunk.begin, 0, chunk.values));
      continue;
    }
    const FrontShape& shape = symbolic_.fronts.shape[chunk.begin];
    for (std::int64_t c = 0; c < shape.pivots; c += kTile)
      extents.push_back(
          store_.factor_extent(chunk.begin, FrontShape::panel(shape.order, c),
                               FrontShape::trapezoid(shape.order, std::min(shape.pivots, c + kTile))));
  }
  if (!up) std::reverse(extents.begin(), extents.end());
  return extents;
}

template <class T>
template <class Visit>
void NumericFactor<T>::visit_file(bool up, Visit visit) {
  const auto reader = store_.read(extents_of_file(up));
  const auto next = [&] { return reinterpret_cast<const T*>(reader->next()); };
  const std::int64_t n = std::ssize(plan_.chunks);
  for (std::int64_t k = 0; k < n; ++k) {
    const Chunk& chunk = plan_.chunks[up ? k : n - 1 - k];
    if (plan_.read_by_panels(chunk)) {
      visit(chunk.begin, [&](std::int64_t) { return next(); });
      continue;
    }
    const T* values = next();
    for (std::int32_t i = 0; i < chunk.end - chunk.begin; ++i) {
      const std::int32_t f = up ? chunk.begin + i : chunk.end - 1 - i;
      const std::int64_t rows = symbolic_.fronts.shape[f].order;
      visit(f, [&](std::int64_t c) { return values + plan_.factor_at[f] + FrontShape::panel(rows, c); });
    }
  }
}

/// Calls visit(front, panel_of) for all fronts, children before parents or after them: subtrees on threads if
/// the factor is in memory, else as the file is read. panel_of(c) gives the panel of the factor that begins
/// at column c, and is asked for each once, in ascending or descending order.
template <class T>
template <class Visit>
void NumericFactor<T>::visit_fronts(bool up, Visit visit) {
  if (!store_.in_memory()) return visit_file(up, visit);
  const auto visit_one = [&](std::int32_t f) {
    const T* factor = reinterpret_cast<const T*>(store_.in_memory(f));
    const std::int64_t rows = symbolic_.fronts.shape[f].order;
    visit(f, [&](std::int64_t c) { return factor + FrontShape::panel(rows, c); });
  };
  const auto subtrees = [&] {
    parallel_loop(std::ssize(plan_.subtrees), plan_.threads, [&](std::int64_t k) {
      const Subtree& of = plan_.subtrees[k];
      for (std::int32_t i = 0; i < of.end - of.begin; ++i) visit_one(up ? of.begin + i : of.end - 1 - i);
    });
  };
  if (up) {
    subtrees();
    std::for_each(plan_.top.begin(), plan_.top.end(), visit_one);
  } else {
    std::for_each(plan_.top.rbegin(), plan_.top.rend(), visit_one);
    subtrees();
  }
}

template <class T>
void NumericFactor<T>::solve(std::span<T> x, std::int64_t n_rhs) {
  solve_up(x, n_rhs);
  solve_down(x, n_rhs);
}

template <class T>
void NumericFactor<T>::solve_up(std::span<T> x, std::int64_t n_rhs) {
  passed_.resize(static_cast<std::size_t>(passed_at_.back() * n_rhs));
  visit_fronts(true, [&](std::int32_t f, auto panel_of) { forward(f, panel_of, x, n_rhs); });
}

template <class T>
void NumericFactor<T>::solve_down(std::span<T> x, std::int64_t n_rhs) {
  passed_ = {};
  visit_fronts(false, [&](std::int32_t f, auto panel_of) { backward(f, panel_of, x, n_rhs); });
}

template <class T>
std::span<const T> NumericFactor<T>::passed(std::int32_t front, std::int64_t n_rhs) const {
  return std::span(passed_).subspan(
      static_cast<std::size_t>(passed_at_[front] * n_rhs),
      static_cast<std::size_t>(symbolic_.fronts.shape[front].updated() * n_rhs));
}

template <class T>
const T* NumericFactor<T>::kept_update(std::int32_t front) const {
  return values_of<T>(kept_) + plan_.update_at[front];
}

template class NumericFactor<double>;
template class NumericFactor<float>;

}  // namespace crumple::implicit::linear
