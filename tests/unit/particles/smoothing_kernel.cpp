// The kernel's integrals and its slope, corrections of gradients, and neighbours against a search of all
// pairs.
#include "particles/smoothing_kernel.hpp"

#include <gtest/gtest.h>

#include <random>

#include "particles/neighbours.hpp"
#include "particles/particles.hpp"

namespace crumple::particles {
namespace {

/// The integral over space of a function of the distance, up to 2 h.
template <class F>
double integral(double h, F&& f) {
  constexpr int n = 20000;
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    const double r = (k + 0.5) * 2 * h / n;
    sum += 4 * std::numbers::pi * r * r * f(r) * 2 * h / n;
  }
  return sum;
}

TEST(SmoothingKernel, HasTheIntegralOne) {
  for (const double h : {0.3, 1.7})
    EXPECT_NEAR(integral(h, [&](double r) { return smoothing_kernel(r, h); }), 1.0, 1e-8);
}

TEST(SmoothingKernel, SlopeIsItsDerivativeOverTheDistance) {
  constexpr double h = 1.3, d = 1e-6;
  for (const double r : {0.1, 0.9, 1.29, 1.31, 2.0, 2.59, 2.7})
    EXPECT_NEAR(kernel_slope(r, h) * r, (smoothing_kernel(r + d, h) - smoothing_kernel(r - d, h)) / (2 * d),
                1e-8)
        << r;
}

TEST(SmoothingKernel, IntegralsOfItsGradient) {
  constexpr double h = 0.8;
  EXPECT_NEAR(integral(h, [&](double r) { return -kernel_slope(r, h) * r; }) * h, kGradientIntegral, 1e-7);
  // Exact gradients of linear fields need the integral of -x dW/dx to be 1.
  EXPECT_NEAR(integral(h, [&](double r) { return -kernel_slope(r, h) * r * r / 3; }), 1.0, 1e-7);
}

TEST(SmoothingKernel, ReproducesTheDensityOfALattice) {
  constexpr double h = 1.2;  // at a spacing of 1
  double sum = 0;
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      for (int k = -3; k <= 3; ++k) sum += smoothing_kernel(std::sqrt(i * i + j * j + k * k), h);
  EXPECT_NEAR(sum, 1.0, 5e-3);
}

TEST(GradientCorrection, IsTheInverse) {
  const std::array<double, 6> m{0.9, 0.6, 0.7, 0.1, -0.05, 0.02};
  const Matrix b = gradient_correction(m);
  const double full[3][3] = {{m[0], m[3], m[5]}, {m[3], m[1], m[4]}, {m[5], m[4], m[2]}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += full[i][k] * b[std::size_t(3 * k + j)];
      EXPECT_NEAR(sum, i == j ? 1.0 : 0.0, 1e-14);
    }
}

TEST(GradientCorrection, IsNoneForNeighboursOnAPlane) {
  const Matrix one{1, 0, 0, 0, 1, 0, 0, 0, 1};
  EXPECT_EQ(gradient_correction({0.5, 0.5, 0.0, 0.0, 0.0, 0.0}), one);
  EXPECT_EQ(gradient_correction({0.0, 0.0, 0.0, 0.0, 0.0, 0.0}), one);
  EXPECT_EQ(gradient_correction({0.5, 0.5, 0.05, 0.0, 0.0, 0.0}), one);
  EXPECT_EQ(gradient_correction({0.144, 0.144, 0.144, 0.0, 0.0, 0.0}), one) << "three neighbours";
  EXPECT_NE(gradient_correction({0.23, 0.23, 0.468, 0.0, 0.0, 0.0}), one) << "a corner of a lattice";
}

/// Points that move, checked against all pairs in every step.
TEST(Neighbours, ListsHaveAllPairsWithinReach) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-5.0, 5.0), step(-0.05, 0.05), size(0.6, 1.2);
  constexpr std::size_t n = 300;
  std::vector<Vec3> x(n);
  std::vector<double> length(n);
  std::vector<char> present(n, 1);
  std::vector<std::int32_t> own;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = {place(random), place(random), place(random)};
    length[i] = size(random);
    if (i % 2 == 0) own.push_back(static_cast<std::int32_t>(i));
  }
  x[17] = {1e9, 0, 0};  // far away: its cell is the last one
  x[18] = {1e9, 1, 0};
  present[20] = 0;
  Neighbours neighbours;
  for (int cycle = 0; cycle < 40; ++cycle) {
    neighbours.update(x, length, present, own, 0.02, 2);
    for (std::size_t k = 0; k < own.size(); ++k) {
      const auto list = neighbours.of(k);
      EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
      const auto i = static_cast<std::size_t>(own[k]);
      for (std::size_t j = 0; j < n; ++j) {
        if (j == i || !present[i] || !present[j] || norm(x[i] - x[j]) >= length[i] + length[j]) continue;
        EXPECT_TRUE(std::binary_search(list.begin(), list.end(), static_cast<std::int32_t>(j))) << i << j;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += Vec3{0.3 + step(random), step(random), step(random)};
      length[i] *= 1.002;
    }
  }
}

}  // namespace
}  // namespace crumple::particles
