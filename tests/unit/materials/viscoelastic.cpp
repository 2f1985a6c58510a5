// MAT_006, MAT_061 and MAT_076 against the relaxation of their terms.
#include <gtest/gtest.h>

#include <cmath>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kBulk = 20, kFast = 5, kSlow = 1, kDecay = 4;

Prepared law(int number, std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m = material(number, {{"BULK", kBulk}, {"G0", kFast}, {"GI", kSlow}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return prepare({}, m);
}
/// G(t) integrated: stress of a constant shear rate 1 at time t.
double ramp(double t, double decay = kDecay) {
  return kSlow * t + (kFast - kSlow) / decay * (1 - std::exp(-decay * t));
}

std::vector<Prepared> equal_laws() {
  std::vector<Prepared> all;
  all.push_back(law(6, {{"BETA", kDecay}}));
  all.push_back(law(61, {{"DC", kDecay}}));
  all.push_back(law(61, {{"DC", 1 / kDecay}, {"FO", 1.0}}));
  all.push_back(
      law(76, {{"GI1", kSlow}, {"GI2", 1.5}, {"BETAI2", kDecay}, {"GI3", 2.5}, {"BETAI3", kDecay}}));
  return all;
}

TEST(Viscoelastic, ShearAtAConstantRateAndHeld) {
  for (const Prepared& each : equal_laws()) {
    EXPECT_NEAR(each.elastic.shear, kFast, 1e-12);
    EXPECT_EQ(each.elastic.bulk, kBulk);
    for (const int count : {1, 7, 1000}) {  // exact for any step
      Solid<double> solid(each);
      const double time = 0.3, strain = 0.01, hold = 0.5;
      solid.steps(count, {0, 0, 0, strain, 0, 0}, time);
      EXPECT_NEAR(solid.point.s[3], strain / time * ramp(time), 1e-12);
      solid.steps(count, {0, 0, 0, 0, 0, 0}, hold);
      EXPECT_NEAR(solid.point.s[3], strain / time * (ramp(time + hold) - ramp(hold)), 1e-12);
    }
  }
}

TEST(Viscoelastic, PressureDoesNotRelax) {
  for (const Prepared& each : equal_laws()) {
    Solid<double> solid(each);
    solid.steps(10, {-0.01, -0.01, -0.01, 0, 0, 0}, 10);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(solid.point.s[k], -0.03 * kBulk, 1e-12);
  }
}

TEST(Viscoelastic, SlowAndFastLimits) {
  const Prepared each = law(6, {{"BETA", kDecay}});
  Solid<double> slow(each), fast(each);
  slow.steps(1000, {0.01, -0.005, -0.005, 0, 0, 0}, 1e6);
  fast.steps(10, {0.01, -0.005, -0.005, 0, 0, 0}, 1e-9);
  EXPECT_NEAR(slow.point.s[0], 2 * kSlow * 0.01, 1e-7);
  EXPECT_NEAR(fast.point.s[0], 2 * kFast * 0.01, 1e-9);
}

// One cycle of e = A sin(w t) in steady state loses pi A^2 G'' of engineering shear, G'' = (G0 - GI) w b /
// (b^2 + w^2).
TEST(Viscoelastic, LossOfACycle) {
  const Prepared each = law(6, {{"BETA", kDecay}});
  Solid<double> solid(each);
  const double w = 3, a = 0.02, dt = 2 * M_PI / w / 2000;
  double lost = 0;
  for (int k = 0; k < 12000; ++k) {
    const double d = a * (std::sin(w * dt * (k + 1)) - std::sin(w * dt * k)), before = solid.point.s[3];
    solid.step({0, 0, 0, d, 0, 0}, dt);
    if (k >= 10000) lost += 0.5 * (before + solid.point.s[3]) * d;
  }
  const double loss = (kFast - kSlow) * w * kDecay / (kDecay * kDecay + w * w);
  EXPECT_NEAR(lost, M_PI * a * a * loss, 1e-4 * lost);
}

TEST(Viscoelastic, TurnsWithTheSolid) {
  const Prepared each = law(6, {{"BETA", 0.1}});
  Solid<double> solid(each);
  solid.step({0.03, -0.01, 0, 0.02, 0, 0}, 0.1);
  const double before[4] = {solid.point.s[0], solid.point.s[1], solid.point.s[2], solid.point.s[3]};
  const double quarter[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  // the element turns the stress, the law its history
  std::swap(solid.point.s[0], solid.point.s[1]);
  solid.point.s[3] = -solid.point.s[3];
  solid.point.rotation = quarter;
  solid.step({0, 0, 0, 0, 0, 0}, 1e-12);
  EXPECT_NEAR(solid.point.s[0], before[1], 1e-9);
  EXPECT_NEAR(solid.point.s[1], before[0], 1e-9);
  EXPECT_NEAR(solid.point.s[3], -before[3], 1e-9);
}

TEST(GeneralViscoelastic, ShowsNoPressureThatPullsWithPcf) {
  const Prepared each = law(76, {{"GI1", 1.0}, {"BETAI1", 2.0}, {"PCF", 1.0}});
  Solid<double> solid(each);
  const auto mean = [&] { return (solid.point.s[0] + solid.point.s[1] + solid.point.s[2]) / 3; };
  solid.step({0.03, 0.01, 0.01, 0, 0, 0}, 1e-9);
  EXPECT_NEAR(mean(), 0, 1e-12);
  EXPECT_NEAR(solid.point.s[0] - solid.point.s[1], 2 * 0.02, 1e-6);
  solid.step({-0.02, -0.02, -0.02, 0, 0, 0}, 1e-9);
  EXPECT_NEAR(mean(), -0.01 * kBulk, 1e-12);  // it has not forgotten the volume
}

TEST(GeneralViscoelastic, StaysElasticWithEf) {
  const Prepared each = law(76, {{"GI1", 1.0}, {"BETAI1", 2.0}, {"EF", 1.0}});
  Solid<double> solid(each);
  solid.steps(10, {0, 0, 0, 0.02, 0, 0}, 100);
  EXPECT_NEAR(solid.point.s[3], 0.02, 1e-12);
}

TEST(Viscoelastic, RefuseWhatIsNotSupported) {
  EXPECT_THROW(law(6, {{"BULK", 0.0}}), Error);
  EXPECT_THROW(law(6, {{"GI", 6.0}}), Error);
  EXPECT_THROW(law(61, {{"FO", 2.0}}), Error);
  EXPECT_THROW(law(61, {{"FO", 1.0}, {"DC", 0.0}}), Error);
  EXPECT_THROW(law(76, {}), Error);
  for (const char* field : {"LCID", "LCIDK", "TREF", "KI2"})
    EXPECT_THROW(law(76, {{"GI1", 1.0}, {field, 1.0}}), Error) << field;
}

}  // namespace
}  // namespace crumple::materials
