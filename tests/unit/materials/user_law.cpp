// Users' own laws: what routines get and give, on vectors of the processor; the deformation gradient;
// tangents.
#include "materials/own/user_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "materials/vectors.hpp"

namespace crumple::materials {
namespace {

constexpr double kShear = 80, kBulk = 170;

/// Hooke's law; counts calls in the second history variable, keeps the time in the first.
void elastic(double* cm, double* eps, double* sig, double* epsp, double* hsv, double*, double*,
             const char* etype, double* tt, double* temper, std::int32_t* failel, const void*,
             const std::int32_t*, double*, double*, double* elsiz, std::int64_t* idele, std::int32_t*,
             std::size_t) {
  EXPECT_TRUE(std::isnan(*temper) && std::isnan(*elsiz));
  EXPECT_EQ(*idele, -1);
  const double bulk = cm[0], shear = cm[1], lambda = bulk - 2 * shear / 3;
  const bool shell = std::strncmp(etype, "shell", 5) == 0;
  if (shell) eps[2] = -lambda / (lambda + 2 * shear) * (eps[0] + eps[1]);
  const double volume = eps[0] + eps[1] + eps[2];
  for (int k = 0; k < 6; ++k) sig[k] += k < 3 ? lambda * volume + 2 * shear * eps[k] : shear * eps[k];
  hsv[0] = *tt;
  hsv[1] += 1;
  *epsp += 0.25;
  *failel = eps[0] > 0.5 ? 1 : 0;
}

UserLaw law_of(int variables = 2, bool gradient = false) {
  UserLaw law;
  law.routine.function = reinterpret_cast<void*>(&elastic);
  law.routine.constants = {kBulk, kShear};
  law.variables = variables;
  law.gradient = gradient;
  law.may_fail = true;
  law.routine.n_history = law.time_at();
  return law;
}

/// A point of vector V, with memory for its history.
template <class V, template <class> class Point>
struct Here {
  static constexpr int width = simd::width_v<V>, parts = simd::parts_v<V>;
  std::vector<simd::scalar_t<V>> memory;
  Point<V> point{};

  explicit Here(const UserLaw& law) : memory(static_cast<std::size_t>((law.time_at() + 2) * width)) {
    point.history = {memory.data(), width, width / parts};
    for (auto& d : point.d) d = V(0);
    for (auto& s : point.s) s = V(0);
    point.plastic_strain = V(0);
    point.dt = V(0.5);
  }
  double history(int k, int lane) const { return memory[static_cast<std::size_t>(k * width + lane)]; }
};

template <class V>
class UserLaws : public ::testing::Test {};
using Vectors = ::testing::Types<Singles, Doubles, TwoSingles, TwoDoubles>;
TYPED_TEST_SUITE(UserLaws, Vectors);

TYPED_TEST(UserLaws, EveryLaneIsAPointOfItsOwn) {
  using V = TypeParam;
  const UserLaw law = law_of();
  Here<V, ShellPoint> here(law);
  constexpr int n = simd::width_v<V>;
  alignas(64) simd::scalar_t<V> strain[n], stress[n], thinning[n];
  for (int i = 0; i < n; ++i) strain[i] = simd::scalar_t<V>(0.001 * (i + 1));
  for (int step = 1; step <= 2; ++step) {
    here.point.d[0] = simd::load<V>(strain, n / simd::parts_v<V>);
    update_shell(law, here.point);
  }
  simd::store(stress, n / simd::parts_v<V>, here.point.s[0]);
  simd::store(thinning, n / simd::parts_v<V>, here.point.d[2]);
  const double young = 9 * kBulk * kShear / (3 * kBulk + kShear), nu = young / (2 * kShear) - 1;
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(stress[i], 2 * young / (1 - nu * nu) * strain[i], 1e-4 * young * strain[i]);
    EXPECT_NEAR(thinning[i], -nu / (1 - nu) * strain[i], 1e-5 * strain[i]);
    EXPECT_EQ(here.history(0, i), 1.0);  // the time after two steps of 0.5
    EXPECT_EQ(here.history(1, i), 2.0);
  }
}

TEST(UserLaws, AFailedPointStaysFailedWithoutStress) {
  const UserLaw law = law_of();
  Here<Doubles, SolidPoint> here(law);
  here.point.d[0] = Doubles(0.6);
  update_solid(law, here.point);
  EXPECT_TRUE(simd::all(here.point.failed));
  here.point.d[0] = Doubles(0.001);
  update_solid(law, here.point);
  EXPECT_TRUE(simd::all(here.point.failed));
  EXPECT_EQ(simd::lane(here.point.s[0], 0), 0.0);
}

TEST(UserLaws, GradientOfStretchAndTurn) {
  // Turns by a quarter in 100 steps while it is stretched along its first axis to e: F = R U.
  std::array<double, 9> f{1, 0, 0, 0, 1, 0, 0, 0, 1};
  constexpr int steps = 100;
  const double turn = 0.5 * std::numbers::pi / steps;
  for (int k = 0; k < steps; ++k) {
    const double c = std::cos(turn), s = std::sin(turn), end = turn * (k + 1);
    const double a = std::cos(end), b = std::sin(end), e = 1.0 / steps;
    stretch_gradient({e * a * a, e * b * b, 0, 2 * e * a * b, 0, 0}, {c, -s, 0, s, c, 0, 0, 0, 1}, f);
  }
  const double expected[9] = {0, std::numbers::e, 0, -1, 0, 0, 0, 0, 1};
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(f[k], expected[k], 3e-5) << k;
}

TEST(UserLaws, TangentByDifferences) {
  const UserLaw law = law_of();
  using V = WithDerivatives;
  Here<V, SolidPoint> here(law);
  simd::set_variable(here.point.d[0], 0.001, 0);
  simd::set_variable(here.point.d[3], 0.002, 1);
  simd::set_variable(here.point.s[1], 0.3, 2);
  update_solid(law, here.point);
  double by[V::n_directions];
  simd::get_derivatives(here.point.s[1], by);
  EXPECT_NEAR(by[0], kBulk - 2 * kShear / 3, 1e-5 * kBulk);
  EXPECT_NEAR(by[1], 0, 1e-5 * kBulk);
  EXPECT_EQ(by[2], 1);
  simd::get_derivatives(here.point.s[3], by);
  EXPECT_NEAR(by[1], kShear, 1e-5 * kShear);
  EXPECT_NEAR(here.point.s[3].value, 0.002 * kShear, 1e-12);
}

}  // namespace
}  // namespace crumple::materials
