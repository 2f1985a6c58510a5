// MAT_133 against the formulas of Barlat and others (2003): yield stresses and ratios R in any direction and
// in biaxial tension, the fit to eight data, von Mises and Tresca's neighbour as special cases, hardening.
#include "materials/metal/barlat_yld2000.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;
using Three = std::array<double, 3>;

/// Two sets of constants of the size that sheets of aluminium and steel have.
constexpr double kAluminium[8] = {0.94, 0.99, 1.02, 1.02, 1.00, 0.98, 0.98, 1.13};
constexpr double kSteel[8] = {1.02, 1.00, 0.93, 0.95, 0.98, 0.92, 1.01, 1.05};

model::Model sheet_model() {
  model::Model m;
  m.curves = {curve(5, {0, 0.1, 0.4}, {0.3, 0.42, 0.5}), curve(6, {0, 0.4}, {0.6, 0.8}),
              curve(7, {0, 0.1}, {0.3, -0.1})};
  m.tables = {{50, {1.0, 1000.0}, {0, 1}}};
  return m;
}
model::Material sheet_of(const double (&alpha)[8], double exponent, Fields fields = {}) {
  model::Material m = material(133, {{"HARD", -5.0}, {"A", exponent}});
  for (int k = 0; k < 8; ++k) m.fields["ALPHA" + std::to_string(k + 1)] = alpha[k];
  return with_fields(m, fields);
}
Prepared aluminium(Fields fields = {}) { return prepare(sheet_model(), sheet_of(kAluminium, 8, fields)); }

/// The equivalent stress as the paper writes it: matrices L' and L'', principal values, powers.
double by_the_paper(double a, const double (&c)[8], const Three& s) {
  const double first[3] = {(2 * s[0] - s[1]) / 3 * c[0], (2 * s[1] - s[0]) / 3 * c[1], c[6] * s[2]};
  const double l11 = (-2 * c[2] + 2 * c[3] + 8 * c[4] - 2 * c[5]) / 9,
               l12 = (c[2] - 4 * c[3] - 4 * c[4] + 4 * c[5]) / 9,
               l21 = (4 * c[2] - 4 * c[3] - 4 * c[4] + c[5]) / 9,
               l22 = (-2 * c[2] + 8 * c[3] + 2 * c[4] - 2 * c[5]) / 9;
  const double second[3] = {l11 * s[0] + l12 * s[1], l21 * s[0] + l22 * s[1], c[7] * s[2]};
  const auto principal = [](const double(&x)[3]) {
    const double m = 0.5 * (x[0] + x[1]), r = std::hypot(0.5 * (x[0] - x[1]), x[2]);
    return std::array{m + r, m - r};
  };
  const auto x = principal(first), y = principal(second);
  const double sum = std::pow(std::abs(x[0] - x[1]), a) + std::pow(std::abs(2 * y[1] + y[0]), a) +
                     std::pow(std::abs(2 * y[0] + y[1]), a);
  return std::pow(0.5 * sum, 1 / a);
}
/// Its gradient, by differences of the fourth order.
Three gradient_of(double a, const double (&c)[8], Three s) {
  Three n;
  for (std::size_t i = 0; i < 3; ++i) {
    const double at = s[i];
    const auto f = [&](double x) {
      s[i] = at + x;
      return by_the_paper(a, c, s);
    };
    n[i] = (8 * (f(1e-3) - f(-1e-3)) - (f(2e-3) - f(-2e-3))) / 12e-3;
    s[i] = at;
  }
  return n;
}
Three pull(double degrees) {
  const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
  return {c * c, s * s, s * c};
}
double ratio_of(const Three& n, double degrees) {
  const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
  return (s * s * n[0] + c * c * n[1] - s * c * n[2]) /
         -(n[0] + n[1]);  // across the width, through the thickness
}

/// The strain of the stress `size` times the direction, and of the plastic strain `dp` along the normal n.
void strain_to(double size, const Three& t, double dp, const Three& n, Shell<double>& shell) {
  const double young = 210, nu = 0.3;
  shell.step({size * (t[0] - nu * t[1]) / young + dp * n[0], size * (t[1] - nu * t[0]) / young + dp * n[1], 0,
              size * t[2] * 2 * (1 + nu) / young + dp * n[2], 0, 0});
}

