// What one panel of a front's factor does to a solution on its way up and down the tree.
#pragma once

#include <cstdint>
#include <span>

#include "implicit/linear/front_shape.hpp"

namespace crumple::implicit::linear {

/// Solves with the panel's pivots, and subtracts what they give to the rows below.
/// @param c first column of the panel
/// @param order of the pivots of L D L'; empty for Cholesky's factor
/// @param v rows of the front, for each right hand side; (n_rhs, shape.order)
template <class T>
void solve_panel_up(const FrontShape& shape, std::int64_t c, const T* panel,
                    std::span<const std::int32_t> order, T* v, std::int64_t n_rhs);

/// Subtracts what the rows below give, and solves with the panel's transpose.
template <class T>
void solve_panel_down(const FrontShape& shape, std::int64_t c, const T* panel,
                      std::span<const std::int32_t> order, T* v, std::int64_t n_rhs);

/// x = D^-1 x, in the order of pivots.
/// @param x (n_rhs, ldx), of which the first rows belong to the pivots
template <class T>
void divide_by_d(std::span<const double> diagonal, std::span<const double> beside, T* x, std::int64_t ldx,
                 std::int64_t n_rhs);

}  // namespace crumple::implicit::linear
