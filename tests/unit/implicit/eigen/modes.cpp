// Modes of small systems with known eigenvalues: chains, a brick, massless unknowns. One rank.
#include "implicit/eigen/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "base/error.hpp"
#include "base/types.hpp"
#include "implicit/eigen/dense.hpp"
#include "unit/implicit/linear/brick.hpp"

namespace crumple::implicit::eigen {

namespace {

using linear::BlockMatrix;

std::vector<double> dense(const BlockMatrix& matrix) {
  const auto n = at(matrix.pattern->equations());
  std::vector<double> unit(n, 0.0), all(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    unit[k] = 1.0;
    matrix.multiply(unit, std::span(all).subspan(k * n, n));
    unit[k] = 0.0;
  }
  return all;
}

/// Solves by all eigenvalues of the matrix: an exact count, and no library of sparse matrices.
class DenseSolver final : public linear::Solver {
 public:
  linear::Analysis analyse(const linear::BlockPattern&, std::span<const Vec3>) override { return {}; }
  linear::Factored factor(const BlockMatrix& matrix) override {
    eigen_ = dense_eigen(at(matrix.pattern->equations()), dense(matrix));
    linear::Factored found;
    double largest = 0.0;
    for (const double v : eigen_.values) largest = std::max(largest, std::abs(v));
    for (const double v : eigen_.values) {
      if (std::abs(v) < 1e-14 * largest)
        found.singular = 0, ++found.zero;
      else if (v < 0.0)
        ++found.negative;
    }
    return found;
  }
  linear::Solved solve(std::span<const double> b, std::span<double> x) override {
    const std::size_t n = eigen_.values.size();
    std::vector<double> along(b.size()), sum(b.size(), 0.0);
    transposed_product(n, eigen_.vectors, b, along);
    for (std::size_t i = 0; i < along.size(); ++i) along[i] /= eigen_.values[i % n];
    add_product(n, 1.0, eigen_.vectors, along, sum);
    std::ranges::copy(sum, x.begin());
    return {};
  }

 private:
  DenseEigen eigen_;
};

/// n masses between n + 1 springs of stiffness 1, or n - 1 if it is free; `copies` of it that do not touch.
void make_chain(linear::Problem& problem, int n, bool free, int copies = 1) {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> rows;
  for (int c = 0; c < copies; ++c)
    for (int i = 0; i + 1 < n; ++i) {
      rows.insert(rows.end(), {c * n + i, c * n + i + 1});
      begin.push_back(static_cast<std::int64_t>(rows.size()));
    }
  const std::vector<std::uint8_t> sizes(at(n * copies), 1);
  problem.pattern = linear::pattern_of(sizes, begin, rows);
  problem.matrix.pattern = &problem.pattern;
  problem.matrix.values.assign(at(problem.pattern.value.back()), 0.0);
  for (int c = 0; c < copies; ++c)
    for (int i = 0; i < n; ++i) {
      const std::int32_t row = c * n + i;
      const bool end = i == 0 || i == n - 1;
      problem.matrix.block(row, row)[0] = free && end ? 1.0 : 2.0;
      if (i + 1 < n) problem.matrix.block(row, row + 1)[0] = -1.0;
    }
}

double chain_eigenvalue(int mode, int n, bool free, double mass) {
  const double s = std::sin(mode * std::numbers::pi / (2.0 * (free ? n : n + 1)));
  return 4.0 / mass * s * s;
}

/// Eigenvalues by a dense method: 1 / those of M^1/2 K^-1 M^1/2, ascending, of unknowns with mass.
std::vector<double> dense_modes(const BlockMatrix& k, const std::vector<double>& mass) {
  const std::size_t n = mass.size();
  DenseSolver solver;
  solver.factor(k);
  std::vector<double> a(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) a[j * n + j] = std::sqrt(mass[j]);
  solver.solve(a, a);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) a[j * n + i] *= std::sqrt(mass[i]);
  std::vector<double> values;
  for (const double theta : dense_eigen(n, a).values)
    if (theta > 1e-12) values.push_back(1.0 / theta);
  std::ranges::sort(values);
  return values;
}

void expect_orthonormal(const Modes& modes, const std::vector<double>& mass) {
  for (std::size_t a = 0; a < modes.modes.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = 0.0;
      for (std::size_t i = 0; i < mass.size(); ++i)
        sum += modes.modes[a].shape[i] * mass[i] * modes.modes[b].shape[i];
      EXPECT_NEAR(sum, a == b ? 1.0 : 0.0, 1e-10);
    }
}

}  // namespace

