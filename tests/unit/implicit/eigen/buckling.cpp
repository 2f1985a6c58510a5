// Buckling modes of small systems against dense ones. One rank.
#include "implicit/eigen/buckling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/types.hpp"
#include "implicit/eigen/dense.hpp"
#include "unit/implicit/linear/brick.hpp"

namespace crumple::implicit::eigen {
namespace {

std::vector<double> whole(const linear::BlockMatrix& matrix) {
  const auto n = at(matrix.pattern->equations());
  std::vector<double> unit(n, 0.0), all(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    unit[k] = 1.0;
    matrix.multiply(unit, std::span(all).subspan(k * n, n));
    unit[k] = 0.0;
  }
  return all;
}

/// Stresses of both signs: an indefinite matrix with the pattern of the stiffness.
linear::BlockMatrix stress_of(const linear::Problem& problem) {
  linear::BlockMatrix stress = problem.matrix;
  const linear::BlockPattern& pattern = *stress.pattern;
  std::ranges::fill(stress.values, 0.0);
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    const std::int32_t n = pattern.size(row);
    const std::span<double> block = stress.block(row, row);
    for (std::int32_t i = 0; i < n; ++i) block[at(i * n + i)] = std::sin(3.0 * row + i) - 0.2;
  }
  return stress;
}

/// 1 / lambda of K^-1/2 (-K_s) K^-1/2, by descending size.
std::vector<double> dense_factors(const linear::BlockMatrix& k, const linear::BlockMatrix& s) {
  const auto n = at(k.pattern->equations());
  const DenseEigen of_k = dense_eigen(n, whole(k));
  std::vector<double> root = of_k.vectors, once(n * n), twice(n * n, 0.0), stress = whole(s);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) root[j * n + i] /= std::sqrt(of_k.values[j]);
  std::ranges::fill(once, 0.0);
  add_product(n, -1.0, stress, root, once);
  transposed_product(n, root, once, twice);
  std::vector<double> factors;
  for (const double theta : dense_eigen(n, twice).values) factors.push_back(1.0 / theta);
  std::ranges::sort(factors, [](double a, double b) { return std::abs(a) < std::abs(b); });
  return factors;
}

TEST(BucklingModes, AreThoseOfADenseMethodWithBothSigns) {
  linear::Problem brick;
  linear::make_brick(brick, 4, 3, 2);
  const linear::BlockMatrix stress = stress_of(brick);
  const std::vector<double> exact = dense_factors(brick.matrix, stress);
  const auto solver = linear::make_solver({});
  solver->analyse(brick.pattern, brick.positions);
  const BucklingModes found = find_buckling(brick.matrix, stress, *solver, 12);
  ASSERT_EQ(found.modes.size(), 12u);
  bool negative = false, positive = false;
  for (std::size_t k = 0; k < 12; ++k) {
    EXPECT_NEAR(found.modes[k].factor / exact[k], 1.0, 1e-9) << k;
    EXPECT_LT(found.modes[k].residual, 1e-5) << k;
    (exact[k] < 0 ? negative : positive) = true;
  }
  EXPECT_TRUE(negative && positive);
  EXPECT_TRUE(found.agrees());
}

TEST(BucklingModes, AreFewWhereStressIs) {
  linear::Problem brick;
  linear::make_brick(brick, 3, 3, 2);
  linear::BlockMatrix stress = brick.matrix;
  std::ranges::fill(stress.values, 0.0);
  std::int32_t row = 0;
  while (brick.pattern.size(row) < 3) ++row;
  stress.block(row, row)[0] = -1.0;
  const auto solver = linear::make_solver({});
  solver->analyse(brick.pattern, brick.positions);
  const BucklingModes found = find_buckling(brick.matrix, stress, *solver, 5);
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_GT(found.modes[0].factor, 0.0);
  EXPECT_TRUE(found.agrees());
}

TEST(BucklingModes, NeedAStructureThatStands) {
  linear::Problem brick;
  linear::make_brick(brick, 3, 3, 2);
  for (double& value : brick.matrix.values) value = -value;
  const auto solver = linear::make_solver({});
  solver->analyse(brick.pattern, brick.positions);
  EXPECT_THROW(find_buckling(brick.matrix, brick.matrix, *solver, 2), Error);
}

}  // namespace
}  // namespace crumple::implicit::eigen
