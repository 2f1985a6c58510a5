// MAT_120: growth, nucleation and coalescence of voids against ordinary differential equations of the model,
// integrated here with many small steps, and closed forms; von Mises without voids; plane stress against
// solids.
#include "materials/metal/gurson.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;
using namespace gurson_variable;

constexpr double kYoung = 210, kBulk = kYoung / 1.2, kShearModulus = kYoung / 2.6;

/// A steel whose voids join at 0.1 and fail it at 0.25.
model::Material porous(Fields fields = {}) {
  return with_fields(material(120, {{"SIGY", 0.3},
                                    {"ATYP", 2.0},
                                    {"ETAN", 2.0},
                                    {"Q1", 1.5},
                                    {"Q2", 1.0},
                                    {"F0", 0.01},
                                    {"FC", 0.1},
                                    {"FF0", 0.25}}),
                     fields);
}
model::Model sizes() {
  model::Model m;
  m.curves = {curve(1, {1, 3}, {0.2, 0.3}), curve(2, {1, 3}, {0.01, 0.03}), curve(3, {0, 0.2}, {0.3, 0.5})};
  m.tables = {{50, {1.0, 1000.0}, {2, 2}}};
  return m;
}
Prepared porous_law(Fields fields = {}) { return prepare(sizes(), porous(fields)); }

template <class Point>
double kept(const Point& p, GursonVariable k) {
  return p.point.history.template load<double>(k);
}
double mean_of(const double (&s)[6]) { return (s[0] + s[1] + s[2]) / 3; }

/// The model as an ordinary differential equation along a constant rate of volume and of equivalent
/// deviatoric strain, from the yield surface itself and not from the k that solves it.
struct Reference {
  double q1 = 1.5, q2 = 1, f0 = 0.01, fc = 0.1, ff = 0.25, fn = 0, en = 0.1, sn = 0.05;
  double yield = 0.3, hardening = kYoung * 2 / (kYoung - 2);

  struct State {
    double m, q, p, f;
  };
  double slope() const { return (1 / q1 - fc) / (ff - fc); }
  double effective(double f) const { return f <= fc ? f : fc + slope() * (f - fc); }
  double flow(double p) const { return yield + hardening * p; }
  double surface(double m, double q, double k, double fs) const {
    return q * q / (k * k) + 2 * q1 * fs * std::cosh(1.5 * q2 * m / k) - 1 - q1 * q1 * fs * fs;
  }

  State rate(const State& s, double volume, double shape) const {
    const double k = flow(s.p), fs = effective(s.f), h = 1.5 * q2 * s.m / k;
    const double of_q = 2 * s.q / (k * k), of_m = 3 * q1 * q2 * fs * std::sinh(h) / k;
    const double of_k = -2 * s.q * s.q / (k * k * k) - 2 * q1 * fs * std::sinh(h) * h / k;
    const double of_f = 2 * q1 * std::cosh(h) - 2 * q1 * q1 * fs;
    const double away = (s.p - en) / sn;
    const double a = fn / (sn * std::sqrt(2 * M_PI)) * std::exp(-0.5 * away * away);
    const double dp = (s.m * of_m + s.q * of_q) / ((1 - s.f) * k), df = (1 - s.f) * of_m + a * dp;
    const double with_f = of_f * (s.f <= fc ? 1 : slope()) * df;
    const double lambda =
        (of_m * kBulk * volume + of_q * 3 * kShearModulus * shape) /
        (of_m * kBulk * of_m + of_q * 3 * kShearModulus * of_q - of_k * hardening * dp - with_f);
    return {kBulk * (volume - lambda * of_m), 3 * kShearModulus * (shape - lambda * of_q), lambda * dp,
            lambda * df};
  }

  /// After the strains, elastic until the surface is reached.
  State at(double volume, double shape, int steps = 20000) const {
    double low = 0, high = 1;
    for (int n = 0; n < 100; ++n) {
      const double x = 0.5 * (low + high);
      const bool inside =
          surface(kBulk * volume * x, 3 * kShearModulus * shape * x, yield, effective(f0)) < 0;
      (inside ? low : high) = x;
    }
    State s{kBulk * volume * low, 3 * kShearModulus * shape * low, 0, f0};
    const double left = 1 - low, h = left / steps;
    const auto plus = [](const State& x, const State& by, double part) {
      return State{x.m + part * by.m, x.q + part * by.q, x.p + part * by.p, x.f + part * by.f};
    };
    for (int n = 0; n < steps; ++n) {  // Runge and Kutta's method of the fourth order
      const State a = rate(s, volume, shape), b = rate(plus(s, a, h / 2), volume, shape),
                  c = rate(plus(s, b, h / 2), volume, shape), d = rate(plus(s, c, h), volume, shape);
      const State sum = plus(plus(plus(a, b, 2), c, 2), d, 1);
      s = plus(s, sum, h / 6);
    }
    return s;
  }
};

