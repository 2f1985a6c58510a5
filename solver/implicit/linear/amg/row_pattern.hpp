// Which blocks a sparse matrix of equal dense blocks has, and the patterns of products of such matrices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear::amg {

/// Rows of a loop that one thread takes at a time. Sums over rows are added up by such parts, so that no bit
/// depends on the number of threads.
inline constexpr std::int32_t kRowsOfPart = 512;
/// The same where a row takes long.
inline constexpr std::int32_t kCoarseRowsOfPart = 16;

inline std::int64_t parts_of(std::int32_t rows, std::int32_t rows_of_part = kRowsOfPart) {
  return (rows + rows_of_part - 1) / rows_of_part;
}

/// act(begin, end) for each part of the rows.
template <class Act>
void each_rows(std::int32_t rows, std::int32_t rows_of_part, int threads, Act act) {
  parallel_loop(parts_of(rows, rows_of_part), threads, [&](std::int64_t part) {
    const auto begin = static_cast<std::int32_t>(part * rows_of_part);
    act(begin, std::min(rows, begin + rows_of_part));
  });
}

/// Blocks row by row, columns of a row in ascending order.
struct RowPattern {
  std::int32_t columns = 0;
  std::vector<std::int64_t> start{0};  ///< first block of a row; (n_rows + 1)
  std::vector<std::int32_t> column;    ///< of each block

  std::int32_t rows() const { return static_cast<std::int32_t>(start.size()) - 1; }
  std::int64_t blocks() const { return start.back(); }
  std::span<const std::int32_t> of(std::int32_t row) const {
    return std::span(column).subspan(static_cast<std::size_t>(start[row]),
                                     static_cast<std::size_t>(start[row + 1] - start[row]));
  }
  double bytes() const {
    return double(start.size()) * sizeof(std::int64_t) + double(column.size()) * sizeof(std::int32_t);
  }
};

/// The blocks of each column of a pattern, rows in ascending order.
struct ColumnBlocks {
  std::vector<std::int64_t> start;  ///< (n_columns + 1)
  std::vector<std::int32_t> row;
  std::vector<std::int64_t> block;

  std::int32_t columns() const { return static_cast<std::int32_t>(start.size()) - 1; }
  double bytes() const {
    return double(start.size() + block.size()) * sizeof(std::int64_t) +
           double(row.size()) * sizeof(std::int32_t);
  }
};

ColumnBlocks column_blocks(const RowPattern& of);

/// The pattern of A P.
RowPattern product_pattern(const RowPattern& a, const RowPattern& p, int threads);

/// The pattern of P' (A P).
RowPattern galerkin_pattern(const ColumnBlocks& p, const RowPattern& ap, int threads);

/// The pattern of A P0 where P0 has one block a row: `column` of each row.
RowPattern aggregated_pattern(const RowPattern& a, std::span<const std::int32_t> column,
                              std::int32_t n_columns, int threads);

}  // namespace crumple::implicit::linear::amg
