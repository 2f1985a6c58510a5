// A sparse symmetric matrix of small dense blocks: one row of blocks for each node, half of it kept.
//
// A row of blocks has as many equations as its node has free unknowns, at most 6: 3 of a solid's node, 6 of a
// shell's, fewer where some are eliminated, none where all are. Blocks of the upper triangle are kept, row by
// row in ascending order of columns, the one on the diagonal first and whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crumple::implicit::linear {

/// Which blocks a matrix has.
struct BlockPattern {
  std::vector<std::int32_t> first;   ///< equation with which a row of blocks begins; (n_rows + 1)
  std::vector<std::int64_t> start;   ///< block with which a row begins; (n_rows + 1)
  std::vector<std::int32_t> column;  ///< row of blocks that a block's columns belong to, >= its row
  std::vector<std::int64_t> value;   ///< first value of a block; (n_blocks + 1)

  std::int32_t rows() const { return static_cast<std::int32_t>(start.size()) - 1; }
  std::int32_t equations() const { return first.back(); }
  std::int32_t size(std::int32_t row) const { return first[row + 1] - first[row]; }
  /// Bytes of a matrix with this pattern, and of the pattern.
  double bytes() const {
    return double(value.back()) * sizeof(double) +
           double(value.size() + start.size()) * sizeof(std::int64_t) +
           double(column.size() + first.size()) * sizeof(std::int32_t);
  }
};

/// The pattern of elements: each block that some element joins, and the diagonal.
/// @param sizes free unknowns of each row, 0 to 6
/// @param begin first entry of each element in `rows`; (n_elements + 1)
/// @param rows of elements; an element may name a row twice
BlockPattern pattern_of(std::span<const std::uint8_t> sizes, std::span<const std::int64_t> begin,
                        std::span<const std::int32_t> rows);

struct BlockMatrix {
  const BlockPattern* pattern = nullptr;
  std::vector<double> values;  ///< of each block row by row

  /// Values of block (row, column), row by row; row <= column. Empty if the pattern has no such block.
  std::span<double> block(std::int32_t row, std::int32_t column);
  std::vector<double> diagonal() const;
  /// y = A x, of columns one after the other, added up in an order that depends on the pattern alone.
  void multiply(std::span<const double> x, std::span<double> y) const;
};

}  // namespace crumple::implicit::linear
