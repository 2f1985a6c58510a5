// MAT_036 against the closed forms of Barlat and Lian (1989): yield stresses and ratios R in three
// directions, von Mises as a special case, hardening, rates and turned axes.
#include "materials/metal/three_parameter_barlat.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kR00 = 1.8, kR45 = 1.2, kR90 = 2.4;

model::Model sheets() {
  model::Model m;
  m.curves = {curve(5, {0, 0.1, 0.4}, {0.3, 0.42, 0.5}), curve(6, {0, 0.1}, {0.3, -0.1})};
  return m;
}
model::Material sheet(Fields fields = {}) {
  return with_fields(
      material(36, {{"HR", 3.0}, {"LCID", 5.0}, {"M", 8.0}, {"R00", kR00}, {"R45", kR45}, {"R90", kR90}}),
      fields);
}
Prepared barlat(Fields fields = {}) { return prepare(sheets(), sheet(fields)); }

/// The equivalent stress as the paper writes it, with c = 2 - a.
double equivalent(double m, double a, double h, double p, const std::array<double, 3>& s) {
  const double k1 = 0.5 * (s[0] + h * s[1]);
  const double k2 = std::sqrt(std::pow(0.5 * (s[0] - h * s[1]), 2) + p * p * s[2] * s[2]);
  return std::pow(0.5 * (a * std::pow(std::abs(k1 + k2), m) + a * std::pow(std::abs(k1 - k2), m) +
                         (2 - a) * std::pow(2 * k2, m)),
                  1 / m);
}
/// Its gradient, by differences of the fourth order.
std::array<double, 3> gradient(double m, double a, double h, double p, std::array<double, 3> s) {
  std::array<double, 3> n;
  for (std::size_t i = 0; i < 3; ++i) {
    const double at = s[i];
    const auto f = [&](double x) {
      s[i] = at + x;
      return equivalent(m, a, h, p, s);
    };
    n[i] = (8 * (f(1e-3) - f(-1e-3)) - (f(2e-3) - f(-2e-3))) / 12e-3;
    s[i] = at;
  }
  return n;
}
double a_of(double r0, double r90) { return 2 - 2 * std::sqrt(r0 / (1 + r0) * r90 / (1 + r90)); }
double h_of(double r0, double r90) { return std::sqrt(r0 / (1 + r0) * (1 + r90) / r90); }

/// Tension of 1 at an angle to the axis a.
std::array<double, 3> tension(double degrees) {
  const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
  return {c * c, s * s, s * c};
}

/// The strain of the stress `size` times the direction, and of the plastic strain `dp` along the normal n.
std::array<double, 6> strain_of(double size, const std::array<double, 3>& t, double dp,
                                const std::array<double, 3>& n) {
  const double young = 210, nu = 0.3;
  return {size * (t[0] - nu * t[1]) / young + dp * n[0],
          size * (t[1] - nu * t[0]) / young + dp * n[1],
          0,
          size * t[2] * 2 * (1 + nu) / young + dp * n[2],
          0,
          0};
}

// A point is strained by the elastic strain of the yield stress of a direction and by a plastic strain whose
// parts have the ratio R of that direction. The stress must then be tension in it: of k at 0 degrees, k / h
// at
// 90. At 45 the size is that of the work, k dp = s e, where e is the plastic strain in the direction.
TEST(Barlat, YieldStressesAndRatiosInThreeDirections) {
  const Prepared law = barlat();
  const double dp = 0.05, k = 0.3 + 1.2 * dp, h = h_of(kR00, kR90);
  {
    Shell<double> shell(law);
    const std::array<double, 3> n{1, -kR00 / (1 + kR00), 0};
    const auto d = strain_of(k, tension(0), dp, n);
    shell.step({d[0], d[1], 0, d[3], 0, 0});
    EXPECT_NEAR(shell.point.s[0], k, 1e-9);
    EXPECT_NEAR(shell.point.s[1], 0, 1e-9);
    EXPECT_NEAR(shell.point.s[3], 0, 1e-9);
    EXPECT_NEAR(shell.point.plastic_strain, dp, 1e-9);
    EXPECT_NEAR(shell.point.d[2], -0.3 * k / 210 - dp / (1 + kR00), 1e-9);
  }
  {
    Shell<double> shell(law);
    const std::array<double, 3> n{-h * kR90 / (1 + kR90), h, 0};
    const auto d = strain_of(k / h, tension(90), dp, n);
    shell.step({d[0], d[1], 0, d[3], 0, 0});
    EXPECT_NEAR(shell.point.s[0], 0, 1e-9);
    EXPECT_NEAR(shell.point.s[1], k / h, 1e-9);
    EXPECT_NEAR(shell.point.plastic_strain, dp, 1e-9);
  }
}

