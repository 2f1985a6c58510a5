// Numbers with derivatives: every function against central differences, masks by value, memory without.
#include <gtest/gtest.h>

#include <cmath>

#include "simd/math.hpp"

namespace crumple::simd {
namespace {

template <class V>
struct Duals : testing::Test {};
using Types = testing::Types<Dual<double, 2>, Dual<double, 4>, Dual<double, 8>, Dual<double, 24>>;
TYPED_TEST_SUITE(Duals, Types);

/// Derivatives of f by the first and the last direction at (x, y).
template <class V, class F>
void check(F f, double x, double y) {
  constexpr int n = V::n_directions;
  V a, b;
  set_variable(a, x, 0);
  set_variable(b, y, n - 1);
  const V result = f(a, b);
  double d[n];
  get_derivatives(result, d);
  EXPECT_DOUBLE_EQ(result.value, f(x, y));
  const double h = 1e-5, by_x = (f(x + h, y) - f(x - h, y)) / (2 * h),
               by_y = (f(x, y + h) - f(x, y - h)) / (2 * h);
  EXPECT_NEAR(d[0], by_x, 1e-8 * (1 + std::abs(by_x)));
  EXPECT_NEAR(d[n - 1], by_y, 1e-8 * (1 + std::abs(by_y)));
  for (int k = 1; k + 1 < n; ++k) EXPECT_EQ(d[k], 0);
}

TYPED_TEST(Duals, HaveTheDerivativesOfEveryFunction) {
  using V = TypeParam;
  const double x = 1.37, y = 0.61;
  check<V>([](auto a, auto b) { return a + b - 3.0 * a; }, x, y);
  check<V>([](auto a, auto b) { return a * b + 2.0 - b; }, x, y);
  check<V>([](auto a, auto b) { return a / b; }, x, y);
  check<V>([](auto a, auto b) { return 2.0 / a - b / 4.0; }, x, y);
  check<V>([](auto a, auto b) { return -a * (b + 1.0) * (1.0 + a); }, x, y);
  check<V>([](auto a, auto b) { return sqrt(a) * positive_sqrt(b); }, x, y);
  check<V>([](auto a, auto b) { return inverse(a) + coarse_inverse(b) * inverse_sqrt(a); }, x, y);
  check<V>([](auto a, auto b) { return exp(a * b) + log(a + b); }, x, y);
  check<V>([](auto a, auto b) { return pow(a, b); }, x, y);
  check<V>([](auto a, auto b) { return abs(b - a) + min(a, b) * max(a, b); }, x, y);
  check<V>([](auto a, auto b) { return select(a > b, a * a, b) + floor(a) * b + round(b); }, x, y);
  check<V>(
      [](auto a, auto b) {
        a += b;
        a *= b;
        a -= b * b;
        a /= b;
        return a;
      },
      x, y);
}

TYPED_TEST(Duals, BranchByTheirValueAndKeepNoDerivativesInMemory) {
  using V = TypeParam;
  V a;
  set_variable(a, 2.0, 0);
  static_assert(std::is_same_v<mask_t<V>, bool> && std::is_same_v<scalar_t<V>, double> && width_v<V> == 1);
  EXPECT_TRUE(a > V(1) && any(a == V(2)) && all(a != V(3)) && lane(a >= V(2), 0));
  double memory = 0;
  store(&memory, a);
  EXPECT_EQ(memory, 2.0);
  double d[V::n_directions];
  get_derivatives(load<V>(&memory), d);
  EXPECT_EQ(d[0], 0);
  const double table[3] = {5, 6, 7};
  EXPECT_EQ(lookup<V>(table, a).value, 7);
  get_derivatives(sqrt(V(0) * a), d);
  EXPECT_EQ(d[0], 0) << "the slope of the root of 0";
}

}  // namespace
}  // namespace crumple::simd
