// LDL' of a tile on the diagonal: pivots of one or two equations, chosen within the tile (Bunch and Kaufman
// 1977, "Some stable methods for calculating inertia and solving symmetric linear systems").
//
// Pivots are not chosen beyond a tile and never pass from a front to its parent (as in Duff and Reid 1983),
// so that the tree and all orders of sums are known beforehand. That is stable enough for stiffness matrices
// that are shifted or have softened, whose tiles have eigenvalues away from zero. Zero blocks larger than a
// tile's neighbourhood, as those of Lagrange multipliers, are to be eliminated first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crumple::implicit::linear {

/// D, and the equations' order, of the tiles of one front's pivots.
struct Pivots {
  std::vector<std::int32_t> order;  ///< the pivot's equation in its tile
  std::vector<double> diagonal;
  std::vector<double> beside;  ///< of pivot k with k + 1; 0 if they are no pair
};

/// Signs of the pivots of some fronts.
struct Signs {
  std::int32_t negative = 0, zero = 0;
  std::int64_t first_zero = -1;  ///< equation, in order of elimination
};

/// Replaces the lower triangle of a tile by L, with ones on the diagonal. A pivot that is zero is replaced by
/// its equation's scale, as if a spring held the equation, and counted.
/// @param first equation of the tile, in order of elimination
/// @param scale largest entry of each equation of the tile
/// @param zero a pivot is zero if it, and its column in the tile, are below this part of its equation's scale
/// @param order, diagonal, beside of the tile
void factor_tile(std::int64_t n, double* a, std::int64_t lda, std::int64_t first,
                 std::span<const double> scale, double zero, std::span<std::int32_t> order,
                 std::span<double> diagonal, std::span<double> beside, Signs& signs);

/// B = B D, or B = B D^-1; B (m, n), one column for each pivot.
void times_pivots(std::int64_t m, std::span<const double> diagonal, std::span<const double> beside,
                  const double* b, std::int64_t ldb, double* product, std::int64_t ldp);
void divide_by_pivots(std::int64_t m, std::span<const double> diagonal, std::span<const double> beside,
                      double* b, std::int64_t ldb);

}  // namespace crumple::implicit::linear
