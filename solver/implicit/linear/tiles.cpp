// Both factorisations of a front by tiles.
#include "implicit/linear/tiles.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "implicit/linear/dense.hpp"
#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear {

Tiles::Tiles(const FrontShape& shape) : pivots((shape.pivots + kTile - 1) / kTile) {
  for (std::int64_t i = 0; i < shape.pivots; i += kTile)
    range.push_back({i, std::min(i + kTile, shape.pivots)});
  for (std::int64_t i = shape.pivots; i < shape.order; i += kTile)
    range.push_back({i, std::min(i + kTile, shape.order)});
}

int worthwhile_threads(const FrontShape& shape, int threads) {
  constexpr double kWorthThreads = 2e6;  ///< operations
  return shape.flops() < kWorthThreads ? 1 : threads;
}

namespace {

template <class T>
T* tile_of(const FrontMemory<T>& front, const TileRange& rows, const TileRange& columns) {
  return front.column(columns.begin) + rows.begin;
}

/// Calls update(i, j) for all tiles in panels [first, last) of the update matrix, which do not depend on each
/// other.
template <class Update>
void update_panels(const Tiles& tiles, std::int64_t first, std::int64_t last, int threads, Update update) {
  const std::int64_t rest = tiles.size() - tiles.pivots;
  std::int64_t n = 0;
  for (std::int64_t j = first; j < last; ++j) n += rest - j;
  parallel_loop(n, threads, [&](std::int64_t k) {
    std::int64_t j = first;
    for (; k >= rest - j; ++j) k -= rest - j;
    update(tiles.pivots + j + k, tiles.pivots + j);
  });
}

template <class T>
void subtract_tile(const FrontMemory<T>& from, const FrontMemory<T>& into, const Tiles& tiles, std::int64_t i,
                   std::int64_t j, std::int64_t q) {
  T* c = tile_of(into, tiles[i], tiles[j]);
  const std::int64_t ldc = into.stride(tiles[j].begin), ld = from.stride(tiles[q].begin);
  const T *a = tile_of(from, tiles[i], tiles[q]), *b = tile_of(from, tiles[j], tiles[q]);
  if (i == j)
    subtract_square(tiles[i].size(), tiles[q].size(), a, ld, c, ldc);
  else
    subtract_product(false, tiles[i].size(), tiles[j].size(), tiles[q].size(), a, ld, b, ld, c, ldc);
}

/// Tile (i, j) less the products of the factor's tiles in its row and column, in the first panels.
template <class T>
void subtract_panels(const FrontMemory<T>& front, const Tiles& tiles, std::int64_t i, std::int64_t j,
                     std::int64_t panels) {
  for (std::int64_t q = 0; q < panels; ++q) subtract_tile(front, front, tiles, i, j, q);
}

/// The factor of panel k, from which the panels to its left are subtracted. Returns the smallest pivot, or 0.
template <class T>
double cholesky_of_panel(const FrontMemory<T>& front, const Tiles& tiles, std::int64_t k,
                         std::span<const double> scale, int threads) {
  const std::int64_t ld = front.stride(tiles[k].begin), n = tiles[k].size();
  double least = std::numeric_limits<double>::infinity();
  T* diagonal = tile_of(front, tiles[k], tiles[k]);
  if (cholesky(n, diagonal, ld) >= 0) return 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double root = diagonal[i * (ld + 1)], pivot = root * root / scale[tiles[k].begin + i];
    if (!(pivot > 0)) return 0;
    least = std::min(least, pivot);
  }
  parallel_loop(tiles.size() - k - 1, threads, [&](std::int64_t i) {
    divide_right(false, tiles[k + 1 + i].size(), n, diagonal, ld, tile_of(front, tiles[k + 1 + i], tiles[k]),
                 ld);
  });
  return least;
}

