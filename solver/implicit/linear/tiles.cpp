// Both factorisations of a front by tiles.
#include "implicit/linear/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "implicit/linear/dense.hpp"
#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear {

namespace {

struct TileRange {
  std::int64_t begin, end;
  std::int64_t size() const { return end - begin; }
};

/// Rows of a front in tiles: those of pivots first, so that no tile has rows of both kinds.
std::vector<TileRange> tile_ranges(const FrontShape& shape) {
  std::vector<TileRange> ranges;
  for (std::int64_t i = 0; i < shape.pivots; i += kTile)
    ranges.push_back({i, std::min(i + kTile, shape.pivots)});
  for (std::int64_t i = shape.pivots; i < shape.order; i += kTile)
    ranges.push_back({i, std::min(i + kTile, shape.order)});
  return ranges;
}

template <class T>
T* tile_of(const FrontMemory<T>& front, const TileRange& rows, const TileRange& columns) {
  return front.column(columns.begin) + rows.begin;
}

/// Row and column of tiles of a lower triangle, counted row by row from 0 on.
std::pair<std::int64_t, std::int64_t> triangle_index(std::int64_t k) {
  auto row = static_cast<std::int64_t>((std::sqrt(8.0 * double(k) + 1) - 1) / 2);
  while (row * (row + 1) / 2 > k) --row;
  while ((row + 1) * (row + 2) / 2 <= k) ++row;
  return {row, k - row * (row + 1) / 2};
}

/// Fronts of fewer operations are not worth waking threads for.
constexpr double kWorthThreads = 2e6;

/// Calls update(i, j) for all tiles of the update matrix, which do not depend on each other.
template <class Update>
void update_rest(std::int64_t n_pivots, std::int64_t n_tiles, int threads, Update update) {
  const std::int64_t rest = n_tiles - n_pivots;
  parallel_loop(rest * (rest + 1) / 2, threads, [&](std::int64_t k) {
    const auto [i, j] = triangle_index(k);
    update(n_pivots + i, n_pivots + j);
  });
}

template <class T>
double cholesky_of_front(const FrontMemory<T>& front, std::span<const double> scale, int threads) {
  const std::vector<TileRange> tiles = tile_ranges(front.shape);
  const std::int64_t n_tiles = std::ssize(tiles), n_pivots = (front.shape.pivots + kTile - 1) / kTile;
  if (front.shape.flops() < kWorthThreads) threads = 1;
  const auto update = [&](std::int64_t i, std::int64_t j, std::int64_t panels) {
    T* c = tile_of(front, tiles[i], tiles[j]);
    const std::int64_t ldc = front.stride(tiles[j].begin);
    for (std::int64_t q = 0; q < panels; ++q) {
      const std::int64_t ld = front.stride(tiles[q].begin);
      const T *a = tile_of(front, tiles[i], tiles[q]), *b = tile_of(front, tiles[j], tiles[q]);
      if (i == j)
        subtract_square(tiles[i].size(), tiles[q].size(), a, ld, c, ldc);
      else
        subtract_product(false, tiles[i].size(), tiles[j].size(), tiles[q].size(), a, ld, b, ld, c, ldc);
    }
  };
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < n_pivots; ++k) {
    const std::int64_t ld = front.stride(tiles[k].begin), n = tiles[k].size();
    if (k > 0) parallel_loop(n_tiles - k, threads, [&](std::int64_t i) { update(k + i, k, k); });
    T* diagonal = tile_of(front, tiles[k], tiles[k]);
    if (cholesky(n, diagonal, ld) >= 0) return 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double root = diagonal[i * (ld + 1)], pivot = root * root / scale[tiles[k].begin + i];
      if (!(pivot > 0)) return 0;
      least = std::min(least, pivot);
    }
    parallel_loop(n_tiles - k - 1, threads, [&](std::int64_t i) {
      divide_right(false, tiles[k + 1 + i].size(), n, diagonal, ld,
                   tile_of(front, tiles[k + 1 + i], tiles[k]), ld);
    });
  }
  update_rest(n_pivots, n_tiles, threads, [&](std::int64_t i, std::int64_t j) { update(i, j, n_pivots); });
  return least;
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

}  // namespace

double factor_by_cholesky(const FrontMemory<double>& front, std::span<const double> scale, int threads) {
  return cholesky_of_front(front, scale, threads);
}

double factor_by_cholesky(const FrontMemory<float>& front, std::span<const double> scale, int threads) {
  return cholesky_of_front(front, scale, threads);
}

void factor_with_signs(const FrontMemory<double>& front, std::int64_t first, std::span<const double> scale,
                       double zero, Pivots& pivots, Signs& signs, int threads) {
  const std::vector<TileRange> tiles = tile_ranges(front.shape);
  const std::int64_t n_tiles = std::ssize(tiles), n_pivots = (front.shape.pivots + kTile - 1) / kTile;
  if (front.shape.flops() < kWorthThreads) threads = 1;
  const auto n_equations = static_cast<std::size_t>(front.shape.pivots);
  pivots.order.resize(n_equations);
  pivots.diagonal.resize(n_equations);
  pivots.beside.resize(n_equations);
  const auto part = [](auto& of, const TileRange& tile) {
    return std::span(of).subspan(static_cast<std::size_t>(tile.begin), static_cast<std::size_t>(tile.size()));
  };
  const auto update = [&](std::int64_t i, std::int64_t j, std::int64_t panels) {
    std::vector<double> times_d;
    for (std::int64_t q = 0; q < panels; ++q) {
      const std::int64_t ld = front.stride(tiles[q].begin), n = tiles[q].size(), m = tiles[j].size();
      times_d.resize(static_cast<std::size_t>(m * n));
      times_pivots(m, part(pivots.diagonal, tiles[q]), part(pivots.beside, tiles[q]),
                   tile_of(front, tiles[j], tiles[q]), ld, times_d.data(), m);
      subtract_product(false, tiles[i].size(), m, n, tile_of(front, tiles[i], tiles[q]), ld, times_d.data(),
                       m, tile_of(front, tiles[i], tiles[j]), front.stride(tiles[j].begin));
    }
  };
  for (std::int64_t k = 0; k < n_pivots; ++k) {
    const std::int64_t ld = front.stride(tiles[k].begin);
    if (k > 0) parallel_loop(n_tiles - k, threads, [&](std::int64_t i) { update(k + i, k, k); });
    double* diagonal = tile_of(front, tiles[k], tiles[k]);
    const auto order = part(pivots.order, tiles[k]);
    const auto d = part(pivots.diagonal, tiles[k]), e = part(pivots.beside, tiles[k]);
    factor_tile(tiles[k].size(), diagonal, ld, first + tiles[k].begin, part(scale, tiles[k]), zero, order, d,
                e, signs);
    parallel_loop(n_tiles - k - 1, threads, [&](std::int64_t i) {
      divide_by_tile(tiles[k + 1 + i].size(), diagonal, ld, order, d, e,
                     tile_of(front, tiles[k + 1 + i], tiles[k]));
    });
  }
  update_rest(n_pivots, n_tiles, threads, [&](std::int64_t i, std::int64_t j) { update(i, j, n_pivots); });
}

}  // namespace crumple::implicit::linear
