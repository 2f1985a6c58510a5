// Solutions of semi-definite equations, with rows that depend on others.
#include <gtest/gtest.h>

#include "constraints/linear/linear_constraints.hpp"

namespace crumple::constraints {
namespace {

/// A x.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& x) {
  std::vector<double> b(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k < x.size(); ++k) b[i] += a[i * x.size() + k] * x[k];
  return b;
}

TEST(SemiDefinite, SolvesADefiniteMatrix) {
  const std::vector<double> a{4, 1, -2, 1, 3, 0.5, -2, 0.5, 5}, x{1, -2, 3};
  SemiDefinite matrix;
  matrix.factor(a, 3);
  EXPECT_EQ(matrix.rank(), 3u);
  std::vector<double> b = product(a, x);
  matrix.solve(b);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(b[k], x[k], 1e-14);
}

/// The third row is the sum of the others, the fourth is nothing.
TEST(SemiDefinite, LeavesDependentRowsOut) {
  const std::vector<double> a{2, 1, 3, 0, 1, 4, 5, 0, 3, 5, 8, 0, 0, 0, 0, 0};
  SemiDefinite matrix;
  matrix.factor(a, 4);
  EXPECT_EQ(matrix.rank(), 2u);
  const std::vector<double> b = product(a, {1, 2, 3, 4});
  std::vector<double> x = b;
  matrix.solve(x);
  EXPECT_EQ(x[2], 0.0);
  EXPECT_EQ(x[3], 0.0);
  const std::vector<double> reached = product(a, x);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(reached[k], b[k], 1e-13);
}

}  // namespace
}  // namespace crumple::constraints
