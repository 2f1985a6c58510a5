// Products of blocks, row by row.
#include "implicit/linear/amg/level_products.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "implicit/linear/amg/part_sums.hpp"
#include "implicit/linear/amg/rigid_modes.hpp"
#include "implicit/linear/amg/small_blocks.hpp"
#include "implicit/linear/amg/tridiagonal.hpp"
#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear::amg {

namespace {

std::int64_t diagonal_block(const RowPattern& pattern, std::int32_t row) {
  const auto of = pattern.of(row);
  return pattern.start[row] + (std::ranges::lower_bound(of, row) - of.begin());
}

Blocks<const double> blocks_of(const RowPattern& pattern, std::span<const double> values) {
  return {pattern.start.data(), pattern.column.data(), values.data(), nullptr};
}

std::int64_t most_blocks(const RowPattern& pattern) {
  std::int64_t most = 0;
  for (std::int32_t row = 0; row < pattern.rows(); ++row)
    most = std::max(most, pattern.start[row + 1] - pattern.start[row]);
  return most;
}

/// The diagonal of a coarse matrix and what is left of it, from what is right of it.
void complete(const RowPattern& coarse, int threads, std::vector<double>& values) {
  constexpr int n = kModes, s = n * n;
  each_rows(coarse.rows(), kRowsOfPart, threads, [&](std::int32_t begin, std::int32_t end) {
    for (std::int32_t row = begin; row < end; ++row) {
      for (std::int64_t b = coarse.start[row]; b < coarse.start[row + 1] && coarse.column[b] < row; ++b) {
        const std::int32_t other = coarse.column[b];
        const auto of = coarse.of(other);
        const std::int64_t twin = coarse.start[other] + (std::ranges::lower_bound(of, row) - of.begin());
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) values[b * s + i * n + j] = values[twin * s + j * n + i];
      }
      double* const diagonal = values.data() + diagonal_block(coarse, row) * s;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) diagonal[i * n + j] = diagonal[j * n + i];
        if (diagonal[i * n + i] == 0.0) diagonal[i * n + i] = 1.0;
      }
    }
  });
}

/// Numbers between -1 and 1, the same for each place.
double start_value(std::size_t place) {
  std::uint64_t x = place * 0x9E3779B97F4A7C15ull + 0xD1B54A32D192ED03ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  x ^= x >> 32;
  return double(x >> 11) * 0x1p-52 - 1.0;
}

}  // namespace

bool invert_diagonal(const LevelMatrix& a, int threads, std::vector<double>& inverse) {
  const RowPattern& pattern = *a.pattern;
  return with_block(a.block, [&](auto size) {
    constexpr int n = size;
    inverse.resize(static_cast<std::size_t>(pattern.rows()) * n * n);
    std::atomic<bool> positive = true;
    each_rows(pattern.rows(), kRowsOfPart, threads, [&](std::int32_t begin, std::int32_t end) {
      for (std::int32_t row = begin; row < end; ++row) {
        const double* const block = a.values.data() + diagonal_block(pattern, row) * n * n;
        if (!invert<n>(block, inverse.data() + std::int64_t(row) * n * n)) positive = false;
      }
    });
    return positive.load();
  });
}

