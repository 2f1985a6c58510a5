// Eliminates the pivots of a front, tile by tile, and brings its update matrix up to date.
//
// Each tile is brought up to date by one thread, with the panels to its left one after the other: results do
// not depend on the number of threads, nor on which panels of the update matrix are there at the same time.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "implicit/linear/front_memory.hpp"
#include "implicit/linear/pivots.hpp"

namespace crumple::implicit::linear {

/// Rows or columns of a tile.
struct TileRange {
  std::int64_t begin, end;
  std::int64_t size() const { return end - begin; }
};

/// Tiles of a front's rows: those of pivots first, so that no tile has rows of both kinds.
struct Tiles {
  explicit Tiles(const FrontShape& shape);
  const TileRange& operator[](std::int64_t i) const { return range[static_cast<std::size_t>(i)]; }
  std::int64_t size() const { return std::ssize(range); }

  std::vector<TileRange> range;
  std::int64_t pivots;  ///< number of those of pivots
};

/// Threads that a front is worth waking, of those there are.
int worthwhile_threads(const FrontShape& shape, int threads);

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

// The same panel by panel, where a front's panels are not all here. A panel is ready to be factored when all
// before it were subtracted from it, in ascending order.

/// Returns the smallest pivot beside the largest entry of its equation; 0 if one is not positive.
/// @param scale of the front
double factor_panel_by_cholesky(const FrontMemory<double>& front, const Tiles& tiles, std::int64_t k,
                                std::span<const double> scale, int threads);
double factor_panel_by_cholesky(const FrontMemory<float>& front, const Tiles& tiles, std::int64_t k,
                                std::span<const double> scale, int threads);
/// Subtracts what panel q of the factor makes of tile (i, j).
/// @param from where panel q is
/// @param into where panel j is
void subtract_panel(const FrontMemory<double>& from, const FrontMemory<double>& into, const Tiles& tiles,
                    std::int64_t i, std::int64_t j, std::int64_t q);
void subtract_panel(const FrontMemory<float>& from, const FrontMemory<float>& into, const Tiles& tiles,
                    std::int64_t i, std::int64_t j, std::int64_t q);

/// @param pivots of the front, as large as its pivots
void factor_panel_with_signs(const FrontMemory<double>& front, const Tiles& tiles, std::int64_t k,
                             std::int64_t first, std::span<const double> scale, double zero, Pivots& pivots,
                             Signs& signs, int threads);
/// @param diagonal, beside D of panel q
void subtract_panel_with_signs(const FrontMemory<double>& from, const FrontMemory<double>& into,
                               const Tiles& tiles, std::span<const double> diagonal,
                               std::span<const double> beside, std::int64_t i, std::int64_t j,
                               std::int64_t q);

}  // namespace crumple::implicit::linear
