// Preloaded points: the stress wanted on the plane of the axis, whatever the strain; then the law goes on.
#include "materials/wrappers/preload.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kNu = 0.3;

/// Sets whether the preload acts, its stress and its axis.
void set(const Prepared& law, Solid<double>& p, double acts, double stress, const Vec3& axis) {
  const double values[5] = {acts, stress, axis.x, axis.y, axis.z};
  for (int k = 0; k < 5; ++k) p.point.history.store(preload_of(law.law)->law_history + k, values[k]);
}

TEST(Preload, StressIsThatWantedAndNarrowsTheMaterial) {
  const Prepared law = add_preload(prepare({}, material(1, {})), false);
  Solid<double> p(law);
  set(law, p, 1, 0.2, {1, 0, 0});
  // Free to narrow: e_yy = e_zz = -nu s / E leaves no lateral stress, whatever e_xx is.
  const double across = -kNu * 0.2 / kE;
  p.step({-0.01, across, across, 0.002, 0.0, -0.003}, 1e-3);
  const double wanted[6] = {0.2, 0, 0, 0, 0, 0};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(p.point.s[k], wanted[k], 1e-14) << k;
  set(law, p, 0, 0, {1, 0, 0});
  p.step({1e-4, -kNu * 1e-4, -kNu * 1e-4, 0, 0, 0}, 1e-3);
  EXPECT_NEAR(p.point.s[0], 0.2 + kE * 1e-4, 1e-14);
}

TEST(Preload, ObliqueAxisAndKeptShear) {
  const Vec3 n{0.48, 0.6, 0.64};
  for (const bool keeps : {false, true}) {
    const Prepared law = add_preload(prepare({}, material(3, {{"SIGY", 0.25}, {"ETAN", 2.0}})), keeps);
    Solid<double> p(law);
    set(law, p, 1, 0.15, n);
    p.step({1e-3, -2e-4, 3e-4, 5e-4, -4e-4, 2e-4}, 1e-3);
    const double* s = p.point.s;
    const Vec3 t{s[0] * n.x + s[3] * n.y + s[5] * n.z, s[3] * n.x + s[1] * n.y + s[4] * n.z,
                 s[5] * n.x + s[4] * n.y + s[2] * n.z};
    EXPECT_NEAR(dot(t, n), 0.15, 1e-14);
    if (keeps)
      EXPECT_GT(norm(t - dot(t, n) * n), 1e-3);
    else
      EXPECT_LT(norm(t - dot(t, n) * n), 1e-14);
  }
}

TEST(Preload, TheAxisTurnsWithTheMaterial) {
  const Prepared law = add_preload(prepare({}, material(1, {})), false);
  Solid<double> p(law);
  set(law, p, 1, 0.2, {1, 0, 0});
  p.step({0, 0, 0, 0, 0, 0}, 1e-3);
  const double quarter[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  p.point.rotation = quarter;
  const double in_plane = p.point.s[1];
  p.point.s[0] = in_plane, p.point.s[1] = 0.2;  // as an element turns it
  p.step({0, 0, 0, 0, 0, 0}, 1e-3);
  EXPECT_NEAR(p.point.s[1], 0.2, 1e-14);
  EXPECT_NEAR(p.point.s[0], in_plane, 1e-14);
}

}  // namespace
}  // namespace crumple::materials
