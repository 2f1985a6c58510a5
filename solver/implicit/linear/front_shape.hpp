// How a front is kept in memory, and what it costs.
//
// A front is a dense symmetric matrix of `order` equations, of which the first `pivots` are eliminated. Its
// lower triangle is kept in panels of kTile columns: a panel has the rows from its first column's on, column
// by column. The panels of the pivots become the factor, those of the rest the update matrix that the parent
// takes. Tiles have one size for every number of threads, since other tiles round otherwise.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/members.hpp"

namespace crumple::implicit::linear {

inline constexpr std::int64_t kTile = 256;

struct FrontShape {
  std::int64_t order = 0, pivots = 0;

  std::int64_t updated() const { return order - pivots; }
  std::int64_t factor_values() const { return trapezoid(order, pivots); }
  std::int64_t update_values() const { return trapezoid(updated(), updated()); }

  /// Values of the first `columns` columns of a lower triangle of `rows` rows, in panels.
  static constexpr std::int64_t trapezoid(std::int64_t rows, std::int64_t columns) {
    const std::int64_t whole = columns / kTile, rest = columns % kTile;
    return kTile * (whole * rows - kTile * (whole * (whole - 1) / 2)) + rest * (rows - whole * kTile);
  }
  /// First value of the panel that begins at a column, a multiple of kTile; its columns have rows - column
  /// values.
  static constexpr std::int64_t panel(std::int64_t rows, std::int64_t column) {
    return trapezoid(rows, column);
  }
  /// First value of a column; that is in the row of its panel's first column.
  static constexpr std::int64_t column(std::int64_t rows, std::int64_t c) {
    const std::int64_t begin = c / kTile * kTile;
    return panel(rows, begin) + (c - begin) * (rows - begin);
  }

  /// Entries of the factor, without the upper triangle.
  double entries() const { return 0.5 * double(pivots) * double(2 * order - pivots + 1); }
  /// Multiplications and additions of its elimination: the sum of m (m + 1) over pivots, m rows below each,
  /// and a root or division for each entry.
  double flops() const {
    const auto sum = [](double m) { return m * (m + 1) * (m + 2) / 3; };
    return sum(double(order) - 1) - sum(double(updated()) - 1) + entries();
  }
};
CRUMPLE_MEMBERS(FrontShape, order, pivots)

}  // namespace crumple::implicit::linear
