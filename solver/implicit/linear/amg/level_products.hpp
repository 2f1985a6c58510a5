// The matrices of a level's setup, in double precision: inverses of diagonal blocks, smoothed prolongation
// and the matrix of the next level.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "implicit/linear/amg/level_loops.hpp"
#include "implicit/linear/amg/row_pattern.hpp"

namespace crumple::implicit::linear::amg {

/// What loops over rows run on.
struct Work {
  const LevelLoops* loops = nullptr;
  int threads = 1;
};

/// A matrix of square blocks of a level.
struct LevelMatrix {
  const RowPattern* pattern = nullptr;
  int block = 0;
  std::span<const double> values;
};

/// Inverses of diagonal blocks; (n_rows, block, block). False if one is not positive definite.
bool invert_diagonal(const LevelMatrix& a, int threads, std::vector<double>& inverse);

/// The largest eigenvalue of D^-1 A, a little above it: by the tridiagonal matrix of conjugate gradients from
/// a fixed start (Golub and Van Loan 2013, 10.3 and 11.3). 0 if A is found not to be positive definite.
double largest_eigenvalue(const LevelMatrix& a, std::span<const double> inverse_diagonal, const Work& work);

/// P = (I - weight D^-1 A) P0, where a row of P0 has the block `base` in the column `aggregate`.
/// @param base (n_rows, block, 6)
/// @param aggregate of each row
std::vector<double> smoothed_prolongation(const LevelMatrix& a, std::span<const double> inverse_diagonal,
                                          std::span<const double> base,
                                          std::span<const std::int32_t> aggregate, double weight,
                                          const RowPattern& p, const Work& work);

/// P' A P, made exactly symmetric; blocks (6, 6). Unknowns without any motion get a one on the diagonal.
/// @param p values of P, blocks (block, 6)
std::vector<double> galerkin_product(const LevelMatrix& a, const RowPattern& p,
                                     std::span<const double> p_values, const ColumnBlocks& p_columns,
                                     const RowPattern& ap, const RowPattern& coarse, const Work& work);

}  // namespace crumple::implicit::linear::amg
