// Improves solutions of a factor of single precision, or of one that dropped something.
#pragma once

#include <functional>
#include <span>

#include "implicit/linear/block_matrix.hpp"

namespace crumple::implicit::linear {

struct Refined {
  int steps = 0;
  double residual = 0;  ///< |b - A x| / |b|
};

/// Solves A x = b by conjugate gradients that a factor preconditions (Hestenes and Stiefel 1952; Golub and Ye
/// 1999 for a factor that is not exactly symmetric), or by plain steps x += factor^-1 (b - A x) (Wilkinson
/// 1963) if the matrix is indefinite. Ends at a residual below `wanted`, or where it does not fall any more.
/// @param apply z = factor^-1 r
Refined refine(const BlockMatrix& matrix, bool definite, double wanted,
               const std::function<void(std::span<const double> r, std::span<double> z)>& apply,
               std::span<const double> b, std::span<double> x);

}  // namespace crumple::implicit::linear
