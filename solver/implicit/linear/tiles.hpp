// Eliminates the pivots of a front, tile by tile, and brings its update matrix up to date.
//
// Each tile is brought up to date by one thread, with the panels to its left one after the other: results do
// not depend on the number of threads, nor on which panels of the update matrix are there at the same time.
#pragma once

#include <functional>
#include <span>

#include "implicit/linear/front_memory.hpp"
#include "implicit/linear/pivots.hpp"

namespace crumple::implicit::linear {

/// Called with the first column of a panel of pivots that will not change any more.
using PanelDone = std::function<void(std::int64_t column)>;

/// L L' of the pivots' panels. Returns the smallest pivot beside the largest entry of its equation; 0 if one
/// is not positive, when the front is of no use.
/// @param scale largest entry of each pivot's equation
double factor_by_cholesky(const FrontMemory<double>& front, std::span<const double> scale, int threads,
                          const PanelDone& done);
double factor_by_cholesky(const FrontMemory<float>& front, std::span<const double> scale, int threads,
                          const PanelDone& done);
/// Subtracts the products of the factor from panels [first, last) of the update matrix.
void update_by_cholesky(const FrontMemory<double>& front, std::int64_t first, std::int64_t last, int threads);
void update_by_cholesky(const FrontMemory<float>& front, std::int64_t first, std::int64_t last, int threads);

/// L D L' (pivots.hpp) of the pivots' panels.
/// @param first equation of the front, in order of elimination
/// @param zero part of its equation's largest entry below which a pivot counts as zero
void factor_with_signs(const FrontMemory<double>& front, std::int64_t first, std::span<const double> scale,
                       double zero, Pivots& pivots, Signs& signs, int threads, const PanelDone& done);
void update_with_signs(const FrontMemory<double>& front, const Pivots& pivots, std::int64_t first,
                       std::int64_t last, int threads);

}  // namespace crumple::implicit::linear
