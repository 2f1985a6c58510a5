// Solves M x = b for a mass matrix, which is nearly diagonal.
#pragma once

#include <span>

#include "implicit/linear/block_matrix.hpp"

namespace crumple::implicit::linear {

/// Conjugate gradients, scaled by the diagonal (Golub and Van Loan 2013, section 11.5).
/// @param x out; 0 where there is no mass
void solve_with_mass(const BlockMatrix& mass, std::span<const double> b, std::span<double> x);

}  // namespace crumple::implicit::linear
