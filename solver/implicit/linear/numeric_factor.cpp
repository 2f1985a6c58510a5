// Walks up the tree of fronts to factor, up and down to solve.
#include "implicit/linear/numeric_factor.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <type_traits>

#include "implicit/linear/dense.hpp"
#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear {

/// Memory of update matrices, not set to anything.
template <class T>
struct NumericFactor<T>::Stacks {
  struct Free {
    std::size_t bytes;
    void operator()(T* memory) const { free_aligned(memory, bytes); }
  };
  static auto values(std::int64_t n) {
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
    return std::unique_ptr<T, Free>(static_cast<T*>(allocate_aligned(bytes)), Free{bytes});
  }
  explicit Stacks(const std::int64_t (&sizes)[2]) : stack{values(sizes[0]), values(sizes[1])} {}
  std::unique_ptr<T, Free> stack[2];
};

template <class T>
NumericFactor<T>::NumericFactor(const Symbolic& symbolic, const std::string& folder)
    : symbolic_(symbolic), store_(symbolic.plan, sizeof(T), folder) {
  passed_at_.assign(1, 0);
  for (const FrontShape& shape : symbolic.fronts.shape)
    passed_at_.push_back(passed_at_.back() + shape.updated());
}

template <class T>
template <class Eliminate>
bool NumericFactor<T>::make_front(std::span<const double> values, std::int32_t front, FrontRows& rows,
                                  Stacks& own, const T* roots, int threads, Eliminate& eliminate) {
  const Fronts& fronts = symbolic_.fronts;
  const Plan& plan = symbolic_.plan;
  const auto update_of = [&](std::int32_t f) {
    const T* stack = plan.stack[f] == 2 ? roots : own.stack[plan.stack[f]].get();
    return const_cast<T*>(stack) + plan.update_at[f];
  };
  FrontMemory<T> memory{fronts.shape[front], reinterpret_cast<T*>(store_.begin(front)), update_of(front)};
  const std::int64_t n_update = memory.shape.update_values();
  constexpr std::int64_t kCleared = std::int64_t(1) << 20;
  parallel_loop((n_update + kCleared - 1) / kCleared, threads, [&](std::int64_t k) {
    std::fill(memory.update + k * kCleared, memory.update + std::min(n_update, (k + 1) * kCleared), T(0));
  });
  rows.set(fronts, front);
  add_matrix(fronts, symbolic_.blocks, values, front, rows, memory);
  for (const std::int32_t child : fronts.children_of(front)) {
    const std::vector<RowRun> runs = row_runs(fronts, child, rows);
    add_child(update_of(child), fronts.shape[child].updated(), runs, memory, threads);
  }
  if (!eliminate(front, memory, threads)) return false;
  store_.end(front);
  return true;
}

template <class T>
template <class Eliminate>
bool NumericFactor<T>::make_fronts_up(std::span<const double> values, Eliminate eliminate) {
  const Plan& plan = symbolic_.plan;
  const auto roots = Stacks::values(plan.roots);
  std::atomic<bool> good = true;
  if (!plan.subtrees.empty()) {
    std::vector<std::unique_ptr<Stacks>> stacks(static_cast<std::size_t>(symbolic_.threads));
    std::vector<std::unique_ptr<FrontRows>> rows(stacks.size());
    parallel_loop(std::ssize(plan.subtrees), symbolic_.threads, [&](std::int64_t k) {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      if (!rows[thread]) {
        stacks[thread] = std::make_unique<Stacks>(plan.subtree_stack);
        rows[thread] = std::make_unique<FrontRows>(symbolic_.fronts.row.size());
      }
      for (std::int32_t f = plan.subtrees[k].begin; good && f < plan.subtrees[k].end; ++f)
        if (!make_front(values, f, *rows[thread], *stacks[thread], roots.get(), 1, eliminate)) good = false;
    });
  }
  if (good) {
    Stacks stacks(plan.top_stack);
    FrontRows rows(symbolic_.fronts.row.size());
    for (const std::int32_t f : plan.top)
      if (!make_front(values, f, rows, stacks, roots.get(), symbolic_.threads, eliminate)) return false;
    store_.finish();
  }
  return good;
}