/// p of R45, found by halving here, from the numeric gradient.
double shear_parameter_of(double m, double a, double h, double ratio) {
  double low = 0.1, high = 10;
  for (int k = 0; k < 100; ++k) {
    const double p = 0.5 * (low + high);
    const auto n = gradient(m, a, h, p, tension(45));
    const double width = 0.5 * (n[0] + n[1] - n[2]);  // of the strain across the direction, shear n[2] / 2
    (width / -(n[0] + n[1]) < ratio ? low : high) = p;
  }
  return 0.5 * (low + high);
}

TEST(Barlat, AnyDirection) {
  const double dp = 0.02, k = 0.3 + 1.2 * dp;
  for (const double m : {2.0, 6.0, 8.0, 7.5}) {
    const Prepared law = barlat({{"M", m}});
    const double a = a_of(kR00, kR90), h = h_of(kR00, kR90), p = shear_parameter_of(m, a, h, kR45);
    for (const double degrees : {0.0, 20.0, 45.0, 70.0, 90.0}) {
      const auto t = tension(degrees), n = gradient(m, a, h, p, t);
      const double size = k / equivalent(m, a, h, p, t);
      const auto d = strain_of(size, t, dp, n);
      Shell<double> shell(law);
      shell.step({d[0], d[1], 0, d[3], 0, 0});
      EXPECT_NEAR(shell.point.plastic_strain, dp, 1e-7) << degrees << ' ' << m;
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(shell.point.s[i], size * t[i], 1e-7) << degrees << ' ' << m;
      EXPECT_NEAR(shell.point.s[3], size * t[2], 1e-7) << degrees << ' ' << m;
      if (degrees == 45) {
        const double width = 0.5 * (n[0] + n[1] - n[2]);
        EXPECT_NEAR(width / -(n[0] + n[1]), kR45, 1e-8) << "the ratio of the plastic strain " << m;
      }
    }
  }
}

// M = 2 and R = 1: von Mises, here MAT_024, without transverse shear.
TEST(Barlat, MisesIsASpecialCase) {
  const Prepared law = barlat({{"M", 2.0}, {"R00", 1.0}, {"R45", 1.0}, {"R90", 1.0}});
  const Prepared mises_law = prepare(sheets(), material(24, {{"LCSS", 5.0}}));
  Shell<double> shell(law), other(mises_law);
  std::mt19937 engine(3);
  std::normal_distribution<double> draw(0, 3e-3);
  for (int k = 0; k < 100; ++k) {
    const double x = draw(engine), y = draw(engine), xy = draw(engine);
    shell.step({x, y, 0, xy, 0, 0});
    other.step({x, y, 0, xy, 0, 0});
    for (const int i : {0, 1, 3}) EXPECT_NEAR(shell.point.s[i], other.point.s[i], 1e-9) << k;
    EXPECT_NEAR(shell.point.d[2], other.point.d[2], 1e-10) << k;
  }
  EXPECT_NEAR(shell.point.plastic_strain, other.point.plastic_strain, 1e-8);
  EXPECT_GT(shell.point.plastic_strain, 0.1);
}

// The stress is on the surface after any step, also after ones far beyond it: a hundredth to ten times the
// strain of yield, M up to 20.
TEST(Barlat, ReturnsFromFarAway) {
  std::mt19937 engine(5);
  std::normal_distribution<double> draw(0, 1);
  for (const double m : {2.0, 6.0, 8.0, 20.0}) {
    const Prepared law = barlat({{"M", m}});
    const double a = a_of(kR00, kR90), h = h_of(kR00, kR90), p = shear_parameter_of(m, a, h, kR45);
    for (const double size : {1e-3, 1e-2, 5e-2})
      for (int k = 0; k < 200; ++k) {
        Shell<double> shell(law);
        shell.step({size * draw(engine), size * draw(engine), 0, size * draw(engine), 0, 0});
        const auto& s = shell.point.s;
        const double flow = sheets().curves[0](shell.point.plastic_strain);
        const double f = equivalent(m, a, h, p, {s[0], s[1], s[3]});
        if (shell.point.plastic_strain > 0)
          EXPECT_NEAR(f, flow, 1e-8) << m << ' ' << size << ' ' << k;
        else
          EXPECT_LE(f, flow * (1 + 1e-9));
      }
  }
}

TEST(Barlat, UnloadsElastically) {
  const Prepared law = barlat();
  Shell<double> shell(law);
  shell.steps(10, {0.02, -0.012, 0, 0.01, 0, 0});
  const double x = shell.point.s[0], y = shell.point.s[1], p = shell.point.plastic_strain;
  shell.step({-5e-4, 0, 0, 0, 1e-4, 0});
  EXPECT_NEAR(shell.point.s[0], x - 210 / 0.91 * 5e-4, 1e-12);
  EXPECT_NEAR(shell.point.s[1], y - 0.3 * 210 / 0.91 * 5e-4, 1e-12);
  EXPECT_NEAR(shell.point.s[4], 210 / 2.6 * 1e-4, 1e-12) << "transverse shear is elastic";
  EXPECT_EQ(shell.point.plastic_strain, p);
}

