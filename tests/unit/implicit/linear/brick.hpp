// A brick of elastic 8-point trilinear solids, and what tests of linear solvers share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::linear {

/// A matrix with what it was made of; not to be moved, since the matrix points to the pattern.
struct Problem {
  BlockPattern pattern;
  BlockMatrix matrix;
  std::vector<Vec3> positions;

  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
};

/// Stiffness (24 x 24) of a cube of side h: the integral of B' C B over 2 x 2 x 2 points (Hughes 1987, 3.9).
inline std::array<double, 24 * 24> cube_stiffness(double h, double young, double poisson) {
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
               mu = young / (2 * (1 + poisson));
  std::array<double, 24 * 24> stiffness{};
  const auto sign = [](int corner, int axis) { return (corner >> axis) & 1 ? 1.0 : -1.0; };
  for (int point = 0; point < 8; ++point) {
    double gradient[8][3];
    for (int a = 0; a < 8; ++a)
      for (int axis = 0; axis < 3; ++axis) {
        double g = sign(a, axis) * 0.5 * 2 / h;
        for (int other = 0; other < 3; ++other)
          if (other != axis) g *= 0.5 * (1 + sign(a, other) * sign(point, other) / std::sqrt(3.0));
        gradient[a][axis] = g;
      }
    const double weight = h * h * h / 8;
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b) {
        double product = 0;
        for (int k = 0; k < 3; ++k) product += gradient[a][k] * gradient[b][k];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            stiffness[(3 * a + i) * 24 + 3 * b + j] +=
                weight * (lambda * gradient[a][i] * gradient[b][j] + mu * gradient[a][j] * gradient[b][i] +
                          (i == j ? mu * product : 0.0));
      }
  }
  return stiffness;
}

/// Adds the stiffness of the first `cubes` groups of rows, 8 each, from `begin`.
inline void add_cubes(BlockMatrix& matrix, std::size_t cubes, std::span<const std::int64_t> begin,
                      std::span<const std::int32_t> rows) {
  const auto stiffness = cube_stiffness(1.0, 210.0, 0.3);
  for (std::size_t e = 0; e < cubes; ++e)
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b) {
        const std::int32_t row = rows[begin[e] + a], column = rows[begin[e] + b];
        if (row > column) continue;
        const std::span<double> block = matrix.block(row, column);
        for (std::size_t i = 0; i < block.size(); ++i)
          block[i] += stiffness[(3 * a + i / 3) * 24 + 3 * b + i % 3];
      }
}

/// nx x ny x nz cubes; the face x = 0 is fixed if `fixed` (its rows have no equations then).
/// @param shift subtracted from the diagonal
inline void make_brick(Problem& problem, int nx, int ny, int nz, bool fixed = true, double shift = 0) {
  const auto node = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  std::vector<std::uint8_t> sizes;
  problem.positions.clear();
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        sizes.push_back(fixed && i == 0 ? 0 : 3);
        problem.positions.push_back({double(i), double(j), double(k)});
      }
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> rows;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        for (int corner = 0; corner < 8; ++corner)
          rows.push_back(node(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2 & 1)));
        begin.push_back(static_cast<std::int64_t>(rows.size()));
      }
  problem.pattern = pattern_of(sizes, begin, rows);
  problem.matrix.pattern = &problem.pattern;
  problem.matrix.values.assign(static_cast<std::size_t>(problem.pattern.value.back()), 0.0);
  add_cubes(problem.matrix, begin.size() - 1, begin, rows);
  for (std::int32_t row = 0; row < problem.pattern.rows(); ++row)
    for (std::int32_t i = 0; i < problem.pattern.size(row); ++i)
      problem.matrix.block(row, row)[i * problem.pattern.size(row) + i] -= shift;
}

/// Numbers between -1 and 1.
inline std::vector<double> random_numbers(std::size_t n, unsigned seed = 1) {
  std::mt19937 generator(seed);
  std::vector<double> numbers(n);
  for (double& x : numbers) x = generator() / 2147483648.0 - 1.0;
  return numbers;
}

/// |b - A x| / |b|, for the worst right hand side.
inline double residual(const BlockMatrix& matrix, std::span<const double> b, std::span<const double> x) {
  const auto n = static_cast<std::size_t>(matrix.pattern->equations());
  double worst = 0;
  std::vector<double> product(n);
  for (std::size_t first = 0; first < b.size(); first += n) {
    matrix.multiply(x.subspan(first, n), product);
    double size = 0, rest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      size += b[first + i] * b[first + i];
      rest += (b[first + i] - product[i]) * (b[first + i] - product[i]);
    }
    worst = std::max(worst, std::sqrt(rest / size));
  }
  return worst;
}

}  // namespace crumple::implicit::linear
