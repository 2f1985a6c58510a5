// MAT_103 against Hill (1948) and Voce (1948): stresses along the axes and in shear, the flow rule, MAT_024
// and MAT_122 as special cases.
#include "materials/metal/anisotropic_viscoplastic.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;
using Six = std::array<double, 6>;

constexpr double kF = 0.4, kG = 0.6, kH = 0.5, kL = 1.3, kM = 1.6, kN = 1.8;

model::Model flow_model() {
  model::Model m;
  m.curves = {curve(5, {0, 0.1, 0.4}, {0.3, 0.42, 0.5})};
  return m;
}
Prepared voce(Fields fields = {}) {
  return prepare(flow_model(), with_fields(material(103, {{"SIGY", 0.3},
                                                          {"QR1", 0.1},
                                                          {"CR1", 20.0},
                                                          {"QR2", 0.05},
                                                          {"CR2", 200.0},
                                                          {"R00/F", kF},
                                                          {"R45/G", kG},
                                                          {"R90/H", kH},
                                                          {"L", kL},
                                                          {"M", kM},
                                                          {"N", kN}}),
                                           fields));
}
double flow_of(double p) { return 0.3 + 0.1 * (1 - std::exp(-20 * p)) + 0.05 * (1 - std::exp(-200 * p)); }

/// xx yy zz xy yz zx along a, b, c.
double hill_stress(const Six& s) {
  return std::sqrt(kF * std::pow(s[1] - s[2], 2) + kG * std::pow(s[2] - s[0], 2) +
                   kH * std::pow(s[0] - s[1], 2) + 2 * kN * s[3] * s[3] + 2 * kL * s[4] * s[4] +
                   2 * kM * s[5] * s[5]);
}

// A point strained by the elastic strain of a stress on the surface and by a plastic strain normal to it has
// this stress.
TEST(AnisotropicViscoplastic, StressAndFlowInAnyState) {
  const Prepared law = voce();
  const double dp = 0.02, k = flow_of(dp), nu = 0.3;
  const Six states[] = {{1, 0, 0, 0, 0, 0},           {0, 1, 0, 0, 0, 0}, {0, 0, -1, 0, 0, 0},
                        {0, 0, 0, 1, 0, 0},           {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1},
                        {1, 0.5, 0.2, 0.3, -0.2, 0.1}};
  for (const Six& t : states) {
    Six n, s = t;
    for (std::size_t i = 0; i < 6; ++i) {
      s[i] = t[i] + 1e-5;
      const double up = hill_stress(s);
      s[i] = t[i] - 1e-5;
      n[i] = (up - hill_stress(s)) / 2e-5;
      s[i] = t[i];
    }
    const double size = k / hill_stress(t), sum = t[0] + t[1] + t[2];
    double d[6];
    for (std::size_t i = 0; i < 6; ++i)
      d[i] = dp * n[i] + size * (i < 3 ? ((1 + nu) * t[i] - nu * sum) / 210 : 2.6 * t[i] / 210);
    Solid<double> p(law);
    p.step(d);
    EXPECT_NEAR(p.point.plastic_strain, dp, 1e-8);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(p.point.s[i], size * t[i], 1e-8) << i;
  }
}

TEST(AnisotropicViscoplastic, MisesWithoutConstants) {
  const Prepared law = voce({{"R00/F", 0.0},
                             {"R45/G", 0.0},
                             {"R90/H", 0.0},
                             {"L", 0.0},
                             {"M", 0.0},
                             {"N", 0.0},
                             {"FLAG", 2.0},
                             {"LCSS", 5.0}});
  const Prepared mises_law = prepare(flow_model(), material(24, {{"LCSS", 5.0}}));
  std::mt19937 engine(3);
  std::normal_distribution<double> draw(0, 3e-3);
  Solid<double> p(law), other(mises_law);
  Shell<double> shell(law), other_shell(mises_law);
  for (int k = 0; k < 100; ++k) {
    const double d[6] = {draw(engine), draw(engine), draw(engine), draw(engine), draw(engine), draw(engine)};
    p.step(d);
    other.step(d);
    const double plane[6] = {d[0], d[1], 0, d[3], 0, 0};
    shell.step(plane);
    other_shell.step(plane);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(p.point.s[i], other.point.s[i], 1e-9) << k;
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(shell.point.s[i], other_shell.point.s[i], 1e-9) << k;
    EXPECT_NEAR(shell.point.d[2], other_shell.point.d[2], 1e-10) << k;
  }
  EXPECT_GT(p.point.plastic_strain, 0.1);
}

