// MAT_024 against closed forms: curves, strain rate effects in all their forms, failure.
#include <gtest/gtest.h>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kG = kE / 2.6;

/// A saturating and then stiffening curve, and a model that has it as curve 5.
const std::vector<double> kStrain = {0, 0.01, 0.03, 0.08, 0.2}, kStress = {0.3, 0.36, 0.4, 0.42, 0.52};

model::Model model_with_curves() {
  model::Model m;
  m.curves = {curve(5, kStrain, kStress), curve(6, kStrain, {0.45, 0.5, 0.52, 0.55, 0.6}),
              curve(7, {0, 0.1}, {0.7, 0.8}), curve(8, {0, 10, 110}, {1, 1.2, 1.4})};
  m.tables = {{50, {0.0, 10.0, 1000.0}, {0, 1, 2}},
              {51, {std::log(0.01), std::log(1.0), std::log(100.0)}, {0, 1, 2}}};
  return m;
}

double flow(double p, const std::vector<double>& stress = kStress) { return curve(0, kStrain, stress)(p); }

/// Total strain of a fibre in tension at plastic strain p and stress s.
double fibre_strain(double p, double s) { return p + s / kE; }

Prepared prepared(std::initializer_list<std::pair<const std::string, double>> fields) {
  return prepare(model_with_curves(), material(24, fields));
}

TEST(PiecewiseLinearPlasticity, BilinearFromSigyAndEtan) {
  const Prepared law = prepared({{"SIGY", 0.3}, {"ETAN", 10.0}});
  Beam<double> p(law);
  p.steps(11, {0.03, 0, 0});
  EXPECT_NEAR(p.point.s[0], 0.3 + 10 * (0.03 - 0.3 / kE), 1e-12);
  EXPECT_EQ(law.n_history, 0);
}

TEST(PiecewiseLinearPlasticity, CurveFollowsItsPointsInOneStepOrMany) {
  const Prepared law = prepared({{"LCSS", 5.0}, {"SIGY", 9.0}, {"ES1", 8.0}});
  for (const double plastic : {1e-4, 0.005, 0.0299, 0.0301, 0.1, 0.19})
    for (const int count : {1, 2, 33}) {
      Beam<double> beam(law);
      Solid<double> solid(law);
      Shell<double> shell(law);
      beam.steps(count, {fibre_strain(plastic, flow(plastic)), 0, 0});
      EXPECT_NEAR(beam.point.plastic_strain, plastic, 1e-12);
      EXPECT_NEAR(beam.point.s[0], flow(plastic), 1e-12);
      const double root = std::sqrt(3.0), gamma = root * plastic + flow(plastic) / (root * kG);
      solid.steps(count, {0, 0, 0, 0, gamma, 0});
      shell.steps(count, {0, 0, 0, 0, gamma, 0});
      EXPECT_NEAR(solid.point.s[4], flow(plastic) / root, 1e-12);
      EXPECT_NEAR(shell.point.s[4], flow(plastic) / root, 1e-12);
    }
}

TEST(PiecewiseLinearPlasticity, CurveGoesOnStraightBeyondItsEnd) {
  const Prepared law = prepared({{"LCSS", 5.0}});
  const double slope = 0.1 / 0.12, plastic = 0.5, stress = 0.52 + slope * (plastic - 0.2);
  Beam<double> p(law);
  p.steps(10, {fibre_strain(plastic, stress), 0, 0});
  EXPECT_NEAR(p.point.s[0], stress, 1e-12);
}

TEST(PiecewiseLinearPlasticity, PointsOnTheCardsEqualTheCurve) {
  const Prepared card = prepared({{"EPS1", 0.0},
                                  {"EPS2", 0.01},
                                  {"EPS3", 0.03},
                                  {"EPS4", 0.08},
                                  {"EPS5", 0.2},
                                  {"ES1", 0.3},
                                  {"ES2", 0.36},
                                  {"ES3", 0.4},
                                  {"ES4", 0.42},
                                  {"ES5", 0.52}});
  const Prepared curve = prepared({{"LCSS", 5.0}});
  Shell<double> a(card), b(curve);
  for (int k = 0; k < 50; ++k) {
    const double d[6] = {2e-3, -1e-3, 0, 1e-3, 0, 5e-4};
    a.step(d);
    b.step(d);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(a.point.s[i], b.point.s[i]);
  }
}

TEST(PiecewiseLinearPlasticity, SofteningCurve) {
  model::Model m;
  m.curves = {curve(5, {0, 0.02, 0.1}, {0.3, 0.4, 0.1})};
  const Prepared law = prepare(m, material(24, {{"LCSS", 5.0}}));
  for (const double plastic : {0.01, 0.05, 0.09}) {
    const double stress = m.curves[0](plastic);
    Beam<double> p(law);
    p.steps(20, {fibre_strain(plastic, stress), 0, 0});
    EXPECT_NEAR(p.point.s[0], stress, 1e-11);
  }
}

