// A front's values in memory (front_shape.hpp).
#pragma once

#include "implicit/linear/front_shape.hpp"

namespace crumple::implicit::linear {

template <class T>
struct FrontMemory {
  FrontShape shape;
  T* factor = nullptr;
  T* update = nullptr;
  std::int64_t update_from = 0;  ///< values of the update matrix before those at `update`
  std::int64_t factor_from = 0;  ///< and of the pivots' panels before those at `factor`

  /// Column c from row 0 on; only rows from its panel's first column on are there.
  T* column(std::int64_t c) const {
    return c < shape.pivots
               ? column_of(factor, shape.order, c, factor_from)
               : column_of(update, shape.updated(), c - shape.pivots, update_from) - shape.pivots;
  }
  /// Values from a column to the next in the panel of column c.
  std::int64_t stride(std::int64_t c) const {
    return c < shape.pivots ? shape.order - c / kTile * kTile
                            : shape.updated() - (c - shape.pivots) / kTile * kTile;
  }

  /// @param triangle its values from number `from` on
  static T* column_of(T* triangle, std::int64_t rows, std::int64_t c, std::int64_t from = 0) {
    return triangle + (FrontShape::column(rows, c) - from) - c / kTile * kTile;
  }
};

}  // namespace crumple::implicit::linear