TEST(EigenModes, OfChainsAreThoseOfTheClosedForm) {
  constexpr int n = 120;
  constexpr double m = 0.3;
  for (const bool free : {false, true}) {
    linear::Problem chain;
    make_chain(chain, n, free);
    const std::vector<double> mass(n, m);
    DenseSolver solver;
    const Modes found = find_modes({&chain.matrix, mass, &solver}, {.count = 20});
    ASSERT_EQ(found.modes.size(), 20u);
    for (int k = 0; k < 20; ++k)
      EXPECT_NEAR(found.modes[at(k)].value, chain_eigenvalue(free ? k : k + 1, n, free, m), 1e-12)
          << k << free;
    EXPECT_TRUE(found.check.agrees());
    EXPECT_GE(found.check.counted, 20u);
    EXPECT_EQ(found.unstable, 0u);
    expect_orthonormal(found, mass);
  }
}

TEST(EigenModes, AboveALeftEndAreFoundBesideManyBelowIt) {
  // Masses on springs of their own: loose parts of 0.1 to 0.99 below the end, twenty modes of 1.2 to 3.1.
  constexpr int loose = 450, wanted = 20;
  linear::Problem springs;
  make_chain(springs, 1, false, loose + wanted);
  std::vector<double> mass, expected;
  for (int k = 0; k < loose; ++k) mass.push_back(2.0 / (0.1 + 0.89 * k / (loose - 1)));
  for (int k = 0; k < wanted; ++k) mass.push_back(2.0 / expected.emplace_back(1.2 + 0.1 * k));
  DenseSolver solver;
  const Modes found = find_modes({&springs.matrix, mass, &solver}, {.count = wanted, .left = 1.0});
  ASSERT_EQ(found.modes.size(), at(wanted));
  for (std::size_t k = 0; k < at(wanted); ++k) EXPECT_NEAR(found.modes[k].value, expected[k], 1e-10) << k;
  EXPECT_TRUE(found.check.agrees());
  EXPECT_LT(found.solves, 600u);  // a search that stays at the end has one mode after 3,000
}

TEST(EigenModes, AreAllFoundWhereManyAreEqual) {
  constexpr int n = 12, copies = 11;  // more than a block has vectors
  linear::Problem chains;
  make_chain(chains, n, true, copies);
  const std::vector<double> mass(n * copies, 1.0);
  DenseSolver solver;
  const Modes found = find_modes({&chains.matrix, mass, &solver}, {.count = 2 * copies});
  ASSERT_EQ(found.modes.size(), 2u * copies);
  for (int k = 0; k < 2 * copies; ++k)
    EXPECT_NEAR(found.modes[at(k)].value, chain_eigenvalue(k / copies, n, true, 1.0), 1e-12) << k;
  EXPECT_TRUE(found.check.agrees());
}

TEST(EigenModes, AreFoundAfterABlockHasNothingLeft) {
  constexpr int copies = 50;  // each vector is a mode: a block is at its end at once
  linear::Problem masses;
  make_chain(masses, 1, false, copies);
  const std::vector<double> mass(copies, 0.5);
  DenseSolver solver;
  const Modes found = find_modes({&masses.matrix, mass, &solver}, {.count = 20});
  ASSERT_EQ(found.modes.size(), 20u);
  for (const Mode& mode : found.modes) EXPECT_NEAR(mode.value, 4.0, 1e-12);
  EXPECT_EQ(found.check.counted, 50u);
  EXPECT_TRUE(found.check.agrees());
}

TEST(EigenModes, OfABrickAreThoseOfADenseMethodAlsoWithoutMassSomewhere) {
  linear::Problem brick;
  linear::make_brick(brick, 4, 3, 2);
  std::vector<double> mass(at(brick.pattern.equations()));
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = i % 5 == 0 ? 0.0 : 1.0 + 0.01 * double(i % 7);
  const std::vector<double> expected = dense_modes(brick.matrix, mass);
  DenseSolver solver;
  const Modes found = find_modes({&brick.matrix, mass, &solver}, {.count = 25});
  ASSERT_EQ(found.modes.size(), 25u);
  for (std::size_t k = 0; k < 25; ++k) {
    EXPECT_NEAR(found.modes[k].value / expected[k], 1.0, 1e-10) << k;
    EXPECT_LT(found.modes[k].residual, 1e-6) << k;
  }
  EXPECT_TRUE(found.check.agrees());
  // All there are, and not one more.
  const Modes all = find_modes({&brick.matrix, mass, &solver}, {.count = 1000});
  EXPECT_EQ(all.modes.size(), expected.size());
  EXPECT_NEAR(all.modes.back().value / expected.back(), 1.0, 1e-9);
}