// HR = 1: a line of the tangent modulus; 2: a power, with its three kinds of first strain.
TEST(Barlat, HardeningRules) {
  const auto pulled = [](const Prepared& law, double k, double dp) {
    Shell<double> shell(law);
    const std::array<double, 3> n{1, -kR00 / (1 + kR00), 0};
    const auto d = strain_of(k, tension(0), dp, n);
    shell.step({d[0], d[1], 0, 0, 0, 0});
    return shell.point.s[0];
  };
  const double dp = 0.03, hardening = 210 * 5.0 / 205;
  EXPECT_NEAR(pulled(barlat({{"HR", 1.0}, {"P1", 5.0}, {"P2", 0.25}}), 0.25 + hardening * dp, dp),
              0.25 + hardening * dp, 1e-9);
  const auto power = [&](Fields fields, double e0) {
    model::Material m = sheet({{"HR", 2.0}, {"P1", 0.6}, {"P2", 0.2}});
    const double k = 0.6 * std::pow(e0 + dp, 0.2);
    EXPECT_NEAR(pulled(prepare(sheets(), with_fields(m, fields)), k, dp), k, 1e-9) << e0;
  };
  power({{"E0", 0.004}}, 0.004);
  power({}, std::pow(210 / 0.6, 1 / (0.2 - 1)));
  power({{"SPI", 0.01}}, 0.01);
  power({{"SPI", 0.25}}, std::pow(0.25 / 0.6, 1 / 0.2));
}

// The flow stress of a step of the rate sqrt(d_ij d_ij).
TEST(Barlat, CowperAndSymonds) {
  const Prepared law = barlat({{"C", 40.0}, {"P", 5.0}});
  Shell<double> shell(law);
  const double x = 0.02, y = -0.012, xy = 0.01, dt = 1e-3;
  shell.step({x, y, 0, xy, 0, 0}, dt);
  const double rate = std::sqrt(x * x + y * y + (x + y) * (x + y) + 0.5 * xy * xy) / dt;
  const double a = a_of(kR00, kR90), h = h_of(kR00, kR90), p = shear_parameter_of(8, a, h, kR45);
  const auto& s = shell.point.s;
  EXPECT_NEAR(equivalent(8, a, h, p, {s[0], s[1], s[3]}),
              sheets().curves[0](shell.point.plastic_strain) * (1 + std::pow(rate / 40, 0.2)), 1e-8);
}

TEST(Barlat, TurnedAxes) {
  const Prepared law = barlat();
  const double angle = 0.4, c = std::cos(angle), s = std::sin(angle);
  Shell<double> shell(law);
  shell.point.history.store(0, c - 1);
  shell.point.history.store(1, s);
  const double dp = 0.05, k = 0.3 + 1.2 * dp, along = k / 210 + dp,
               side = -0.3 * k / 210 - dp * kR00 / (1 + kR00);
  shell.step(
      {c * c * along + s * s * side, s * s * along + c * c * side, 0, 2 * s * c * (along - side), 0, 0});
  EXPECT_NEAR(shell.point.s[0], k * c * c, 1e-9);
  EXPECT_NEAR(shell.point.s[1], k * s * s, 1e-9);
  EXPECT_NEAR(shell.point.s[3], k * s * c, 1e-9);
}

TEST(Barlat, ParametersThemselves) {
  const double a = a_of(kR00, kR90), h = h_of(kR00, kR90);
  const Prepared law = barlat(),
                 same = barlat(
                     {{"R00", a}, {"R45", 2 - a}, {"R90", h}, {"PB", shear_parameter_of(8, a, h, kR45)}});
  Shell<double> one(law), other(same);
  one.step({0.01, 0.02, 0, 0.03, 0, 0});
  other.step({0.01, 0.02, 0, 0.03, 0, 0});
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(one.point.s[i], other.point.s[i], 1e-8) << i;
}

TEST(Barlat, RefusesWhatIsNotSupported) {
  const auto id = [](Fields fields) -> std::string {
    try {
      barlat(fields);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id({}), "");
  EXPECT_EQ(id({{"M", 1.5}}), "CR-M108");
  EXPECT_EQ(id({{"M", -8.0}}), "CR-M105");
  EXPECT_EQ(id({{"R00", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"R45", -3.0}}), "CR-M105");
  EXPECT_EQ(id({{"HR", 4.0}}), "CR-M105");
  EXPECT_EQ(id({{"LCID", 9.0}}), "CR-M106");
  EXPECT_EQ(id({{"LCID", 6.0}}), "CR-M107");
  EXPECT_EQ(id({{"HR", 1.0}, {"P1", 5.0}}), "CR-M103");
  EXPECT_EQ(id({{"HR", 1.0}, {"P1", 300.0}, {"P2", 0.2}}), "CR-M108");
  EXPECT_EQ(id({{"PB", 1.0}}), "CR-M108");
  EXPECT_EQ(id({{"C", 40.0}}), "CR-M108");
  for (const char* field : {"VLCID", "HTA", "HTFLAG", "USRFAIL"}) EXPECT_EQ(id({{field, 1.0}}), "CR-M105");
}

}  // namespace
}  // namespace crumple::materials
