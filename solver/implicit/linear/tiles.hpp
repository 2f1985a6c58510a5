// Eliminates the pivots of a front, tile by tile.
//
// Each tile is brought up to date by one thread, with the panels to its left one after the other: results do
// not depend on the number of threads.
#pragma once

#include <span>

#include "implicit/linear/front_memory.hpp"
#include "implicit/linear/pivots.hpp"

namespace crumple::implicit::linear {

/// L L'. Returns the smallest pivot beside the largest entry of its equation; 0 if one is not positive, when
/// the front is of no use.
/// @param scale largest entry of each pivot's equation
double factor_by_cholesky(const FrontMemory<double>& front, std::span<const double> scale, int threads);
double factor_by_cholesky(const FrontMemory<float>& front, std::span<const double> scale, int threads);

/// L D L' (pivots.hpp).
/// @param first equation of the front, in order of elimination
/// @param zero part of its equation's largest entry below which a pivot counts as zero
void factor_with_signs(const FrontMemory<double>& front, std::int64_t first, std::span<const double> scale,
                       double zero, Pivots& pivots, Signs& signs, int threads);

}  // namespace crumple::implicit::linear