TEST(PiecewiseLinearPlasticity, CowperSymondsScalesTheCurve) {
  for (const double rate : {0.0, 1e-3, 3.0, 500.0}) {
    const double norm = rate * std::sqrt(0.5);  // of simple shear at engineering rate `rate`
    const double factor = 1 + std::pow(norm / 40, 0.2);
    const double plastic = 0.02, root = std::sqrt(3.0);
    const double gamma = root * plastic + factor * flow(plastic) / (root * kG);
    const Prepared law = prepared({{"LCSS", 5.0}, {"C", 40.0}, {"P", 5.0}});
    Solid<double> p(law);
    p.steps(7, {0, 0, 0, gamma, 0, 0}, rate > 0 ? gamma / rate : 1e300);
    EXPECT_NEAR(p.point.s[3], factor * flow(plastic) / root, 1e-11) << rate;
  }
}

TEST(PiecewiseLinearPlasticity, DeviatoricRateLeavesTheVolumeOut) {
  // Uniaxial strain at rate r: total rate r, deviatoric r sqrt(2/3).
  const double strain = 0.02, rate = 30, g3 = 3 * kG;
  for (const double vp : {0.0, -1.0}) {
    const Prepared law = prepared({{"SIGY", 0.3}, {"C", 40.0}, {"P", 5.0}, {"VP", vp}});
    Solid<double> p(law);
    p.steps(5, {strain, 0, 0, 0, 0, 0}, strain / rate);
    const double norm = vp == 0 ? rate : rate * std::sqrt(2.0 / 3);
    const double yield = 0.3 * (1 + std::pow(norm / 40, 0.2));
    EXPECT_NEAR(mises(p.point.s), yield, 1e-12);
    EXPECT_NEAR(p.point.plastic_strain, 2 * strain / 3 - yield / g3, 1e-13);
  }
}

TEST(PiecewiseLinearPlasticity, ScaleCurveReplacesCowperSymonds) {
  const Prepared law = prepared({{"LCSS", 5.0}, {"LCSR", 8.0}, {"C", 40.0}, {"P", 5.0}});
  const double root = std::sqrt(3.0), plastic = 0.02;
  for (const auto& [norm, factor] : {std::pair{5.0, 1.1}, {60.0, 1.3}, {1000.0, 1.4}}) {
    const double gamma = root * plastic + factor * flow(plastic) / (root * kG);
    Solid<double> p(law);
    p.steps(7, {0, 0, 0, gamma, 0, 0}, gamma / (norm * std::sqrt(2.0)));
    EXPECT_NEAR(p.point.s[3], factor * flow(plastic) / root, 1e-11) << norm;
  }
}

/// Flow stress that table 50 or 51 has at a plastic strain and a rate.
double table_flow(double p, double rate, bool logarithmic) {
  const model::Model m = model_with_curves();
  const model::Table& t = m.tables[logarithmic ? 1 : 0];
  const double at = logarithmic ? std::log(rate) : rate;
  model::Curve over_rate = curve(0, t.value, {m.curves[0](p), m.curves[1](p), m.curves[2](p)});
  return over_rate(at);
}

TEST(PiecewiseLinearPlasticity, TableIsInterpolatedOverTheRate) {
  const double root = std::sqrt(3.0), plastic = 0.05;
  for (const bool logarithmic : {false, true}) {
    const Prepared law = prepared({{"LCSS", logarithmic ? 51.0 : 50.0}, {"C", 1.0}, {"P", 1.0}});
    for (const double norm : {1e-4, 0.5, 5.0, 10.0, 300.0, 5000.0}) {
      const double stress = table_flow(plastic, norm, logarithmic);
      const double gamma = root * plastic + stress / (root * kG);
      for (int k = 3; k < 6; ++k) {
        double d[6] = {};
        d[k] = gamma;
        Solid<double> p(law);
        Shell<double> q(law);
        p.steps(4, d, gamma / (norm * std::sqrt(2.0)));
        q.steps(4, d, gamma / (norm * std::sqrt(2.0)));
        EXPECT_NEAR(p.point.s[k], stress / root, 1e-11) << norm;
        EXPECT_NEAR(q.point.s[k], stress / root, 1e-11) << norm;
      }
    }
  }
}

/// One viscoplastic step must satisfy k(p, dp / dt) = q and the elastic relation, whatever the law.
template <class Flow>
void check_viscoplastic(const Prepared& law, Flow dynamic_flow) {
  for (const double dt : {1e-6, 1e-4, 1e-2, 1.0, 1e3}) {
    Beam<double> beam(law);
    Shell<double> shell(law);
    Solid<double> solid(law);
    int yielded = 0;
    for (int k = 0; k < 60; ++k) {
      const double step = 2e-4, before[] = {beam.point.plastic_strain, shell.point.plastic_strain,
                                            solid.point.plastic_strain};
      const double s_before = beam.point.s[0];
      beam.step({step, 0.4 * step, 0}, dt);
      shell.step({step, 0.3 * step, 0, 0.5 * step, 0, 0.1 * step}, dt);
      solid.step({step, -0.4 * step, -0.2 * step, 0.3 * step, 0, 0}, dt);
      const double b = beam.point.s[0], t = beam.point.s[1];
      const double now[] = {std::sqrt(b * b + 3 * t * t), mises(shell.point.s), mises(solid.point.s)};
      const double p[] = {beam.point.plastic_strain, shell.point.plastic_strain, solid.point.plastic_strain};
      for (int i = 0; i < 3; ++i) {
        if (p[i] == before[i]) continue;
        ++yielded;
        const double k_now = dynamic_flow(p[i], (p[i] - before[i]) / dt);
        EXPECT_NEAR(now[i], k_now, 1e-9 * k_now) << "dt " << dt << " point " << i << " step " << k;
      }
      const double flowed = (p[0] - before[0]) * b / now[0];
      EXPECT_NEAR(b - s_before, kE * (step - flowed), 1e-9);
    }
    EXPECT_GT(yielded, 100);
  }
}