// A point strained by the elastic strain of a stress on the surface, and by a plastic strain normal to it
// there, must have this stress: so yield stresses, ratios R and the conjugate plastic strain are those of the
// paper.
TEST(Yld2000, YieldStressesAndRatiosInAnyDirection) {
  const double dp = 0.02, k = 0.3 + 1.2 * dp;
  for (const double a : {2.0, 6.0, 8.0, 7.5})
    for (const auto* alpha : {&kAluminium, &kSteel}) {
      const double along = by_the_paper(a, *alpha, {1, 0, 0});
      for (const double scale : {0.0, 1.0}) {
        const Prepared law = prepare(sheet_model(), sheet_of(*alpha, a, {{"ISCALE", scale}}));
        const double per = scale == 0 ? 1 / along : 1;
        for (const double degrees : {0.0, 20.0, 45.0, 70.0, 90.0, -1.0}) {
          const Three t = degrees < 0 ? Three{1, 1, 0} : pull(degrees);
          Three n = gradient_of(a, *alpha, t);
          for (double& x : n) x *= per;
          const double size = k / (per * by_the_paper(a, *alpha, t));
          Shell<double> shell(law);
          strain_to(size, t, dp, n, shell);
          EXPECT_NEAR(shell.point.plastic_strain, dp, 1e-7) << degrees << ' ' << a;
          for (int i = 0; i < 2; ++i) EXPECT_NEAR(shell.point.s[i], size * t[i], 1e-7) << degrees << ' ' << a;
          EXPECT_NEAR(shell.point.s[3], size * t[2], 1e-7) << degrees << ' ' << a;
          if (degrees >= 0) {  // the thickness strain, of which R is measured
            EXPECT_NEAR(shell.point.d[2] + 0.3 * size * (t[0] + t[1]) / 210, -dp * (n[0] + n[1]), 1e-8);
          }
        }
      }
    }
}

TEST(Yld2000, ScaledToTheRollingDirection) {
  const Prepared law = aluminium();
  Shell<double> shell(law);
  Three n = gradient_of(8, kAluminium, {1, 0, 0});
  for (double& x : n) x /= by_the_paper(8, kAluminium, {1, 0, 0});
  strain_to(0.36, {1, 0, 0}, 0.05, n, shell);
  EXPECT_NEAR(shell.point.s[0], 0.36, 1e-8);
  EXPECT_NEAR(n[0], 1, 1e-9) << "p is the plastic strain of this direction";
}

// FIT = 1 with the stresses and ratios that the constants give must find these constants again.
TEST(Yld2000, FitToEightDataFindsTheConstants) {
  for (const auto* alpha : {&kAluminium, &kSteel}) {
    const double a = 8, along = by_the_paper(a, *alpha, {1, 0, 0}), sig = 0.25;
    model::Material m = material(133, {{"HARD", -5.0}, {"A", a}, {"FIT", 1.0}});
    for (const auto& [name, degrees] : {std::pair{"00", 0.0}, {"45", 45.0}, {"90", 90.0}}) {
      m.fields[std::string("SIG") + name] = sig * along / by_the_paper(a, *alpha, pull(degrees));
      m.fields[std::string("R") + name] = ratio_of(gradient_of(a, *alpha, pull(degrees)), degrees);
    }
    const Three n = gradient_of(a, *alpha, {1, 1, 0});
    const double both = sig * along / by_the_paper(a, *alpha, {1, 1, 0});
    m.fields["SIGXX"] = m.fields["SIGYY"] = both;
    m.fields["DXX"] = n[1], m.fields["DYY"] = -n[0];
    const Prepared fitted = prepare(sheet_model(), m), given = prepare(sheet_model(), sheet_of(*alpha, a));
    std::mt19937 engine(3);
    std::normal_distribution<double> draw(0, 5e-3);
    Shell<double> one(fitted), other(given);
    for (int k = 0; k < 50; ++k) {
      const double x = draw(engine), y = draw(engine), xy = draw(engine);
      one.step({x, y, 0, xy, 0, 0});
      other.step({x, y, 0, xy, 0, 0});
      for (const int i : {0, 1, 3}) EXPECT_NEAR(one.point.s[i], other.point.s[i], 1e-6) << k;
    }
    EXPECT_GT(one.point.plastic_strain, 0.1);
  }
}