TEST(AnisotropicViscoplastic, ShellsAreThoseOfMat122) {
  const Prepared law = voce({{"R00/F", 1.8}, {"R45/G", 1.2}, {"R90/H", 2.4}, {"FLAG", 2.0}, {"LCSS", 5.0}});
  const Prepared hill = prepare(
      flow_model(), material(122, {{"HR", 3.0}, {"LCID", 5.0}, {"R00", 1.8}, {"R45", 1.2}, {"R90", 2.4}}));
  Shell<double> one(law), other(hill);
  one.steps(20, {0.05, -0.02, 0, 0.03, 0, 0});
  other.steps(20, {0.05, -0.02, 0, 0.03, 0, 0});
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(one.point.s[i], other.point.s[i], 1e-12);
}

TEST(AnisotropicViscoplastic, ReturnsFromFarAwayAndUnloads) {
  const Prepared law = voce();
  std::mt19937 engine(5);
  std::normal_distribution<double> draw(0, 1);
  for (const double size : {1e-3, 1e-2, 0.1})
    for (int k = 0; k < 200; ++k) {
      Solid<double> p(law);
      p.step({size * draw(engine), size * draw(engine), size * draw(engine), size * draw(engine),
              size * draw(engine), size * draw(engine)});
      const auto& s = p.point.s;
      const double f = hill_stress({s[0], s[1], s[2], s[3], s[4], s[5]});
      if (p.point.plastic_strain > 0)
        EXPECT_NEAR(f, flow_of(p.point.plastic_strain), 1e-9) << size << ' ' << k;
      else
        EXPECT_LE(f, 0.3 + 1e-12);
      // Unload along the stress: elastic
      double back[6], before[6];
      const double mean = (s[0] + s[1] + s[2]) / 3, plastic = p.point.plastic_strain;
      for (int i = 0; i < 6; ++i) before[i] = s[i];
      for (int i = 0; i < 6; ++i) back[i] = -1e-3 / 210 * (i < 3 ? before[i] - mean : 2 * before[i]);
      p.step(back);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(s[i], before[i] - 1e-3 / 1.3 * (before[i] - mean), 1e-12 * (1 + std::abs(mean)));
      for (int i = 3; i < 6; ++i) EXPECT_NEAR(s[i], before[i] * (1 - 1e-3 / 1.3), 1e-12);
      EXPECT_EQ(p.point.plastic_strain, plastic);
    }
}

// The axes turn with the material: a point that is turned by a quarter has its stress turned.
TEST(AnisotropicViscoplastic, AxesThatAreGiven) {
  const Prepared law = voce();
  Solid<double> along(law), turned(law);
  // a = y, b = -x: components minus those of the unit vectors.
  const double axes[9] = {-1, 1, 0, -1, -1, 0, 0, 0, 0};
  for (int k = 0; k < 9; ++k) turned.point.history.store(k, axes[k]);
  along.steps(5, {0.02, -0.01, -0.01, 0.01, 0, 0});
  turned.steps(5, {-0.01, 0.02, -0.01, -0.01, 0, 0});
  EXPECT_NEAR(turned.point.s[1], along.point.s[0], 1e-12);
  EXPECT_NEAR(turned.point.s[0], along.point.s[1], 1e-12);
  EXPECT_NEAR(turned.point.s[3], -along.point.s[3], 1e-12);
}

TEST(AnisotropicViscoplastic, FailsBeyondItsStrain) {
  const Prepared law = voce({{"FAIL", 0.05}});
  Solid<double> p(law);
  p.steps(100, {0, 0, 0, 0.2, 0, 0});
  EXPECT_TRUE(p.point.failed);
  EXPECT_EQ(p.point.s[3], 0);
}

