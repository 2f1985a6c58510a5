// Both factorisations of a front by tiles.
#include "implicit/linear/tiles.hpp"

#include <algorithm>
#include <limits>
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

/// Fronts of fewer operations are not worth waking threads for.
constexpr double kWorthThreads = 2e6;

int worthwhile_threads(const FrontShape& shape, int threads) {
  return shape.flops() < kWorthThreads ? 1 : threads;
}

/// Tiles of a front's rows, those of pivots first.
struct Tiles {
  explicit Tiles(const FrontShape& shape)
      : range(tile_ranges(shape)), pivots((shape.pivots + kTile - 1) / kTile) {}
  const TileRange& operator[](std::int64_t i) const { return range[static_cast<std::size_t>(i)]; }
  std::int64_t size() const { return std::ssize(range); }

  std::vector<TileRange> range;
  std::int64_t pivots;
};

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

/// Tile (i, j) less the products of the factor's tiles in its row and column, in the first panels.
template <class T>
void subtract_panels(const FrontMemory<T>& front, const Tiles& tiles, std::int64_t i, std::int64_t j,
                     std::int64_t panels) {
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
}

template <class T>
double cholesky_of_front(const FrontMemory<T>& front, std::span<const double> scale, int threads,
                         const PanelDone& done) {
  const Tiles tiles(front.shape);
  threads = worthwhile_threads(front.shape, threads);
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < tiles.pivots; ++k) {
    const std::int64_t ld = front.stride(tiles[k].begin), n = tiles[k].size();
    if (k > 0)
      parallel_loop(tiles.size() - k, threads,
                    [&](std::int64_t i) { subtract_panels(front, tiles, k + i, k, k); });
    T* diagonal = tile_of(front, tiles[k], tiles[k]);
    if (cholesky(n, diagonal, ld) >= 0) return 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double root = diagonal[i * (ld + 1)], pivot = root * root / scale[tiles[k].begin + i];
      if (!(pivot > 0)) return 0;
      least = std::min(least, pivot);
    }
    parallel_loop(tiles.size() - k - 1, threads, [&](std::int64_t i) {
      divide_right(false, tiles[k + 1 + i].size(), n, diagonal, ld,
                   tile_of(front, tiles[k + 1 + i], tiles[k]), ld);
    });
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

void subtract_panels_times_d(const FrontMemory<double>& front, const Tiles& tiles, const Pivots& pivots,
                             std::int64_t i, std::int64_t j, std::int64_t panels) {
  std::vector<double> times_d;
  for (std::int64_t q = 0; q < panels; ++q) {
    const std::int64_t ld = front.stride(tiles[q].begin), n = tiles[q].size(), m = tiles[j].size();
    times_d.resize(static_cast<std::size_t>(m * n));
    times_pivots(m, part_of(pivots.diagonal, tiles[q]), part_of(pivots.beside, tiles[q]),
                 tile_of(front, tiles[j], tiles[q]), ld, times_d.data(), m);
    subtract_product(false, tiles[i].size(), m, n, tile_of(front, tiles[i], tiles[q]), ld, times_d.data(), m,
                     tile_of(front, tiles[i], tiles[j]), front.stride(tiles[j].begin));
  }
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

void factor_with_signs(const FrontMemory<double>& front, std::int64_t first, std::span<const double> scale,
                       double zero, Pivots& pivots, Signs& signs, int threads, const PanelDone& done) {
  const Tiles tiles(front.shape);
  threads = worthwhile_threads(front.shape, threads);
  const auto n_equations = static_cast<std::size_t>(front.shape.pivots);
  pivots.order.resize(n_equations);
  pivots.diagonal.resize(n_equations);
  pivots.beside.resize(n_equations);
  for (std::int64_t k = 0; k < tiles.pivots; ++k) {
    const std::int64_t ld = front.stride(tiles[k].begin);
    if (k > 0)
      parallel_loop(tiles.size() - k, threads,
                    [&](std::int64_t i) { subtract_panels_times_d(front, tiles, pivots, k + i, k, k); });
    double* diagonal = tile_of(front, tiles[k], tiles[k]);
    const auto order = part_of(pivots.order, tiles[k]);
    const auto d = part_of(pivots.diagonal, tiles[k]), e = part_of(pivots.beside, tiles[k]);
    factor_tile(tiles[k].size(), diagonal, ld, first + tiles[k].begin, part_of(scale, tiles[k]), zero, order,
                d, e, signs);
    parallel_loop(tiles.size() - k - 1, threads, [&](std::int64_t i) {
      divide_by_tile(tiles[k + 1 + i].size(), diagonal, ld, order, d, e,
                     tile_of(front, tiles[k + 1 + i], tiles[k]));
    });
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