template <class T>
double NumericFactor<T>::cholesky(std::span<const double> values, std::span<const double> scale,
                                  double zero) {
  pivots_.clear();
  double least = std::numeric_limits<double>::infinity();
  std::mutex mutex;
  make_fronts_up(values, [&](std::int32_t front, const FrontMemory<T>& memory, int threads) {
    const auto first = static_cast<std::size_t>(symbolic_.fronts.equation[symbolic_.fronts.begin[front]]);
    const double own = factor_by_cholesky(
        memory, scale.subspan(first, static_cast<std::size_t>(memory.shape.pivots)), threads);
    const std::lock_guard lock(mutex);
    least = std::min(least, own);
    return own > zero;
  });
  return least;
}

template <class T>
Signs NumericFactor<T>::with_signs(std::span<const double> values, std::span<const double> scale,
                                   double zero) {
  Signs all;
  if constexpr (std::is_same_v<T, double>) {
    pivots_.assign(symbolic_.fronts.parent.size(), {});
    std::mutex mutex;
    make_fronts_up(values, [&](std::int32_t front, const FrontMemory<double>& memory, int threads) {
      const std::int64_t first = symbolic_.fronts.equation[symbolic_.fronts.begin[front]];
      Signs signs;
      factor_with_signs(
          memory, first,
          scale.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(memory.shape.pivots)), zero,
          pivots_[front], signs, threads);
      const std::lock_guard lock(mutex);
      all.negative += signs.negative;
      all.zero += signs.zero;
      if (signs.first_zero >= 0 && (all.first_zero < 0 || signs.first_zero < all.first_zero))
        all.first_zero = signs.first_zero;
      return true;
    });
  } else {
    throw std::logic_error("signs of pivots are counted in double precision");
  }
  return all;
}

/// x = D^-1 x for the pivots of a front, in the order of pivots.
template <class T>
void NumericFactor<T>::divide(std::int32_t front, T* x, std::int64_t n, std::int64_t n_rhs) const {
  const Pivots& pivots = pivots_[front];
  for (std::int64_t r = 0; r < n_rhs; ++r, x += n)
    for (std::size_t k = 0; k < pivots.order.size(); ++k) {
      const double d = pivots.diagonal[k], e = pivots.beside[k];
      if (e == 0) {
        x[k] = static_cast<T>(x[k] / d);
        continue;
      }
      const double f = pivots.diagonal[k + 1], determinant = d * f - e * e, one = x[k], two = x[k + 1];
      x[k] = static_cast<T>((f * one - e * two) / determinant);
      x[k + 1] = static_cast<T>((d * two - e * one) / determinant);
      ++k;
    }
}

namespace {

/// Brings a tile's values in the order of its pivots, or back.
template <class T>
void reorder_tile(std::span<const std::int32_t> order, bool back, T* x, std::int64_t ldx,
                  std::int64_t n_rhs) {
  std::vector<T> old(order.size());
  for (std::int64_t r = 0; r < n_rhs; ++r, x += ldx) {
    std::copy_n(x, order.size(), old.begin());
    for (std::size_t k = 0; k < order.size(); ++k) (back ? x[order[k]] : x[k]) = old[back ? k : order[k]];
  }
}

}  // namespace

template <class T>
void NumericFactor<T>::forward(std::int32_t front, const T* factor, std::span<T> x, std::int64_t n_rhs) {
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
  for (std::int64_t c = 0; c < p; c += kTile) {
    const std::int64_t width = std::min(kTile, p - c), ld = n - c;
    const T* panel = factor + FrontShape::panel(n, c);
    const bool signs = !pivots_.empty();
    if (signs)
      reorder_tile(std::span<const std::int32_t>(pivots_[front].order).subspan(c, width), false, v.data() + c,
                   n, n_rhs);
    divide_left(false, signs, width, n_rhs, panel, ld, v.data() + c, n);
    subtract_plain_product(n - c - width, n_rhs, width, panel + width, ld, v.data() + c, n,
                           v.data() + c + width, n);
  }
  for (std::int64_t r = 0; r < n_rhs; ++r) {
    std::copy_n(v.data() + r * n, p, x.data() + r * all + first);
    std::copy_n(v.data() + r * n + p, n - p, passed_.data() + passed_at_[front] * n_rhs + r * (n - p));
  }
}

