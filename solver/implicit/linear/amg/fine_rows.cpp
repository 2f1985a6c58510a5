// Both triangles of the matrix, from the one that is kept.
#include "implicit/linear/amg/fine_rows.hpp"

#include <algorithm>

#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear::amg {

namespace {

/// Rows of blocks of a row of the pattern: at most two, `first` and the next.
struct RowsOfPoint {
  std::int32_t first = 0;
  int count = 0;
};

std::vector<RowsOfPoint> list_rows(const BlockPattern& pattern, std::span<const Motion> motions,
                                   FineRows& rows) {
  std::vector<RowsOfPoint> of(static_cast<std::size_t>(pattern.rows()));
  for (std::int32_t p = 0; p < pattern.rows(); ++p) {
    const int size = pattern.size(p);
    const std::int32_t first = pattern.first[p];
    of[p].first = static_cast<std::int32_t>(rows.node.size());
    if (size == 0) continue;
    int moves = std::min(size, kFineBlock);
    if (!motions.empty()) {
      moves = 0;
      while (moves < size && !motions[first + moves].turn) ++moves;
    }
    for (const auto& [before, count] : {std::pair(0, moves), std::pair(moves, size - moves)}) {
      if (count == 0) continue;
      rows.node.push_back(rows.nodes());
      rows.first.push_back(first + before);
      rows.count.push_back(static_cast<std::uint8_t>(count));
      rows.before.push_back(static_cast<std::uint8_t>(before));
      ++of[p].count;
    }
    rows.point.push_back(p);
  }
  return of;
}

/// Calls act(row, column, block, transposed) for each block of both triangles, columns of a row ascending.
template <class Act>
void each_block(const BlockPattern& pattern, const std::vector<RowsOfPoint>& rows, Act act) {
  for (std::int32_t p = 0; p < pattern.rows(); ++p)
    for (std::int64_t b = pattern.start[p]; b < pattern.start[p + 1]; ++b) {
      const RowsOfPoint &of = rows[p], &other = rows[pattern.column[b]];
      for (int i = 0; i < of.count; ++i)
        for (int j = 0; j < other.count; ++j) {
          act(of.first + i, other.first + j, b, false);
          if (pattern.column[b] != p) act(other.first + j, of.first + i, b, true);
        }
    }
}

}  // namespace

double FineRows::bytes() const {
  return pattern.bytes() + double(node.size()) * (2 * sizeof(std::int32_t) + 2) +
         double(point.size()) * sizeof(std::int32_t) + double(source.size()) * sizeof(std::int64_t);
}

void FineRows::to_rows(std::span<const double> equations, std::span<double> rows) const {
  for (std::size_t r = 0; r < node.size(); ++r)
    for (int i = 0; i < kFineBlock; ++i)
      rows[r * kFineBlock + static_cast<std::size_t>(i)] =
          i < count[r] ? equations[static_cast<std::size_t>(first[r]) + static_cast<std::size_t>(i)] : 0.0;
}

void FineRows::to_equations(std::span<const double> rows, std::span<double> equations) const {
  for (std::size_t r = 0; r < node.size(); ++r)
    for (int i = 0; i < count[r]; ++i)
      equations[static_cast<std::size_t>(first[r]) + static_cast<std::size_t>(i)] =
          rows[r * kFineBlock + static_cast<std::size_t>(i)];
}

FineRows fine_rows(const BlockPattern& pattern, std::span<const Motion> motions) {
  FineRows rows;
  const std::vector<RowsOfPoint> of = list_rows(pattern, motions, rows);
  const auto n_rows = static_cast<std::int32_t>(rows.node.size());
  rows.pattern.columns = n_rows;
  std::vector<std::int64_t>& start = rows.pattern.start;
  start.assign(static_cast<std::size_t>(n_rows) + 1, 0);
  each_block(pattern, of, [&](std::int32_t row, std::int32_t, std::int64_t, bool) { ++start[row + 1]; });
  for (std::int32_t row = 0; row < n_rows; ++row) start[row + 1] += start[row];
  rows.pattern.column.resize(static_cast<std::size_t>(start.back()));
  rows.source.resize(static_cast<std::size_t>(start.back()));
  std::vector<std::int64_t> next(start.begin(), start.end() - 1);
  each_block(pattern, of, [&](std::int32_t row, std::int32_t column, std::int64_t b, bool transposed) {
    const auto place = static_cast<std::size_t>(next[row]++);
    rows.pattern.column[place] = column;
    rows.source[place] = transposed ? ~pattern.value[b] : pattern.value[b];
  });
  return rows;
}

void fill_fine_values(const FineRows& rows, const BlockMatrix& matrix, int threads,
                      std::vector<double>& values) {
  constexpr int n = kFineBlock;
  const BlockPattern& from = *matrix.pattern;
  const RowPattern& to = rows.pattern;
  values.resize(static_cast<std::size_t>(to.blocks()) * n * n);
  const auto size_of = [&](std::int32_t row) { return from.size(rows.point[rows.node[row]]); };
  parallel_loop(parts_of(to.rows()), threads, [&](std::int64_t part) {
    const auto begin = static_cast<std::int32_t>(part * kRowsOfPart);
    for (std::int32_t row = begin; row < std::min(to.rows(), begin + kRowsOfPart); ++row)
      for (std::int64_t b = to.start[row]; b < to.start[row + 1]; ++b) {
        const std::int32_t column = to.column[b];
        const bool transposed = rows.source[b] < 0;
        const double* block = matrix.values.data() + (transposed ? ~rows.source[b] : rows.source[b]);
        const int stride = transposed ? size_of(row) : size_of(column);
        double* out = values.data() + b * n * n;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            double value = row == column && i == j ? 1.0 : 0.0;
            if (i < rows.count[row] && j < rows.count[column]) {
              const int p = rows.before[row] + i, q = rows.before[column] + j;
              value = transposed ? block[q * stride + p] : block[p * stride + q];
            }
            out[n * i + j] = value;
          }
      }
  });
}

bool drop_zero_blocks(const RowPattern& all, std::vector<double>& values, RowPattern& pattern) {
  constexpr std::int64_t n = std::int64_t(kFineBlock) * kFineBlock;
  RowPattern left;
  left.columns = all.columns;
  left.start.reserve(all.start.size());
  left.column.reserve(all.column.size());
  for (std::int32_t row = 0; row < all.rows(); ++row) {
    for (std::int64_t b = all.start[row]; b < all.start[row + 1]; ++b) {
      const auto from = values.begin() + b * n, to = values.begin() + std::ssize(left.column) * n;
      const bool zero = std::all_of(from, from + n, [](double x) { return x == 0.0; });
      if (zero && all.column[b] != row) continue;
      if (to != from) std::copy(from, from + n, to);
      left.column.push_back(all.column[b]);
    }
    left.start.push_back(std::ssize(left.column));
  }
  values.resize(left.column.size() * n);
  const bool same = left.start == pattern.start && left.column == pattern.column;
  pattern = std::move(left);
  return !same;
}

}  // namespace crumple::implicit::linear::amg
