// Adds blocks and update matrices to fronts.
#include "implicit/linear/assembly.hpp"

#include <algorithm>
#include <numeric>

#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear {

FrontBlocks front_blocks(const BlockPattern& pattern, const Fronts& fronts) {
  std::vector<std::int32_t> place(static_cast<std::size_t>(pattern.rows()), -1);
  for (std::size_t k = 0; k < fronts.row.size(); ++k) place[fronts.row[k]] = static_cast<std::int32_t>(k);
  const auto for_each = [&](auto&& act) {
    for (std::int32_t row = 0; row < pattern.rows(); ++row)
      for (std::int64_t b = pattern.start[row]; b < pattern.start[row + 1]; ++b) {
        const std::int32_t a = place[row], c = place[pattern.column[b]];
        if (a >= 0 && c >= 0) act(std::min(a, c), FrontBlocks::Use{pattern.value[b], std::max(a, c), c < a});
      }
  };
  FrontBlocks blocks;
  blocks.begin.assign(fronts.row.size() + 1, 0);
  for_each([&](std::int32_t own, const FrontBlocks::Use&) { ++blocks.begin[own + 1]; });
  std::partial_sum(blocks.begin.begin(), blocks.begin.end(), blocks.begin.begin());
  blocks.uses.resize(static_cast<std::size_t>(blocks.begin.back()));
  std::vector<std::int64_t> next(blocks.begin.begin(), blocks.begin.end() - 1);
  for_each([&](std::int32_t own, const FrontBlocks::Use& use) { blocks.uses[next[own]++] = use; });
  return blocks;
}

void FrontRows::set(const Fronts& fronts, std::int32_t front) {
  std::int32_t row = 0;
  const auto add = [&](std::int32_t place) {
    row_[place] = row;
    row += fronts.equation[place + 1] - fronts.equation[place];
  };
  for (std::int32_t k = fronts.begin[front]; k < fronts.begin[front + 1]; ++k) add(k);
  for (const std::int32_t k : fronts.updates_of(front)) add(k);
}

std::vector<RowRun> row_runs(const Fronts& fronts, std::int32_t child, const FrontRows& rows) {
  std::vector<RowRun> runs;
  std::int64_t at = 0;
  for (const std::int32_t k : fronts.updates_of(child)) {
    const std::int64_t size = fronts.equation[k + 1] - fronts.equation[k];
    if (!runs.empty() && runs.back().parent + runs.back().length == rows[k])
      runs.back().length += size;
    else
      runs.push_back({at, rows[k], size});
    at += size;
  }
  return runs;
}

std::int64_t columns_before(std::span<const RowRun> runs, std::int64_t parent_row) {
  const auto run = std::partition_point(runs.begin(), runs.end(),
                                        [&](const RowRun& r) { return r.parent + r.length <= parent_row; });
  if (run == runs.end()) return runs.empty() ? 0 : runs.back().child + runs.back().length;
  return run->child + std::max<std::int64_t>(0, parent_row - run->parent);
}

namespace {

template <class T>
void add_blocks(const Fronts& fronts, const FrontBlocks& blocks, std::span<const double> values,
                std::int32_t front, const FrontRows& rows, const FrontMemory<T>& into) {
  for (std::int32_t k = fronts.begin[front]; k < fronts.begin[front + 1]; ++k) {
    const std::int32_t n = fronts.equation[k + 1] - fronts.equation[k];
    for (std::int64_t u = blocks.begin[k]; u < blocks.begin[k + 1]; ++u) {
      const FrontBlocks::Use& use = blocks.uses[u];
      const std::int32_t m = fronts.equation[use.other + 1] - fronts.equation[use.other];
      const double* block = values.data() + use.value;
      for (std::int32_t j = 0; j < n; ++j) {
        T* column = into.column(rows[k] + j) + rows[use.other];
        for (std::int32_t i = use.other == k ? j : 0; i < m; ++i)
          column[i] += static_cast<T>(use.transposed ? block[i * n + j] : block[j * m + i]);
      }
    }
  }
}

/// Columns that a thread adds at once.
constexpr std::int64_t kAddedColumns = 32;
/// Update matrices of fewer rows are not worth waking threads for.
constexpr std::int64_t kWorthAdding = 400;

template <class T>
void add_update(const T* from, const ChildColumns& columns, std::span<const RowRun> runs,
                const FrontMemory<T>& into, int threads) {
  const std::int64_t updated = columns.updated, first = FrontShape::column(updated, columns.begin);
  const auto add_columns = [&](std::int64_t begin, std::int64_t end) {
    auto run = std::upper_bound(runs.begin(), runs.end(), begin,
                                [](std::int64_t row, const RowRun& of) { return row < of.child; }) -
               1;
    for (std::int64_t j = begin; j < end; ++j) {
      while (j >= run->child + run->length) ++run;
      const T* column = FrontMemory<const T>::column_of(from, updated, j, first);
      T* to = into.column(run->parent + j - run->child);
      // The lower triangle only: this run from row j on, then the others.
      std::int64_t skipped = j - run->child;
      for (auto r = run; r != runs.end(); ++r, skipped = 0) {
        const T* source = column + r->child + skipped;
        T* target = to + r->parent + skipped;
        const std::int64_t n = r->length - skipped;
        for (std::int64_t i = 0; i < n; ++i) target[i] += source[i];
      }
    }
  };
  const std::int64_t n = columns.end - columns.begin;
  parallel_loop((n + kAddedColumns - 1) / kAddedColumns, updated < kWorthAdding ? 1 : threads,
                [&](std::int64_t k) {
                  const std::int64_t begin = columns.begin + k * kAddedColumns;
                  add_columns(begin, std::min(columns.end, begin + kAddedColumns));
                });
}

}  // namespace

void add_matrix(const Fronts& fronts, const FrontBlocks& blocks, std::span<const double> values,
                std::int32_t front, const FrontRows& rows, const FrontMemory<double>& into) {
  add_blocks(fronts, blocks, values, front, rows, into);
}

void add_matrix(const Fronts& fronts, const FrontBlocks& blocks, std::span<const double> values,
                std::int32_t front, const FrontRows& rows, const FrontMemory<float>& into) {
  add_blocks(fronts, blocks, values, front, rows, into);
}

void add_child(const double* from, const ChildColumns& columns, std::span<const RowRun> runs,
               const FrontMemory<double>& into, int threads) {
  add_update(from, columns, runs, into, threads);
}

void add_child(const float* from, const ChildColumns& columns, std::span<const RowRun> runs,
               const FrontMemory<float>& into, int threads) {
  add_update(from, columns, runs, into, threads);
}

}  // namespace crumple::implicit::linear