TEST(PiecewiseLinearPlasticity, ViscoplasticAddsTheOverstress) {
  check_viscoplastic(prepared({{"LCSS", 5.0}, {"SIGY", 0.2}, {"C", 40.0}, {"P", 5.0}, {"VP", 1.0}}),
                     [](double p, double rate) { return flow(p) + 0.2 * std::pow(rate / 40, 0.2); });
}

TEST(PiecewiseLinearPlasticity, ViscoplasticScalesWithoutSigy) {
  check_viscoplastic(prepared({{"LCSS", 5.0}, {"C", 40.0}, {"P", 3.0}, {"VP", 1.0}}),
                     [](double p, double rate) { return flow(p) * (1 + std::cbrt(rate / 40)); });
}

TEST(PiecewiseLinearPlasticity, ViscoplasticScaleCurve) {
  check_viscoplastic(prepared({{"LCSS", 5.0}, {"LCSR", 8.0}, {"VP", 1.0}}), [](double p, double rate) {
    return flow(p) * curve(0, {0, 10, 110}, {1, 1.2, 1.4})(rate);
  });
}

TEST(PiecewiseLinearPlasticity, ViscoplasticTable) {
  for (const bool logarithmic : {false, true})
    check_viscoplastic(prepared({{"LCSS", logarithmic ? 51.0 : 50.0}, {"VP", 1.0}}),
                       [=](double p, double rate) { return table_flow(p, rate, logarithmic); });
}

TEST(PiecewiseLinearPlasticity, ViscoplasticRelaxesToTheStaticCurve) {
  const Prepared law = prepared({{"LCSS", 5.0}, {"SIGY", 0.2}, {"C", 40.0}, {"P", 5.0}, {"VP", 1.0}});
  Beam<double> p(law);
  p.steps(50, {0.02, 0, 0}, 1e-3);
  const double fast = p.point.s[0];
  EXPECT_GT(fast, flow(p.point.plastic_strain) + 0.1);
  for (int k = 0; k < 60; ++k) p.step({0, 0, 0}, 1e-6 * std::pow(1.8, k));
  EXPECT_NEAR(p.point.s[0], flow(p.point.plastic_strain), 2e-4);
}

TEST(PiecewiseLinearPlasticity, FirstCallWithoutATimeStepChangesNothing) {
  for (const double vp : {0.0, 1.0}) {
    const Prepared law = prepared({{"LCSS", 50.0}, {"VP", vp}});
    Shell<double> p(law);
    p.step({0, 0, 0, 0, 0, 0}, 0);
    for (const double s : p.point.s) EXPECT_EQ(s, 0);
    EXPECT_EQ(p.point.plastic_strain, 0);
  }
}

TEST(PiecewiseLinearPlasticity, FailsBeyondFail) {
  const Prepared law = prepared({{"LCSS", 5.0}, {"FAIL", 0.05}, {"TDEL", 1e-4}});
  EXPECT_EQ(law.min_time_step, 1e-4);
  Shell<double> p(law);
  int steps = 0;
  while (!p.point.failed && ++steps < 1000) p.step({1e-3, 0, 0, 0, 0, 0});
  EXPECT_GT(p.point.plastic_strain, 0.05);
  EXPECT_LT(p.point.plastic_strain, 0.0515);
  for (const double s : p.point.s) EXPECT_EQ(s, 0);
  EXPECT_EQ(p.point.d[2], 0);
}

TEST(PiecewiseLinearPlasticity, ElasticUnloading) {
  const Prepared law = prepared({{"LCSS", 5.0}});
  Shell<double> p(law);
  p.steps(20, {0.02, 0.003, 0, 0.01, 0, 0});
  const double before[6] = {p.point.s[0], p.point.s[1], 0, p.point.s[3], 0, 0};
  const double plastic = p.point.plastic_strain;
  p.step({-1e-4, -1e-5, 0, -2e-4, 0, 0});
  EXPECT_EQ(p.point.plastic_strain, plastic);
  const double c = kE / (1 - 0.09);
  EXPECT_NEAR(p.point.s[0] - before[0], -c * (1e-4 + 0.3e-5), 1e-14);
  EXPECT_NEAR(p.point.s[3] - before[3], -kG * 2e-4, 1e-14);
}

}  // namespace
}  // namespace crumple::materials