/// A solid strained by a volume and an elongation of constant volume, whose equivalent strain is `shape`.
Solid<double> strained(const Prepared& law, double volume, double shape, int steps) {
  Solid<double> p(law);
  p.steps(steps, {volume / 3 + shape, volume / 3 - shape / 2, volume / 3 - shape / 2, 0, 0, 0});
  return p;
}

void expect_reference(const Prepared& law, const Reference& reference, double volume, double shape) {
  const Reference::State end = reference.at(volume, shape);
  double error[2];
  for (int n = 0; n < 2; ++n) {
    const int steps = n == 0 ? 2000 : 4000;
    const Solid<double> p = strained(law, volume, shape, steps);
    const double f = reference.f0 + kept(p, growth);
    EXPECT_NEAR(mean_of(p.point.s), end.m, 4e-3 * std::abs(end.m)) << volume << ' ' << shape;
    EXPECT_NEAR(mises(p.point.s), end.q, 4e-3 * end.q + 1e-9) << volume << ' ' << shape;
    EXPECT_NEAR(p.point.plastic_strain, end.p, 4e-3 * end.p) << volume << ' ' << shape;
    EXPECT_NEAR(f, end.f, 4e-3 * end.f) << volume << ' ' << shape;
    EXPECT_NEAR(kept(p, effective), reference.effective(f), 1e-12);
    error[n] = std::abs(mean_of(p.point.s) - end.m) + std::abs(mises(p.point.s) - end.q);
  }
  EXPECT_LT(error[1], 0.6 * error[0] + 1e-9) << "of first order in the step " << volume << ' ' << shape;
}

TEST(Gurson, GrowthFollowsTheEquations) {
  const Prepared law = porous_law({{"VGTYP", 2.0}});  // voids close below F0 in the last of these
  for (const auto& [volume, shape] :
       {std::pair{0.03, 0.0}, {0.05, 0.05}, {0.02, 0.2}, {0.0, 0.1}, {-0.008, 0.2}})
    expect_reference(law, {}, volume, shape);
}
TEST(Gurson, NucleationFollowsTheEquations) {
  const Prepared law = porous_law({{"FN", 0.04}, {"EN", 0.1}, {"SN", 0.05}});
  Reference reference;
  reference.fn = 0.04;
  for (const auto& [volume, shape] : {std::pair{0.02, 0.0}, {0.01, 0.15}, {0.0, 0.3}})
    expect_reference(law, reference, volume, shape);
}
TEST(Gurson, CoalescenceFollowsTheEquations) {
  const Prepared law = porous_law({{"FC", 0.03}});
  Reference reference;
  reference.fc = 0.03;
  for (const auto& [volume, shape] : {std::pair{0.06, 0.0}, {0.07, 0.07}}) {
    ASSERT_GT(reference.at(volume, shape).f, 0.04);
    ASSERT_LT(reference.at(volume, shape).f, 0.25);
    expect_reference(law, reference, volume, shape);
  }
}

// Hydrostatic: m = -k ln(q1 f) / (1.5 q2), where f is that of the beginning of the step; f = 1 - (1 - F0)
// exp(-v).
TEST(Gurson, SpheresOfMetalUnderTension) {
  const Prepared law = porous_law({{"ETAN", 0.0}});
  Solid<double> p(law);
  p.steps(200, {0.01, 0.01, 0.01, 0, 0, 0});
  const double f = 0.01 + kept(p, growth);
  p.step({1e-5, 1e-5, 1e-5, 0, 0, 0});
  EXPECT_NEAR(mean_of(p.point.s), -0.3 * std::log(1.5 * f) / 1.5, 1e-8);
  EXPECT_NEAR(mises(p.point.s), 0, 1e-12);
  const double plastic = 0.03 + 3e-5 - mean_of(p.point.s) / kBulk;
  EXPECT_NEAR(0.01 + kept(p, growth), 1 - 0.99 * std::exp(-plastic), 1e-9) << "exact whatever the steps";
}

// In shear no void grows: what is there has nucleated, FN times the normal distribution.
TEST(Gurson, NucleationInShearIsTheNormalDistribution) {
  const Prepared law = porous_law({{"FN", 0.04}, {"EN", 0.1}, {"SN", 0.03}});
  Solid<double> p(law);
  p.steps(400, {0, 0, 0, 0.3, 0, 0});
  const auto distribution = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double plastic = p.point.plastic_strain;
  ASSERT_GT(plastic, 0.15);
  EXPECT_NEAR(kept(p, growth), 0.04 * (distribution((plastic - 0.1) / 0.03) - distribution(-0.1 / 0.03)),
              1e-6);
  EXPECT_NEAR(kept(p, triaxiality), 0, 1e-12);
}

