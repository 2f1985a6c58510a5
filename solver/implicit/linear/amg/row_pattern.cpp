// Patterns of products, part by part of their rows.
#include "implicit/linear/amg/row_pattern.hpp"

#include <algorithm>

#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear::amg {

namespace {

/// @param visit called with a row and what takes each of its columns, repeated ones too
template <class Visit>
RowPattern pattern_by_rows(std::int32_t n_rows, std::int32_t n_columns, std::int32_t rows_of_part,
                           int threads, Visit visit) {
  RowPattern made;
  made.columns = n_columns;
  made.start.assign(static_cast<std::size_t>(n_rows) + 1, 0);
  std::vector<std::vector<std::int32_t>> columns(static_cast<std::size_t>(parts_of(n_rows, rows_of_part)));
  parallel_loop(parts_of(n_rows, rows_of_part), threads, [&](std::int64_t part) {
    std::vector<std::int32_t> seen(static_cast<std::size_t>(n_columns), -1);
    std::vector<std::int32_t>& of_part = columns[static_cast<std::size_t>(part)];
    const auto first = static_cast<std::int32_t>(part * rows_of_part);
    for (std::int32_t row = first; row < std::min(n_rows, first + rows_of_part); ++row) {
      const std::size_t begin = of_part.size();
      visit(row, [&](std::int32_t column) {
        if (seen[column] == row) return;
        seen[column] = row;
        of_part.push_back(column);
      });
      std::sort(of_part.begin() + static_cast<std::ptrdiff_t>(begin), of_part.end());
      made.start[row + 1] = static_cast<std::int64_t>(of_part.size() - begin);
    }
  });
  for (std::int32_t row = 0; row < n_rows; ++row) made.start[row + 1] += made.start[row];
  made.column.reserve(static_cast<std::size_t>(made.start.back()));
  for (std::vector<std::int32_t>& of_part : columns) {
    made.column.insert(made.column.end(), of_part.begin(), of_part.end());
    std::vector<std::int32_t>().swap(of_part);
  }
  return made;
}

}  // namespace

ColumnBlocks column_blocks(const RowPattern& of) {
  ColumnBlocks made;
  made.start.assign(static_cast<std::size_t>(of.columns) + 1, 0);
  made.row.resize(of.column.size());
  made.block.resize(of.column.size());
  for (const std::int32_t column : of.column) ++made.start[column + 1];
  for (std::int32_t c = 0; c < of.columns; ++c) made.start[c + 1] += made.start[c];
  std::vector<std::int64_t> next(made.start.begin(), made.start.end() - 1);
  for (std::int32_t row = 0; row < of.rows(); ++row)
    for (std::int64_t b = of.start[row]; b < of.start[row + 1]; ++b) {
      const auto place = static_cast<std::size_t>(next[of.column[b]]++);
      made.row[place] = row;
      made.block[place] = b;
    }
  return made;
}

RowPattern product_pattern(const RowPattern& a, const RowPattern& p, int threads) {
  return pattern_by_rows(a.rows(), p.columns, kRowsOfPart, threads, [&](std::int32_t row, auto take) {
    for (const std::int32_t j : a.of(row))
      for (const std::int32_t k : p.of(j)) take(k);
  });
}

RowPattern galerkin_pattern(const ColumnBlocks& p, const RowPattern& ap, int threads) {
  return pattern_by_rows(p.columns(), ap.columns, kCoarseRowsOfPart, threads,
                         [&](std::int32_t row, auto take) {
                           for (std::int64_t e = p.start[row]; e < p.start[row + 1]; ++e)
                             for (const std::int32_t k : ap.of(p.row[e])) take(k);
                         });
}

RowPattern aggregated_pattern(const RowPattern& a, std::span<const std::int32_t> column,
                              std::int32_t n_columns, int threads) {
  return pattern_by_rows(a.rows(), n_columns, kRowsOfPart, threads, [&](std::int32_t row, auto take) {
    for (const std::int32_t j : a.of(row)) take(column[j]);
  });
}

}  // namespace crumple::implicit::linear::amg
