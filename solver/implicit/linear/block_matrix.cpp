// Patterns of sparse symmetric matrices of blocks, and the product of such a matrix and a vector.
#include "implicit/linear/block_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace crumple::implicit::linear {

namespace {

/// Elements of each row: the lists of rows of elements, turned round.
struct ElementsOfRows {
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> element;
};

ElementsOfRows elements_of_rows(std::size_t n_rows, std::span<const std::int64_t> begin,
                                std::span<const std::int32_t> rows) {
  ElementsOfRows of{std::vector<std::int64_t>(n_rows + 1, 0), std::vector<std::int32_t>(rows.size())};
  for (const std::int32_t row : rows) ++of.begin[row + 1];
  std::partial_sum(of.begin.begin(), of.begin.end(), of.begin.begin());
  std::vector<std::int64_t> next(of.begin.begin(), of.begin.end() - 1);
  for (std::size_t e = 0; e + 1 < begin.size(); ++e)
    for (std::int64_t i = begin[e]; i < begin[e + 1]; ++i)
      of.element[next[rows[i]]++] = static_cast<std::int32_t>(e);
  return of;
}

}  // namespace

BlockPattern pattern_of(std::span<const std::uint8_t> sizes, std::span<const std::int64_t> begin,
                        std::span<const std::int32_t> rows) {
  const auto n_rows = static_cast<std::int32_t>(sizes.size());
  BlockPattern pattern;
  pattern.first.assign(sizes.size() + 1, 0);
  for (std::int32_t row = 0; row < n_rows; ++row) pattern.first[row + 1] = pattern.first[row] + sizes[row];
  pattern.start.assign(1, 0);
  pattern.start.reserve(sizes.size() + 1);
  pattern.value.assign(1, 0);
  const ElementsOfRows of = elements_of_rows(sizes.size(), begin, rows);
  std::vector<std::int32_t> seen(sizes.size(), -1), columns;
  for (std::int32_t row = 0; row < n_rows; ++row) {
    columns.assign(1, row);
    seen[row] = row;
    for (std::int64_t k = of.begin[row]; sizes[row] > 0 && k < of.begin[row + 1]; ++k)
      for (std::int64_t i = begin[of.element[k]]; i < begin[of.element[k] + 1]; ++i) {
        const std::int32_t column = rows[i];
        if (column <= row || seen[column] == row || sizes[column] == 0) continue;
        seen[column] = row;
        columns.push_back(column);
      }
    std::sort(columns.begin(), columns.end());
    for (const std::int32_t column : columns) {
      pattern.column.push_back(column);
      pattern.value.push_back(pattern.value.back() + std::int64_t(sizes[row]) * sizes[column]);
    }
    pattern.start.push_back(static_cast<std::int64_t>(pattern.column.size()));
  }
  return pattern;
}

std::span<double> BlockMatrix::block(std::int32_t row, std::int32_t column) {
  const auto begin = pattern->column.begin() + pattern->start[row];
  const auto end = pattern->column.begin() + pattern->start[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  if (found == end || *found != column) return {};
  const auto block = static_cast<std::size_t>(found - pattern->column.begin());
  return std::span(values).subspan(
      static_cast<std::size_t>(pattern->value[block]),
      static_cast<std::size_t>(pattern->value[block + 1] - pattern->value[block]));
}

std::vector<double> BlockMatrix::diagonal() const {
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(pattern->equations()));
  for (std::int32_t row = 0; row < pattern->rows(); ++row) {
    const std::int32_t n = pattern->size(row);
    const double* const block = values.data() + pattern->value[pattern->start[row]];  // the first of its row
    for (std::int32_t i = 0; i < n; ++i) all.push_back(block[i * n + i]);
  }
  return all;
}

void BlockMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  const BlockPattern& of = *pattern;
  std::fill(y.begin(), y.end(), 0.0);
  const auto equations = static_cast<std::size_t>(of.equations());
  for (std::int32_t row = 0; row < of.rows(); ++row) {
    const std::int32_t n = of.size(row);
    for (std::int64_t b = of.start[row]; b < of.start[row + 1]; ++b) {
      const std::int32_t column = of.column[b], m = of.size(column);
      const double* const block = values.data() + of.value[b];
      for (std::size_t begin = 0; begin < x.size(); begin += equations) {
        const double* const x_row = x.data() + begin + of.first[row];
        const double* const x_column = x.data() + begin + of.first[column];
        double* const y_row = y.data() + begin + of.first[row];
        double* const y_column = y.data() + begin + of.first[column];
        const double* a = block;
        for (std::int32_t i = 0; i < n; ++i, a += m) {
          double sum = 0;
          for (std::int32_t j = 0; j < m; ++j) sum += a[j] * x_column[j];
          y_row[i] += sum;
        }
        if (column == row) continue;
        a = block;
        for (std::int32_t i = 0; i < n; ++i, a += m)
          for (std::int32_t j = 0; j < m; ++j) y_column[j] += a[j] * x_row[i];
      }
    }
  }
}

}  // namespace crumple::implicit::linear