// On the surface of the beginning's voids after any step, also from far away.
TEST(Gurson, ReturnsFromFarAway) {
  std::mt19937 engine(5);
  std::normal_distribution<double> draw(0, 1);
  for (const double f0 : {1e-6, 0.01, 0.09})
    for (const double size : {1e-3, 1e-2, 5e-2})
      for (int k = 0; k < 200; ++k) {
        const Prepared law = porous_law({{"F0", f0}, {"ETAN", 2.0}});
        Solid<double> p(law);
        p.step({size * draw(engine), size * draw(engine), size * draw(engine), size * draw(engine),
                size * draw(engine), size * draw(engine)});
        const double flow = 0.3 + kYoung * 2 / (kYoung - 2) * p.point.plastic_strain;
        const double at = Reference{}.surface(mean_of(p.point.s), mises(p.point.s), flow, f0);
        if (p.point.failed) continue;
        if (p.point.plastic_strain > 0)
          EXPECT_NEAR(at, 0, 1e-7) << f0 << ' ' << size << ' ' << k;
        else
          EXPECT_LE(at, 1e-9);
      }
}

TEST(Gurson, MisesWithoutVoids) {
  const Prepared law = prepare(sizes(), porous({{"F0", 0.0}, {"LCSS", 3.0}}));
  const Prepared mises_law = prepare(sizes(), material(24, {{"LCSS", 3.0}}));
  std::mt19937 engine(3);
  std::normal_distribution<double> draw(0, 2e-3);
  Solid<double> p(law), other(mises_law);
  Shell<double> shell(law), other_shell(mises_law);
  for (int k = 0; k < 100; ++k) {
    double d[6] = {draw(engine), draw(engine), draw(engine), draw(engine), draw(engine), draw(engine)};
    shell.step(d);
    other_shell.step(d);
    d[2] = -d[0] - d[1];  // without voids too, the surface ends at a mean stress of 18 k
    p.step(d);
    other.step(d);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(p.point.s[i], other.point.s[i], 1e-7) << k;
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(shell.point.s[i], other_shell.point.s[i], 1e-7) << k;
    EXPECT_NEAR(shell.point.d[2], other_shell.point.d[2], 1e-8) << k;
  }
  EXPECT_GT(p.point.plastic_strain, 0.1);
}

// A solid with the strains of a shell, its thickness strain included, has its stress, and none across.
TEST(Gurson, PlaneStressIsThatOfASolid) {
  const Prepared law = porous_law({{"FN", 0.04}, {"EN", 0.1}, {"SN", 0.05}});
  std::mt19937 engine(9);
  std::normal_distribution<double> draw(0, 1e-3);
  Shell<double> shell(law);
  Solid<double> solid(law);
  for (int k = 0; k < 200; ++k) {
    const double d[6] = {2e-3 + draw(engine), 1e-3 + draw(engine), 0,
                         draw(engine),        draw(engine),        draw(engine)};
    shell.step(d);
    const double all[6] = {d[0], d[1], shell.point.d[2], d[3], d[4], d[5]};
    solid.step(all);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(solid.point.s[i], shell.point.s[i], 1e-7) << k << ' ' << i;
    EXPECT_NEAR(kept(solid, growth), kept(shell, growth), 1e-8) << k;
  }
  EXPECT_GT(kept(shell, growth), 0.01);
}

TEST(Gurson, UnloadsElastically) {
  const Prepared law = porous_law();
  Solid<double> p = strained(law, 0.03, 0.1, 100);
  const double s = p.point.s[0], plastic = p.point.plastic_strain, f = kept(p, growth);
  p.step({-1e-4, 0, 0, 0, 0, 0});
  EXPECT_NEAR(p.point.s[0], s - 1e-4 * (kBulk + 4 * kShearModulus / 3), 1e-12);
  EXPECT_EQ(p.point.plastic_strain, plastic);
  EXPECT_EQ(kept(p, growth), f);
}

// VGTYP: voids close in compression to F0, not at all, or to nothing.
TEST(Gurson, VoidsCloseAsTheirTypeSays) {
  const auto after = [](double type) {
    const Prepared law = porous_law({{"VGTYP", type}, {"F0", 0.02}});
    Solid<double> p = strained(law, 0.02, 0, 200);
    const double grown = kept(p, growth);
    p.steps(400, {-0.03, -0.03, -0.03, 0, 0, 0});
    return std::array{grown, kept(p, growth)};
  };
  EXPECT_GT(after(0)[0], 0.01);
  EXPECT_EQ(after(0)[1], 0);
  EXPECT_EQ(after(1)[1], after(1)[0]);
  EXPECT_LT(after(2)[1], -0.01);
  EXPECT_GE(after(2)[1], -0.02);
}