TEST(AnisotropicViscoplastic, RefusesWhatIsNotSupported) {
  const auto id = [](Fields fields) -> std::string {
    try {
      voce(fields);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id({}), "");
  for (const auto& [field, value] : {std::pair{"FLAG", 1.0}, {"FLAG", 4.0}, {"LCSS", 5.0}, {"FAIL", -1.0}})
    EXPECT_EQ(id({{field, value}}), "CR-M105") << field << ' ' << value;
  EXPECT_EQ(id({{"FLAG", 2.0}, {"LCSS", 9.0}}), "CR-M106");
  EXPECT_EQ(id({{"SIGY", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"R00/F", -1.0}}), "CR-M108");
  EXPECT_EQ(id({{"QX1", -0.1}}), "CR-M108");
  EXPECT_EQ(id({{"VK", 0.1}}), "CR-M103");  // without VM
}

/// Back stress of monotonic flow, as a uniaxial stress.
constexpr double kQx1 = 0.08, kCx1 = 60, kQx2 = 0.2, kCx2 = 5;
double back_of(double p) { return kQx1 * (1 - std::exp(-kCx1 * p)) + kQx2 * (1 - std::exp(-kCx2 * p)); }
Prepared kinematic(Fields fields = {}) {
  model::Material m = with_fields(material(103, {{"SIGY", 0.3}, {"QR1", 0.1}, {"CR1", 20.0}}),
                                  {{"QX1", kQx1}, {"CX1", kCx1}, {"QX2", kQx2}, {"CX2", kCx2}});
  return prepare(flow_model(), with_fields(m, fields));
}

// Shear: sqrt(2 N) t = k + back; reversed it yields at t - 2 k / sqrt(2 N), and the back stresses turn.
template <class Point>
void check_reversed_shear(Point& p, double norm) {
  const auto k = [](double strain) { return 0.3 + 0.1 * (1 - std::exp(-20 * strain)); };
  const auto shear = [&](double by, int count) {
    for (int n = 0; n < count; ++n) p.step({0, 0, 0, by / count, 0, 0});
  };
  shear(0.1, 20000);
  const double turn = p.point.plastic_strain, peak = norm * p.point.s[3];
  EXPECT_NEAR(peak, k(turn) + back_of(turn), 1e-5);
  const double elastic = 2 * k(turn) / norm / (210 / 2.6);
  shear(-0.98 * elastic, 10);
  EXPECT_EQ(p.point.plastic_strain, turn);
  shear(-0.02 * elastic - 0.05, 20000);
  const double after = p.point.plastic_strain;
  double back = 0;
  for (const auto& [q, c] : {std::pair{kQx1, kCx1}, {kQx2, kCx2}}) {
    const double first = q * (1 - std::exp(-c * turn));
    back += -q + (first + q) * std::exp(-c * (after - turn));
  }
  EXPECT_GT(after, turn + 0.01);
  EXPECT_NEAR(norm * p.point.s[3], back - k(after), 2e-5);
}

TEST(AnisotropicViscoplastic, BackStressesFollowAndTurn) {
  const Prepared isotropic = kinematic(), hill = kinematic({{"N", kN}});
  Solid<double> solid(isotropic), strong(hill);
  check_reversed_shear(solid, std::sqrt(3.0));
  check_reversed_shear(strong, std::sqrt(2 * kN));
  Shell<double> shell(isotropic);
  check_reversed_shear(shell, std::sqrt(3.0));
}

TEST(AnisotropicViscoplastic, BackStressInTensionOfAShell) {
  const Prepared law = kinematic();
  Shell<double> p(law);
  for (int n = 0; n < 20000; ++n) p.step({1e-5, -5e-6, 0, 0, 0, 0});
  const double strain = p.point.plastic_strain, k = 0.3 + 0.1 * (1 - std::exp(-20 * strain));
  EXPECT_NEAR(p.point.s[0], k + back_of(strain), 1e-3);
  EXPECT_NEAR(p.point.s[1], 0, 1e-3);
}

// A step of 5 percent against ten thousand small ones.
TEST(AnisotropicViscoplastic, LargeStepsWithBackStressesStayOnTheSurface) {
  const Prepared law =
      kinematic({{"R00/F", kF}, {"R45/G", kG}, {"R90/H", kH}, {"L", kL}, {"M", kM}, {"N", kN}});
  Solid<double> once(law), often(law);
  const double d[6] = {0.05, -0.02, -0.025, 0.03, 0.01, -0.02};
  once.step(d);
  often.steps(10000, d);
  EXPECT_NEAR(once.point.plastic_strain, often.point.plastic_strain, 1e-2 * often.point.plastic_strain);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(once.point.s[i], often.point.s[i], 0.05) << i;
}

// Steady shear: sqrt(3) t = k(p) + VK (shear rate / root of 3)^VM.
TEST(AnisotropicViscoplastic, ViscosityFollowsTheRateOfPlasticStrain) {
  for (const double power : {0.2, 1.0}) {
    const Prepared law = voce({{"R00/F", 0.0},
                               {"R45/G", 0.0},
                               {"R90/H", 0.0},
                               {"L", 0.0},
                               {"M", 0.0},
                               {"N", 0.0},
                               {"VK", 0.05},
                               {"VM", power}});
    for (const double rate : {0.01, 1.0, 5.0}) {
      const double dt = 1e-5 / rate;
      Solid<double> solid(law);
      Shell<double> shell(law);
      for (int n = 0; n < 10000; ++n) {
        solid.step({0, 0, 0, 0, 1e-5, 0}, dt);
        shell.step({0, 0, 0, 1e-5, 0, 0}, dt);
      }
      const auto expected = [&](double p) {
        // hardening makes the elastic strain grow, so a little less than all is plastic
        return flow_of(p) + 0.05 * std::pow(rate / std::sqrt(3.0), power);
      };
      EXPECT_NEAR(std::sqrt(3.0) * solid.point.s[4], expected(solid.point.plastic_strain), 1e-3) << rate;
      EXPECT_NEAR(std::sqrt(3.0) * shell.point.s[3], expected(shell.point.plastic_strain), 1e-3) << rate;
      EXPECT_NEAR(solid.point.plastic_strain, shell.point.plastic_strain, 1e-6);
    }
  }
}

TEST(AnisotropicViscoplastic, BackStressesWithACurveAreRefused) {
  try {
    kinematic({{"FLAG", 2.0}, {"LCSS", 5.0}});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-M105");
  }
}

}  // namespace
}  // namespace crumple::materials
