// MAT_081: the undamaged law times 1 - w, softer unloading, rupture.
#include <gtest/gtest.h>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kBegin = 0.01, kEnd = 0.05;

Prepared damaged(double etan = 2.0) {
  return prepare({}, material(81, {{"SIGY", 0.3}, {"ETAN", etan}, {"EPPF", kBegin}, {"EPPFR", kEnd}}));
}
double intact_part(double p) { return 1 - std::clamp((p - kBegin) / (kEnd - kBegin), 0.0, 1.0); }

TEST(PlasticityWithDamage, IsTheUndamagedStressTimesWhatIsIntact) {
  const Prepared with = damaged(), without = prepare({}, material(24, {{"SIGY", 0.3}, {"ETAN", 2.0}}));
  Solid<double> a(with), b(without);
  Shell<double> c(with), d(without);
  Beam<double> e(with), f(without);
  for (int k = 0; k < 60; ++k) {
    const double x = k % 15 < 10 ? 1e-3 : -1e-3;  // forward and a little back
    a.step({x, -0.4 * x, -0.3 * x, 0.5 * x, 0, 0.2 * x}),
        b.step({x, -0.4 * x, -0.3 * x, 0.5 * x, 0, 0.2 * x});
    c.step({x, -0.4 * x, 0, 0.5 * x, 0, 0.2 * x}), d.step({x, -0.4 * x, 0, 0.5 * x, 0, 0.2 * x});
    e.step({x, 0.5 * x, 0}), f.step({x, 0.5 * x, 0});
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR(a.point.s[i], intact_part(b.point.plastic_strain) * b.point.s[i], 1e-12);
      EXPECT_NEAR(c.point.s[i], intact_part(d.point.plastic_strain) * d.point.s[i], 1e-12);
    }
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(e.point.s[i], intact_part(f.point.plastic_strain) * f.point.s[i], 1e-12);
    EXPECT_NEAR(c.point.d[2], d.point.failed ? 0 : d.point.d[2], 1e-14);
  }
  EXPECT_GT(b.point.plastic_strain, kBegin);
}

TEST(PlasticityWithDamage, UnloadingIsSofter) {
  const Prepared law = damaged();
  Beam<double> p(law);
  p.steps(100, {0.03, 0, 0});
  const double before = p.point.s[0], keep = intact_part(p.point.plastic_strain);
  EXPECT_LT(keep, 0.6);
  p.step({-1e-4, 0, 0});
  EXPECT_NEAR(before - p.point.s[0], keep * 210 * 1e-4, 1e-12);
}

TEST(PlasticityWithDamage, RupturesAtEppfr) {
  const Prepared law = damaged();
  Shell<double> p(law);
  int count = 0;
  for (; count < 1000 && !p.point.failed; ++count) p.step({1e-4, 0, 0, 0, 0, 0});
  EXPECT_NEAR(p.point.plastic_strain, kEnd, 1.3e-4);
  for (int k = 0; k < 100; ++k) {
    p.step({-1e-4, 0, 0, 1e-4, 0, 0});
    EXPECT_TRUE(p.point.failed);
    for (const double s : p.point.s) EXPECT_EQ(s, 0);
  }
}

TEST(PlasticityWithDamage, RefusesAndPrepares) {
  EXPECT_THROW(prepare({}, material(81, {{"SIGY", 0.3}, {"EPPF", 0.1}, {"EPPFR", 0.1}})), Error);
  EXPECT_EQ(prepare({}, material(81, {{"SIGY", 0.3}, {"EPPF", 0.1}, {"EPPFR", 0.2}, {"NUMINT", 2.0}}))
                .points_to_fail,
            2);
}

}  // namespace
}  // namespace crumple::materials