TEST(Gurson, FailsAtItsVoidFraction) {
  const auto fraction = [](Fields fields, double size_of) {
    const Prepared law = prepare(sizes(), porous(fields));
    Solid<double> p(law);
    p.point.history.store(size, size_of);
    double last = 0;
    for (int k = 0; k < 4000 && !p.point.failed; ++k) {
      last = kept(p, growth);
      p.step({1e-4, 1e-4, 1e-4, 0, 0, 0});
    }
    EXPECT_TRUE(p.point.failed);
    for (const double s : p.point.s) EXPECT_EQ(s, 0);
    const double at_failure = kept(p, growth), plastic = p.point.plastic_strain;
    p.step({1e-3, 0, 0, 0, 0, 0});  // stays so
    EXPECT_TRUE(p.point.failed);
    EXPECT_EQ(p.point.s[0], 0);
    EXPECT_EQ(p.point.plastic_strain, plastic);
    EXPECT_EQ(kept(p, growth), at_failure);
    return last + 0.01;
  };
  EXPECT_NEAR(fraction({}, 2), 0.25, 1e-3);
  EXPECT_NEAR(fraction({{"LCLF", 1.0}}, 2), 0.25, 1e-3);
  EXPECT_NEAR(fraction({{"LCLF", 1.0}}, 1), 0.2, 1e-3);
  EXPECT_NEAR(fraction({{"LCLF", 1.0}}, 9), 0.3, 1e-3) << "constant beyond the ends";
  EXPECT_NEAR(fraction({{"L1", 1.0}, {"FF1", 0.2}, {"L2", 2.0}, {"FF2", 0.28}}, 1.5), 0.24, 1e-3);
}

TEST(Gurson, FirstFractionOverTheSize) {
  const Prepared law = porous_law({{"LCF0", 2.0}});
  Solid<double> p(law);
  p.point.history.store(size, 2.0);
  p.steps(100, {0.01, 0.01, 0.01, 0, 0, 0});
  const double plastic = 0.03 - mean_of(p.point.s) / kBulk;
  EXPECT_NEAR(0.02 + kept(p, growth), 1 - 0.98 * std::exp(-plastic), 1e-9);
}

TEST(Gurson, HardeningRules) {
  const auto flow = [](Fields fields) {  // in shear: k = q / (1 - q1 f)
    const Prepared law = prepare(sizes(), porous(fields));
    Solid<double> p(law);
    p.steps(50, {0, 0, 0, 0.1, 0, 0});
    return std::array{p.point.plastic_strain, mises(p.point.s) / (1 - 1.5 * 0.01)};
  };
  const auto power = flow({{"ATYP", 1.0}, {"N", 5.0}});
  EXPECT_NEAR(power[1], 0.3 * std::pow(1 + power[0] * kYoung / 0.3, 0.2), 1e-8);
  const auto line = flow({});
  EXPECT_NEAR(line[1], 0.3 + kYoung * 2 / (kYoung - 2) * line[0], 1e-8);
  const auto points = flow({{"ATYP", 3.0}, {"ES1", 0.3}, {"EPS2", 0.1}, {"ES2", 0.4}});
  EXPECT_NEAR(points[1], 0.3 + points[0], 1e-8);
  const auto by_curve = flow({{"LCSS", 3.0}});
  EXPECT_NEAR(by_curve[1], 0.3 + by_curve[0], 1e-8);
}

TEST(Gurson, RefusesWhatIsNotSupported) {
  const auto id = [](Fields fields) -> std::string {
    try {
      prepare(sizes(), porous(fields));
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id({}), "");
  EXPECT_EQ(id({{"Q1", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"FC", 0.0}}), "CR-M108");
  EXPECT_EQ(id({{"F0", 0.2}}), "CR-M108");
  EXPECT_EQ(id({{"FF0", 0.05}}), "CR-M108");
  EXPECT_EQ(id({{"FN", 0.04}}), "CR-M103") << "SN";
  EXPECT_EQ(id({{"VGTYP", 3.0}}), "CR-M105");
  EXPECT_EQ(id({{"ATYP", 4.0}}), "CR-M105");
  EXPECT_EQ(id({{"LCSS", 50.0}}), "CR-M105");
  EXPECT_EQ(id({{"LCSS", 9.0}}), "CR-M106");
  EXPECT_EQ(id({{"Q1", 12.0}}), "CR-M108");
}

}  // namespace
}  // namespace crumple::materials