TEST(EigenModes, OfAnIntervalAndNextToACentre) {
  constexpr int n = 100;
  linear::Problem chain;
  make_chain(chain, n, false);
  const std::vector<double> mass(n, 1.0);
  DenseSolver solver;
  const auto value = [&](int k) { return chain_eigenvalue(k, n, false, 1.0); };
  const auto found = [&](const ModesWanted& wanted) {
    const Modes modes = find_modes({&chain.matrix, mass, &solver}, wanted);
    EXPECT_TRUE(modes.check.agrees());
    return modes.modes;
  };
  const double left = 0.5 * (value(30) + value(31)), right = 0.5 * (value(45) + value(46));
  const auto between = found({.count = 50, .left = left, .right = right});
  ASSERT_EQ(between.size(), 15u);
  EXPECT_NEAR(between.front().value, value(31), 1e-12);
  EXPECT_NEAR(between.back().value, value(45), 1e-12);
  const auto beyond = found({.count = 5, .left = left});
  ASSERT_EQ(beyond.size(), 5u);
  EXPECT_NEAR(beyond.back().value, value(35), 1e-12);
  const auto up_to = found({.count = 200, .right = right});
  ASSERT_EQ(up_to.size(), 45u);
  const auto near = found({.count = 4, .centre = left});
  ASSERT_EQ(near.size(), 4u);
  EXPECT_NEAR(near.front().value, value(29), 1e-12);
  EXPECT_NEAR(near.back().value, value(32), 1e-12);
}

TEST(EigenModes, HaveTheSameBitsTwice) {
  linear::Problem brick;
  linear::make_brick(brick, 3, 3, 3);
  const std::vector<double> mass(at(brick.pattern.equations()), 1.0);
  DenseSolver solver;
  const Modes a = find_modes({&brick.matrix, mass, &solver}, {.count = 10});
  const Modes b = find_modes({&brick.matrix, mass, &solver}, {.count = 10});
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(a.modes[k].value, b.modes[k].value);
    EXPECT_EQ(a.modes[k].shape, b.modes[k].shape);
  }
}

TEST(EigenModes, HaveTheSameBitsWithVectorsInFiles) {
  linear::Problem brick;
  linear::make_brick(brick, 3, 3, 3);
  const std::vector<double> mass(at(brick.pattern.equations()), 1.0);
  DenseSolver solver;
  const Modes a = find_modes({&brick.matrix, mass, &solver}, {.count = 10});
  const Modes b = find_modes({&brick.matrix, mass, &solver},
                             {.count = 10, .folder = std::filesystem::temp_directory_path()});
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(a.modes[k].shape, b.modes[k].shape);
}

TEST(EigenModes, SayWhereVectorsCannotBeWritten) {
  linear::Problem brick;
  linear::make_brick(brick, 3, 3, 3);
  const std::vector<double> mass(at(brick.pattern.equations()), 1.0);
  DenseSolver solver;
  try {
    find_modes({&brick.matrix, mass, &solver}, {.count = 10, .folder = "/no/such/folder"});
    FAIL() << "there is no such folder";
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "CR-I204");
  }
}

TEST(EigenModes, OfAnUnstableStructureAreNegative) {
  constexpr int n = 20;
  linear::Problem chain;
  make_chain(chain, n, false);
  chain.matrix.block(7, 7)[0] -= 3.0;
  const std::vector<double> mass(n, 1.0);
  DenseSolver solver;
  const double lowest = dense_eigen(n, dense(chain.matrix)).values[0];
  const Modes found = find_modes({&chain.matrix, mass, &solver}, {.count = 3});
  EXPECT_LT(lowest, -0.1);
  EXPECT_NEAR(found.modes[0].value, lowest, 1e-12);
  EXPECT_EQ(found.unstable, 1u);
}

TEST(EigenModes, NeedMass) {
  linear::Problem chain;
  make_chain(chain, 3, false);
  const std::vector<double> none(3, 0.0);
  DenseSolver solver;
  EXPECT_THROW(find_modes({&chain.matrix, none, &solver}, {.count = 1}), Error);
}

}  // namespace crumple::implicit::eigen