template <class T>
double cholesky_of_front(const FrontMemory<T>& front, std::span<const double> scale, int threads,
                         const PanelDone& done) {
  const Tiles tiles(front.shape);
  threads = worthwhile_threads(front.shape, threads);
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < tiles.pivots; ++k) {
    if (k > 0)
      parallel_loop(tiles.size() - k, threads,
                    [&](std::int64_t i) { subtract_panels(front, tiles, k + i, k, k); });
    const double own = cholesky_of_panel(front, tiles, k, scale, threads);
    if (!(own > 0)) return 0;
    least = std::min(least, own);
    done(tiles[k].begin);
  }
  return least;
}

template <class T>
void update_of_cholesky(const FrontMemory<T>& front, std::int64_t first, std::int64_t last, int threads) {
  const Tiles tiles(front.shape);
  update_panels(tiles, first, last, worthwhile_threads(front.shape, threads),
                [&](std::int64_t i, std::int64_t j) { subtract_panels(front, tiles, i, j, tiles.pivots); });
}

/// B of a tile below the diagonal becomes B P L'^-1 D^-1.
void divide_by_tile(std::int64_t m, const double* diagonal, std::int64_t ld,
                    std::span<const std::int32_t> order, std::span<const double> d, std::span<const double> e,
                    double* b) {
  const std::int64_t n = std::ssize(order);
  std::vector<double> permuted(static_cast<std::size_t>(m * n));
  for (std::int64_t j = 0; j < n; ++j) std::copy_n(b + order[j] * ld, m, permuted.data() + j * m);
  divide_right(true, m, n, diagonal, ld, permuted.data(), m);
  divide_by_pivots(m, d, e, permuted.data(), m);
  for (std::int64_t j = 0; j < n; ++j) std::copy_n(permuted.data() + j * m, m, b + j * ld);
}

/// The part of numbers of pivots that belongs to a tile.
template <class Numbers>
auto part_of(Numbers& of, const TileRange& tile) {
  return std::span(of).subspan(static_cast<std::size_t>(tile.begin), static_cast<std::size_t>(tile.size()));
}

/// @param diagonal, beside D of panel q
void subtract_tile_times_d(const FrontMemory<double>& from, const FrontMemory<double>& into,
                           const Tiles& tiles, std::span<const double> diagonal,
                           std::span<const double> beside, std::int64_t i, std::int64_t j, std::int64_t q,
                           std::vector<double>& times_d) {
  const std::int64_t ld = from.stride(tiles[q].begin), n = tiles[q].size(), m = tiles[j].size();
  times_d.resize(static_cast<std::size_t>(m * n));
  times_pivots(m, diagonal, beside, tile_of(from, tiles[j], tiles[q]), ld, times_d.data(), m);
  subtract_product(false, tiles[i].size(), m, n, tile_of(from, tiles[i], tiles[q]), ld, times_d.data(), m,
                   tile_of(into, tiles[i], tiles[j]), into.stride(tiles[j].begin));
}

void subtract_panels_times_d(const FrontMemory<double>& front, const Tiles& tiles, const Pivots& pivots,
                             std::int64_t i, std::int64_t j, std::int64_t panels) {
  std::vector<double> times_d;
  for (std::int64_t q = 0; q < panels; ++q)
    subtract_tile_times_d(front, front, tiles, part_of(pivots.diagonal, tiles[q]),
                          part_of(pivots.beside, tiles[q]), i, j, q, times_d);
}

}  // namespace

double factor_by_cholesky(const FrontMemory<double>& front, std::span<const double> scale, int threads,
                          const PanelDone& done) {
  return cholesky_of_front(front, scale, threads, done);
}

double factor_by_cholesky(const FrontMemory<float>& front, std::span<const double> scale, int threads,
                          const PanelDone& done) {
  return cholesky_of_front(front, scale, threads, done);
}

void update_by_cholesky(const FrontMemory<double>& front, std::int64_t first, std::int64_t last,
                        int threads) {
  update_of_cholesky(front, first, last, threads);
}