TEST(Yld2000, DataThatNoSurfaceHasAreRefused) {
  model::Material m = material(133, {{"HARD", -5.0}, {"A", 8.0}, {"FIT", 1.0}});
  for (const char* field : {"SIG00", "SIG45", "SIG90", "R00", "R45", "R90"}) m.fields[field] = 1;
  const auto id = [&]() -> std::string {
    try {
      prepare(sheet_model(), m);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id(), "CR-M103") << "no point";
  m.fields["SIGXX"] = m.fields["SIGYY"] = 1;
  EXPECT_EQ(id(), "CR-M103") << "no tangent";
  m.fields["DXX"] = 1, m.fields["DYY"] = -1;
  EXPECT_EQ(id(), "") << "isotropic";
  m.fields["DXX"] = 1, m.fields["DYY"] = 1;
  EXPECT_EQ(id(), "CR-M108") << "a tangent along the stress: f is of degree 1";
  m.fields["R45"] = -7;
  EXPECT_EQ(id(), "CR-M105");
}

// a = 2 with all constants 1: von Mises, here MAT_024, without transverse shear.
TEST(Yld2000, MisesIsASpecialCase) {
  constexpr double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  const Prepared law = prepare(sheet_model(), sheet_of(ones, 2));
  const Prepared mises_law = prepare(sheet_model(), material(24, {{"LCSS", 5.0}}));
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
  EXPECT_GT(shell.point.plastic_strain, 0.1);
}

/// f at a stress, the middle of two others: convex.
TEST(Yld2000, IsConvexAndItsDerivativesAreThose) {
  std::mt19937 engine(7);
  std::normal_distribution<double> draw(0, 1);
  for (const double a : {2.0, 6.0, 8.0, 20.0}) {
    const Yld2000 of = yld2000_of(a, kAluminium);
    const Yld2000Surface<double> surface{of};
    for (int k = 0; k < 300; ++k) {
      const double s[3] = {draw(engine), draw(engine), draw(engine)};
      const double t[3] = {draw(engine), draw(engine), draw(engine)};
      const double middle[3] = {0.5 * (s[0] + t[0]), 0.5 * (s[1] + t[1]), 0.5 * (s[2] + t[2])};
      const auto at = surface.at(s);
      EXPECT_NEAR(at.f, by_the_paper(a, kAluminium, {s[0], s[1], s[2]}), 1e-9 * at.f);
      EXPECT_LE(surface.at(middle).f, 0.5 * (at.f + surface.at(t).f) * (1 + 1e-12));
      constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
      for (int e = 0; e < 6; ++e) {
        double up[3] = {s[0], s[1], s[2]}, down[3] = {s[0], s[1], s[2]};
        constexpr double h = 1e-6;
        up[row[e]] += h;
        down[row[e]] -= h;
        const double by = (surface.at(up).n[column[e]] - surface.at(down).n[column[e]]) / (2 * h);
        EXPECT_NEAR(at.h[e], by, 1e-5 * (1 + std::abs(by))) << a << ' ' << k << ' ' << e;
        if (e < 3) {
          EXPECT_NEAR(at.n[e], (surface.at(up).f - surface.at(down).f) / (2 * h), 1e-8);
        }
      }
    }
  }
}

// The stress is on the surface after any step, also after ones far beyond it.
TEST(Yld2000, ReturnsFromFarAway) {
  std::mt19937 engine(5);
  std::normal_distribution<double> draw(0, 1);
  for (const double a : {2.0, 6.0, 8.0, 20.0}) {
    const Prepared law = prepare(sheet_model(), sheet_of(kSteel, a));
    const double along = by_the_paper(a, kSteel, {1, 0, 0});
    for (const double size : {1e-3, 1e-2, 5e-2})
      for (int k = 0; k < 200; ++k) {
        Shell<double> shell(law);
        shell.step({size * draw(engine), size * draw(engine), 0, size * draw(engine), 0, 0});
        const auto& s = shell.point.s;
        const double flow = sheet_model().curves[0](shell.point.plastic_strain);
        const double f = by_the_paper(a, kSteel, {s[0], s[1], s[3]}) / along;
        if (shell.point.plastic_strain > 0)
          EXPECT_NEAR(f, flow, 1e-8) << a << ' ' << size << ' ' << k;
        else
          EXPECT_LE(f, flow * (1 + 1e-9));
      }
  }
}

TEST(Yld2000, UnloadsElastically) {
  const Prepared law = aluminium();
  Shell<double> shell(law);
  shell.steps(10, {0.02, -0.012, 0, 0.01, 0, 0});
  const double x = shell.point.s[0], y = shell.point.s[1], p = shell.point.plastic_strain;
  ASSERT_GT(p, 0.01);
  shell.step({-5e-4, 0, 0, 0, 1e-4, 0});
  EXPECT_NEAR(shell.point.s[0], x - 210 / 0.91 * 5e-4, 1e-12);
  EXPECT_NEAR(shell.point.s[1], y - 0.3 * 210 / 0.91 * 5e-4, 1e-12);
  EXPECT_NEAR(shell.point.s[4], 210 / 2.6 * 1e-4, 1e-12) << "transverse shear is elastic";
  EXPECT_EQ(shell.point.plastic_strain, p);
}

TEST(Yld2000, HardeningRules) {
  const double dp = 0.03;
  Three n = gradient_of(8, kAluminium, {1, 0, 0});
  for (double& x : n) x /= by_the_paper(8, kAluminium, {1, 0, 0});
  const auto expect = [&](Fields fields, double k) {
    const Prepared law = prepare(sheet_model(), sheet_of(kAluminium, 8, fields));
    Shell<double> shell(law);
    strain_to(k, {1, 0, 0}, dp, n, shell);
    EXPECT_NEAR(shell.point.s[0], k, 1e-7);
    EXPECT_NEAR(shell.point.plastic_strain, dp, 1e-7);
  };
  expect({{"HARD", 1.0}, {"K", 0.6}, {"E0", 0.01}, {"N", 0.2}}, 0.6 * std::pow(0.04, 0.2));
  expect({{"HARD", 2.0}, {"K", 0.5}, {"E0", 0.2}, {"N", 9.0}}, 0.5 - 0.2 * std::exp(-9 * dp));
  expect({{"HARD", 4.0}, {"K", 0.6}, {"E0", 0.01}, {"N", 0.2}, {"P4", 0.05}},
         0.6 * std::pow(0.04, 0.2) - 0.05);
  expect({{"HARD", 5.0}, {"K", 0.5}, {"E0", 0.2}, {"N", 5.0}, {"P4", 0.7}},
         0.5 - 0.2 * std::exp(-5 * (std::pow(dp + 1e-8, 0.7) - std::pow(1e-8, 0.7))));
}

// A table over the rate of plastic strain, linear between its curves.
TEST(Yld2000, TableOverTheRateOfPlasticStrain) {
  const Prepared law = aluminium({{"HARD", -50.0}});
  const double dp = 0.02, dt = 1e-4, weight = (dp / dt - 1) / 999;
  const double k = (0.3 + 1.2 * dp) * (1 - weight) + (0.6 + 0.5 * dp) * weight;
  Three n = gradient_of(8, kAluminium, {1, 0, 0});
  for (double& x : n) x /= by_the_paper(8, kAluminium, {1, 0, 0});
  Shell<double> shell(law);
  shell.step({k / 210 + dp * n[0], -0.3 * k / 210 + dp * n[1], 0, dp * n[2], 0, 0}, dt);
  EXPECT_NEAR(shell.point.s[0], k, 1e-7);
  EXPECT_NEAR(shell.point.plastic_strain, dp, 1e-7);
}

TEST(Yld2000, TurnedAxes) {
  const Prepared law = aluminium();
  const double angle = 0.4, c = std::cos(angle), s = std::sin(angle);
  Shell<double> shell(law), along(law);
  shell.point.history.store(0, c - 1);
  shell.point.history.store(1, s);
  const double x = 0.02, y = -0.008;
  along.step({x, y, 0, 0, 0, 0});
  shell.step({c * c * x + s * s * y, s * s * x + c * c * y, 0, 2 * s * c * (x - y), 0, 0});
  const double a = along.point.s[0], b = along.point.s[1];
  EXPECT_NEAR(shell.point.s[0], c * c * a + s * s * b, 1e-9);
  EXPECT_NEAR(shell.point.s[1], s * s * a + c * c * b, 1e-9);
  EXPECT_NEAR(shell.point.s[3], s * c * (a - b), 1e-9);
}

TEST(Yld2000, RefusesWhatIsNotSupported) {
  const auto id = [](Fields fields) -> std::string {
    try {
      aluminium(fields);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id({}), "");
  EXPECT_EQ(id({{"A", 1.5}}), "CR-M108");
  for (const auto& [field, value] : {std::pair{"A", -8.0},
                                     {"BETA", 0.5},
                                     {"C", 40.0},
                                     {"P", 5.0},
                                     {"HARD", 3.0},
                                     {"FIT", 2.0},
                                     {"ISCALE", 2.0},
                                     {"HTFLAG", 1.0},
                                     {"HTA", 5.0},
                                     {"USRFAIL", 1.0}})
    EXPECT_EQ(id({{field, value}}), "CR-M105") << field;
  EXPECT_EQ(id({{"ALPHA3", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"HARD", -9.0}}), "CR-M106");
  EXPECT_EQ(id({{"HARD", -7.0}}), "CR-M107");
  EXPECT_EQ(id({{"HARD", 1.0}}), "CR-M103");
  EXPECT_EQ(id({{"HARD", 2.0}, {"K", 0.2}, {"E0", 0.3}, {"N", 5.0}}), "CR-M108");
}

}  // namespace
}  // namespace crumple::materials