template <class T>
void NumericFactor<T>::backward(std::int32_t front, const T* factor, std::span<T> x, std::int64_t n_rhs) {
  const Fronts& fronts = symbolic_.fronts;
  const FrontShape& shape = fronts.shape[front];
  const std::int64_t n = shape.order, p = shape.pivots, all = fronts.equation.back();
  const std::int64_t first = fronts.equation[fronts.begin[front]];
  std::vector<T> v(static_cast<std::size_t>(n * n_rhs)), own(static_cast<std::size_t>(p * n_rhs));
  for (std::int64_t r = 0; r < n_rhs; ++r) {
    std::copy_n(x.data() + r * all + first, p, own.data() + r * p);
    std::int64_t row = r * n + p;
    for (const std::int32_t k : fronts.updates_of(front))
      for (std::int32_t e = fronts.equation[k]; e < fronts.equation[k + 1]; ++e) v[row++] = x[r * all + e];
  }
  const bool signs = !pivots_.empty();
  if (signs) divide(front, own.data(), p, n_rhs);
  for (std::int64_t r = 0; r < n_rhs; ++r) std::copy_n(own.data() + r * p, p, v.data() + r * n);
  for (std::int64_t c = (p - 1) / kTile * kTile; c >= 0; c -= kTile) {
    const std::int64_t width = std::min(kTile, p - c), ld = n - c;
    const T* panel = factor + FrontShape::panel(n, c);
    subtract_product(true, width, n_rhs, n - c - width, panel + width, ld, v.data() + c + width, n,
                     v.data() + c, n);
    divide_left(true, signs, width, n_rhs, panel, ld, v.data() + c, n);
    if (signs)
      reorder_tile(std::span<const std::int32_t>(pivots_[front].order).subspan(c, width), true, v.data() + c,
                   n, n_rhs);
  }
  for (std::int64_t r = 0; r < n_rhs; ++r) std::copy_n(v.data() + r * n, p, x.data() + r * all + first);
}

/// Calls visit(front, factor) for all fronts, children before parents or after them: subtrees on threads if
/// the factor is in memory, else as the file is read.
template <class T>
template <class Visit>
void NumericFactor<T>::visit_fronts(bool up, Visit visit) {
  const Plan& plan = symbolic_.plan;
  if (!store_.in_memory()) {
    FactorReader reader = store_.read(up);
    const std::int64_t n = std::ssize(plan.chunks);
    for (std::int64_t k = 0; k < n; ++k) {
      const Chunk& chunk = plan.chunks[up ? k : n - 1 - k];
      const T* values = reinterpret_cast<const T*>(reader.next());
      for (std::int32_t i = 0; i < chunk.end - chunk.begin; ++i) {
        const std::int32_t f = up ? chunk.begin + i : chunk.end - 1 - i;
        visit(f, values + plan.factor_at[f]);
      }
    }
    return;
  }
  const auto visit_one = [&](std::int32_t f) { visit(f, reinterpret_cast<const T*>(store_.in_memory(f))); };
  const auto subtrees = [&] {
    parallel_loop(std::ssize(plan.subtrees), symbolic_.threads, [&](std::int64_t k) {
      const Subtree& of = plan.subtrees[k];
      for (std::int32_t i = 0; i < of.end - of.begin; ++i) visit_one(up ? of.begin + i : of.end - 1 - i);
    });
  };
  if (up) {
    subtrees();
    std::for_each(plan.top.begin(), plan.top.end(), visit_one);
  } else {
    std::for_each(plan.top.rbegin(), plan.top.rend(), visit_one);
    subtrees();
  }
}

template <class T>
void NumericFactor<T>::solve(std::span<T> x, std::int64_t n_rhs) {
  passed_.resize(static_cast<std::size_t>(passed_at_.back() * n_rhs));
  visit_fronts(true, [&](std::int32_t f, const T* factor) { forward(f, factor, x, n_rhs); });
  visit_fronts(false, [&](std::int32_t f, const T* factor) { backward(f, factor, x, n_rhs); });
  passed_ = {};
}

template class NumericFactor<double>;
template class NumericFactor<float>;

}  // namespace crumple::implicit::linear
