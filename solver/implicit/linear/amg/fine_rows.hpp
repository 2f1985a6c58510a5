// The matrix of a step as full rows of blocks of 3 x 3: a node's translations are a row, its rotations
// another.
//
// Rows with fewer free directions are filled up: what is not there has a one on the diagonal and no coupling.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "implicit/linear/amg/row_pattern.hpp"
#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::linear::amg {

inline constexpr int kFineBlock = 3;

struct FineRows {
  RowPattern pattern;
  std::vector<std::int32_t> node;    ///< by row: node, counted without those that have no equations
  std::vector<std::int32_t> point;   ///< by node: row of the BlockPattern
  std::vector<std::int32_t> first;   ///< by row: its first equation
  std::vector<std::uint8_t> count;   ///< by row: its equations, 1 to 3
  std::vector<std::uint8_t> before;  ///< by row: equations of its node before these
  std::vector<std::int64_t> source;  ///< by block: first value in the BlockMatrix; ~ if transposed

  std::int32_t nodes() const { return static_cast<std::int32_t>(point.size()); }
  /// Length of vectors of these rows.
  std::size_t size() const { return node.size() * kFineBlock; }
  double bytes() const;

  void to_rows(std::span<const double> equations, std::span<double> rows) const;
  void to_equations(std::span<const double> rows, std::span<double> equations) const;
};

/// @param motions of equations; empty: the first three of a row of the pattern are translations
FineRows fine_rows(const BlockPattern& pattern, std::span<const Motion> motions);

/// Values of the blocks, row by row of each.
void fill_fine_values(const FineRows& rows, const BlockMatrix& matrix, int threads,
                      std::vector<double>& values);

/// Takes blocks that are zero out of the values: those of contacts that are open.
/// @param pattern in: of earlier values, or none; out: of the values that are left
/// @return whether the pattern is another
bool drop_zero_blocks(const RowPattern& all, std::vector<double>& values, RowPattern& pattern);

}  // namespace crumple::implicit::linear::amg