double largest_eigenvalue(const LevelMatrix& a, std::span<const double> inverse_diagonal, const Work& work) {
  constexpr int most_steps = 12;
  constexpr double above = 1.1;  // what so few steps may miss, and more
  const int threads = work.threads;
  const std::int32_t rows = a.pattern->rows();
  const LoopsOfBlock& loops = work.loops->of(a.block);
  const std::size_t n = static_cast<std::size_t>(rows) * static_cast<std::size_t>(a.block);
  std::vector<double> r(n), z(n), p(n + kBeyond), q(n);
  for (std::size_t i = 0; i < n; ++i) r[i] = start_value(i);
  std::vector<double> diagonal, beside;
  double rz = 0, last_alpha = 0, beta = 0;
  for (int step = 0; step < most_steps; ++step) {
    each_rows(rows, kRowsOfPart, threads, [&](std::int32_t begin, std::int32_t end) {
      loops.multiply_diagonal(inverse_diagonal.data(), r.data(), z.data(), begin, end);
    });
    const double next = part_sum(r, z, threads);
    if (!(next > 0)) break;
    beta = step == 0 ? 0.0 : next / rz;
    rz = next;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
    each_rows(rows, kRowsOfPart, threads, [&](std::int32_t begin, std::int32_t end) {
      loops.multiply(blocks_of(*a.pattern, a.values), p.data(), q.data(), begin, end);
    });
    const double pq = part_sum(std::span(p).first(n), q, threads);
    if (!(pq > 0)) return 0.0;
    const double alpha = rz / pq;
    diagonal.push_back(1 / alpha + (step == 0 ? 0.0 : beta / last_alpha));
    if (step > 0) beside.push_back(std::sqrt(beta) / last_alpha);
    last_alpha = alpha;
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * q[i];
  }
  return above * largest_of_tridiagonal(diagonal, beside);
}

std::vector<double> smoothed_prolongation(const LevelMatrix& a, std::span<const double> inverse_diagonal,
                                          std::span<const double> base,
                                          std::span<const std::int32_t> aggregate, double weight,
                                          const RowPattern& p, const Work& work) {
  std::vector<double> values(static_cast<std::size_t>(p.blocks() * a.block * kModes));
  const LoopsOfBlock& loops = work.loops->of(a.block);
  const auto most = static_cast<std::size_t>(most_blocks(p) * a.block * kModes);
  const Smoothing smoothing{inverse_diagonal.data(),
                            base.data(),
                            aggregate.data(),
                            weight,
                            {p.start.data(), p.column.data(), values.data(), nullptr}};
  each_rows(a.pattern->rows(), kRowsOfPart, work.threads, [&](std::int32_t begin, std::int32_t end) {
    std::vector<std::int64_t> place(static_cast<std::size_t>(p.columns));
    std::vector<double> sums(most);
    loops.smooth(blocks_of(*a.pattern, a.values), smoothing, place.data(), sums.data(), begin, end);
  });
  return values;
}

std::vector<double> galerkin_product(const LevelMatrix& a, const RowPattern& p,
                                     std::span<const double> p_values, const ColumnBlocks& p_columns,
                                     const RowPattern& ap, const RowPattern& coarse, const Work& work) {
  std::vector<double> made(static_cast<std::size_t>(coarse.blocks()) * kModes * kModes, 0.0);
  std::vector<double> ap_values(static_cast<std::size_t>(ap.blocks() * a.block * kModes), 0.0);
  const LoopsOfBlock& loops = work.loops->of(a.block);
  const Blocks<double> product{ap.start.data(), ap.column.data(), ap_values.data(), nullptr};
  each_rows(a.pattern->rows(), kRowsOfPart, work.threads, [&](std::int32_t begin, std::int32_t end) {
    std::vector<std::int64_t> place(static_cast<std::size_t>(ap.columns));
    loops.times_p(blocks_of(*a.pattern, a.values), blocks_of(p, p_values), product, place.data(), begin, end);
  });
  const Blocks<const double> columns{p_columns.start.data(), p_columns.row.data(), p_values.data(),
                                     p_columns.block.data()};
  const Blocks<double> to{coarse.start.data(), coarse.column.data(), made.data(), nullptr};
  each_rows(coarse.rows(), kCoarseRowsOfPart, work.threads, [&](std::int32_t begin, std::int32_t end) {
    std::vector<std::int64_t> place(static_cast<std::size_t>(coarse.columns));
    loops.galerkin(columns, blocks_of(ap, ap_values), to, place.data(), begin, end);
  });
  complete(coarse, work.threads, made);
  return made;
}

}  // namespace crumple::implicit::linear::amg
