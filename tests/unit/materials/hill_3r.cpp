// MAT_122 against Hill (1948): yield stresses and ratios R in any direction and in biaxial tension, MAT_037
// as a special case, hardening.
#include "materials/metal/hill_3r.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;
using Plane = std::array<double, 3>;

constexpr double kAlong = 1.8, kDiagonal = 1.2, kAcross = 2.4;

model::Model hill_curves() {
  model::Model m;
  m.curves = {curve(5, {0, 0.1, 0.4}, {0.3, 0.42, 0.5})};
  return m;
}
Prepared hill_law(Fields fields = {}) {
  return prepare(
      hill_curves(),
      with_fields(
          material(122, {{"HR", 3.0}, {"LCID", 5.0}, {"R00", kAlong}, {"R45", kDiagonal}, {"R90", kAcross}}),
          fields));
}

/// The yield function as Hill writes it, with F, G, H and N of the ratios.
double hill_of(const Plane& s) {
  const double g = 1 / (1 + kAlong), h = kAlong / (1 + kAlong), f = h / kAcross,
               n = (kDiagonal + 0.5) * (f + g);
  return std::sqrt(f * s[1] * s[1] + g * s[0] * s[0] + h * std::pow(s[0] - s[1], 2) + 2 * n * s[2] * s[2]);
}
Plane normal_to(Plane s) {
  Plane n;
  for (std::size_t i = 0; i < 3; ++i) {
    const double at = s[i];
    const auto f = [&](double x) {
      s[i] = at + x;
      return hill_of(s);
    };
    n[i] = (8 * (f(1e-3) - f(-1e-3)) - (f(2e-3) - f(-2e-3))) / 12e-3;
    s[i] = at;
  }
  return n;
}
Plane tension_at(double degrees) {
  const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
  return {c * c, s * s, s * c};
}

TEST(Hill3R, YieldStressesAndRatiosInAnyDirection) {
  const Prepared law = hill_law();
  const double dp = 0.02, k = 0.3 + 1.2 * dp;
  for (const double degrees : {0.0, 20.0, 45.0, 70.0, 90.0, -1.0}) {
    const Plane t = degrees < 0 ? Plane{1, 1, 0} : tension_at(degrees), n = normal_to(t);
    const double size = k / hill_of(t);
    Shell<double> shell(law);
    shell.step({size * (t[0] - 0.3 * t[1]) / 210 + dp * n[0], size * (t[1] - 0.3 * t[0]) / 210 + dp * n[1], 0,
                size * t[2] * 2.6 / 210 + dp * n[2], 0, 0});
    EXPECT_NEAR(shell.point.plastic_strain, dp, 1e-9) << degrees;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(shell.point.s[i], size * t[i], 1e-9) << degrees;
    EXPECT_NEAR(shell.point.s[3], size * t[2], 1e-9) << degrees;
    EXPECT_NEAR(shell.point.d[2], -0.3 * size * (t[0] + t[1]) / 210 - dp * (n[0] + n[1]), 1e-9);
  }
  const auto ratio = [](double degrees) {
    const Plane n = normal_to(tension_at(degrees)), across = tension_at(degrees + 90);
    return (across[0] * n[0] + across[1] * n[1] + across[2] * n[2]) / -(n[0] + n[1]);
  };
  EXPECT_NEAR(ratio(0), kAlong, 1e-9);
  EXPECT_NEAR(ratio(45), kDiagonal, 1e-9);
  EXPECT_NEAR(ratio(90), kAcross, 1e-9);
  // e.g. Hill 1950, chapter XII: across over along sqrt(R90 (1 + R00) / (R00 (1 + R90)))
  EXPECT_NEAR(hill_of({1, 0, 0}) / hill_of({0, 1, 0}),
              std::sqrt(kAcross * (1 + kAlong) / (kAlong * (1 + kAcross))), 1e-12);
}