void update_by_cholesky(const FrontMemory<float>& front, std::int64_t first, std::int64_t last, int threads) {
  update_of_cholesky(front, first, last, threads);
}

double factor_panel_by_cholesky(const FrontMemory<double>& front, const Tiles& tiles, std::int64_t k,
                                std::span<const double> scale, int threads) {
  return cholesky_of_panel(front, tiles, k, scale, threads);
}

double factor_panel_by_cholesky(const FrontMemory<float>& front, const Tiles& tiles, std::int64_t k,
                                std::span<const double> scale, int threads) {
  return cholesky_of_panel(front, tiles, k, scale, threads);
}

void subtract_panel(const FrontMemory<double>& from, const FrontMemory<double>& into, const Tiles& tiles,
                    std::int64_t i, std::int64_t j, std::int64_t q) {
  subtract_tile(from, into, tiles, i, j, q);
}

void subtract_panel(const FrontMemory<float>& from, const FrontMemory<float>& into, const Tiles& tiles,
                    std::int64_t i, std::int64_t j, std::int64_t q) {
  subtract_tile(from, into, tiles, i, j, q);
}

void subtract_panel_with_signs(const FrontMemory<double>& from, const FrontMemory<double>& into,
                               const Tiles& tiles, std::span<const double> diagonal,
                               std::span<const double> beside, std::int64_t i, std::int64_t j,
                               std::int64_t q) {
  std::vector<double> times_d;
  subtract_tile_times_d(from, into, tiles, diagonal, beside, i, j, q, times_d);
}

void factor_panel_with_signs(const FrontMemory<double>& front, const Tiles& tiles, std::int64_t k,
                             std::int64_t first, std::span<const double> scale, double zero, Pivots& pivots,
                             Signs& signs, int threads) {
  const std::int64_t ld = front.stride(tiles[k].begin);
  double* diagonal = tile_of(front, tiles[k], tiles[k]);
  const auto order = part_of(pivots.order, tiles[k]);
  const auto d = part_of(pivots.diagonal, tiles[k]), e = part_of(pivots.beside, tiles[k]);
  factor_tile(tiles[k].size(), diagonal, ld, first + tiles[k].begin, part_of(scale, tiles[k]), zero, order, d,
              e, signs);
  parallel_loop(tiles.size() - k - 1, threads, [&](std::int64_t i) {
    divide_by_tile(tiles[k + 1 + i].size(), diagonal, ld, order, d, e,
                   tile_of(front, tiles[k + 1 + i], tiles[k]));
  });
}

void factor_with_signs(const FrontMemory<double>& front, std::int64_t first, std::span<const double> scale,
                       double zero, Pivots& pivots, Signs& signs, int threads, const PanelDone& done) {
  const Tiles tiles(front.shape);
  threads = worthwhile_threads(front.shape, threads);
  const auto n_equations = static_cast<std::size_t>(front.shape.pivots);
  pivots.order.resize(n_equations);
  pivots.diagonal.resize(n_equations);
  pivots.beside.resize(n_equations);
  for (std::int64_t k = 0; k < tiles.pivots; ++k) {
    if (k > 0)
      parallel_loop(tiles.size() - k, threads,
                    [&](std::int64_t i) { subtract_panels_times_d(front, tiles, pivots, k + i, k, k); });
    factor_panel_with_signs(front, tiles, k, first, scale, zero, pivots, signs, threads);
    done(tiles[k].begin);
  }
}

void update_with_signs(const FrontMemory<double>& front, const Pivots& pivots, std::int64_t first,
                       std::int64_t last, int threads) {
  const Tiles tiles(front.shape);
  update_panels(tiles, first, last, worthwhile_threads(front.shape, threads),
                [&](std::int64_t i, std::int64_t j) {
                  subtract_panels_times_d(front, tiles, pivots, i, j, tiles.pivots);
                });
}

}  // namespace crumple::implicit::linear
