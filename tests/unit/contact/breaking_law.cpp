// Damage of ties of tiebreak contacts, by stress, force, distance and energy, against closed forms.
#include "contact/tiebreak/breaking_law.hpp"

#include <gtest/gtest.h>

namespace crumple::contact {
namespace {

constexpr double kN = 200.0, kT = 100.0;

model::Tiebreak law(model::TieFailure failure) {
  model::Tiebreak t;
  t.failure = failure;
  t.normal = 2.0;
  t.shear = 3.0;
  return t;
}

double damage(const model::Tiebreak& t, double opening, double sliding, double before = 0.0) {
  return damage_after(t, {opening, sliding, kN, kT}, before);
}

TEST(BreakingLaw, ByStressOrForce) {
  auto t = law(model::TieFailure::stress);
  EXPECT_EQ(damage(t, 0.0099, 0), 0.0);
  EXPECT_EQ(damage(t, 0.0101, 0), 1.0);
  EXPECT_EQ(damage(t, -1.0, 0.0299), 0.0) << "compression does not count";
  EXPECT_EQ(damage(t, -1.0, 0.0301), 1.0);
  const double a = 0.6, b = 0.8;  // of the strengths: on the circle
  EXPECT_EQ(damage(t, 0.999 * a * 0.01, 0.999 * b * 0.03), 0.0);
  EXPECT_EQ(damage(t, 1.001 * a * 0.01, 1.001 * b * 0.03), 1.0);
  t.failure = model::TieFailure::force;
  t.normal_power = t.shear_power = 1;
  EXPECT_EQ(damage(t, 0.499 * 0.01, 0.5 * 0.03), 0.0);
  EXPECT_EQ(damage(t, 0.501 * 0.01, 0.5 * 0.03), 1.0);
  t.shear = 0;  // no limit
  EXPECT_EQ(damage(t, 0.0, 100.0), 0.0);
  EXPECT_EQ(damage(law(model::TieFailure::normal), 0.0099, 100.0), 0.0);
}

/// Tractions fall on a line from the strength to zero at the distance; unloading keeps the damage.
TEST(BreakingLaw, SoftensUpToADistance) {
  auto t = law(model::TieFailure::distance);
  t.distance = 0.05;
  for (const double u : {0.012, 0.03, 0.049})
    EXPECT_NEAR((1 - damage(t, u, 0)) * kN * u, 2.0 * (0.05 - u) / (0.05 - 0.01), 1e-12) << u;
  EXPECT_EQ(damage(t, 0.05, 0), 1.0);
  EXPECT_EQ(damage(t, 0.02, 0, 0.9), 0.9);
  t.distance = 0.005;  // before the strength is reached
  EXPECT_EQ(damage(t, 0.0101, 0), 1.0);
  EXPECT_EQ(damage(t, 0.0099, 0), 0.0);
}

/// The area below the curve of both modes is the energy, and that of a mixed mode meets the power law.
TEST(BreakingLaw, SoftensByEnergies) {
  auto t = law(model::TieFailure::energy);
  t.energy_1 = 0.1;
  t.energy_2 = 0.4;
  const auto work = [&](double c, double s) {  // along u = c m, v = s m; of each mode
    std::array<double, 2> sum{};
    double d = 0, step = 1e-5;
    for (double m = 0.5 * step; d < 1; m += step) {
      d = damage(t, c * m, s * m, d);
      sum[0] += (1 - d) * kN * c * m * c * step;
      sum[1] += (1 - d) * kT * s * m * s * step;
    }
    return sum;
  };
  EXPECT_NEAR(work(1, 0)[0], 0.1, 1e-5);
  EXPECT_NEAR(work(0, 1)[1], 0.4, 1e-5);
  const auto mixed = work(0.6, 0.8);
  EXPECT_NEAR(mixed[0] / 0.1 + mixed[1] / 0.4, 1.0, 1e-3);
  t.benzeggagh_kenane = true;
  t.exponent = 1.5;
  const auto bk = work(0.6, 0.8);
  const double share = kT * 0.64 / (kN * 0.36 + kT * 0.64);
  EXPECT_NEAR(bk[0] + bk[1], 0.1 + 0.3 * std::pow(share, 1.5), 1e-4);
  EXPECT_EQ(damage_after(t, {0, 0, kN, kT}, 0.3), 0.3) << "no separation";
}

}  // namespace
}  // namespace crumple::contact