// With one ratio R: MAT_037, here with the yield stress of all directions.
TEST(Hill3R, OneRatioIsMat037) {
  const Prepared law = hill_law({{"R00", 1.7}, {"R45", 1.7}, {"R90", 1.7}});
  const Prepared other_law = prepare(hill_curves(), material(37, {{"HLCID", 5.0}, {"R", 1.7}}));
  Shell<double> shell(law), other(other_law);
  std::mt19937 engine(3);
  std::normal_distribution<double> draw(0, 3e-3);
  for (int k = 0; k < 100; ++k) {
    const double x = draw(engine), y = draw(engine), xy = draw(engine);
    shell.step({x, y, 0, xy, 0, 0});
    other.step({x, y, 0, xy, 0, 0});
    for (const int i : {0, 1, 3}) EXPECT_NEAR(shell.point.s[i], other.point.s[i], 1e-9) << k;
    EXPECT_NEAR(shell.point.d[2], other.point.d[2], 1e-9) << k;
  }
  EXPECT_GT(shell.point.plastic_strain, 0.1);
}

TEST(Hill3R, ReturnsFromFarAway) {
  std::mt19937 engine(5);
  std::normal_distribution<double> draw(0, 1);
  const Prepared law = hill_law();
  for (const double size : {1e-3, 1e-2, 5e-2, 0.5})
    for (int k = 0; k < 200; ++k) {
      Shell<double> shell(law);
      shell.step({size * draw(engine), size * draw(engine), 0, size * draw(engine), 0, 0});
      const auto& s = shell.point.s;
      const double flow = hill_curves().curves[0](shell.point.plastic_strain);
      if (shell.point.plastic_strain > 0 && shell.point.plastic_strain < 0.4) {
        EXPECT_NEAR(hill_of({s[0], s[1], s[3]}), flow, 1e-8) << size << ' ' << k;
      }
    }
}

TEST(Hill3R, UnloadsElastically) {
  const Prepared law = hill_law();
  Shell<double> shell(law);
  shell.steps(10, {0.02, -0.012, 0, 0.01, 0, 0});
  const double x = shell.point.s[0], p = shell.point.plastic_strain;
  shell.step({-5e-4, 0, 0, 0, 1e-4, 0});
  EXPECT_NEAR(shell.point.s[0], x - 210 / 0.91 * 5e-4, 1e-12);
  EXPECT_NEAR(shell.point.s[4], 210 / 2.6 * 1e-4, 1e-12) << "transverse shear is elastic";
  EXPECT_EQ(shell.point.plastic_strain, p);
}

TEST(Hill3R, HardeningRules) {
  const double dp = 0.03;
  const auto expect = [&](Fields fields, double k) {
    const Prepared law = hill_law(fields);
    Shell<double> shell(law);
    shell.step({k / 210 + dp, -0.3 * k / 210 - dp * kAlong / (1 + kAlong), 0, 0, 0, 0});
    EXPECT_NEAR(shell.point.s[0], k, 1e-9);
  };
  expect({{"HR", 1.0}, {"P1", 5.0}, {"P2", 0.25}}, 0.25 + 210 * 5.0 / 205 * dp);
  expect({{"HR", 2.0}, {"P1", 0.6}, {"P2", 0.2}, {"E0", 0.004}}, 0.6 * std::pow(0.004 + dp, 0.2));
  expect({{"HR", 2.0}, {"P1", 0.6}, {"P2", 0.2}}, 0.6 * std::pow(std::pow(210 / 0.6, -1.25) + dp, 0.2));
}

TEST(Hill3R, RefusesWhatIsNotSupported) {
  const auto id = [](Fields fields) -> std::string {
    try {
      hill_law(fields);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id({}), "");
  EXPECT_EQ(id({{"HR", 4.0}}), "CR-M105");
  EXPECT_EQ(id({{"R45", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"LCID", 9.0}}), "CR-M106");
}

}  // namespace
}  // namespace crumple::materials
