// MAT_262: onset of each mode, the energy to its end in elements of two sizes, cycles, plasticity of shear.
#include <gtest/gtest.h>

#include <cmath>

#include "materials/orthotropic/fracture_size.hpp"
#include "materials/orthotropic/laminated_fracture_camanho.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kEa = 140, kEb = 10, kG = 5;
constexpr double kXt = 2.0, kXc = 1.5, kYt = 0.05, kYc = 0.2, kSl = 0.1;

/// Without Poisson's ratio.
model::Material lamina_262(Fields fields = {}) {
  return with_fields(lamina(262, {{"PRBA", 0.0}, {"EC", 0.0}}), fields);
}

struct State {
  double a, b, ab;
  bool failed;
};

State pull(Shell<double>& shell, double a, double b, double ab, int count = 1) {
  shell.steps(count, {a, b, 0, ab, 0, 0});
  const auto& s = shell.point.s;
  return {s[0], s[1], s[3], shell.point.failed};
}

/// A point in an element of a size.
struct InElement {
  InElement(const Prepared& law, double size) : shell(law) {
    shell.point.history.store(LaminatedFractureLaw::kSize, size);
  }
  Shell<double> shell;
};

struct Mode {
  double a, b, ab, modulus, strength, toughness;
  double of(const State& s) const { return a != 0 ? a * s.a : b != 0 ? b * s.b : ab * s.ab; }
};
const Mode kModes[] = {{1, 0, 0, kEa, kXt, 0.1},
                       {-1, 0, 0, kEa, kXc, 0.08},
                       {0, 1, 0, kEb, kYt, 1e-3},
                       {0, -1, 0, kEb, kYc, 0.02},
                       {0, 0, 1, kG, kSl, 0.008}};

// Elastic to the strength, then along a straight line to no stress at the strain 2 G / (l X), where the point
// ends; on the way back to the origin.
TEST(LaminatedFracture, EveryModeSoftensAlongALine) {
  for (const Mode& mode : kModes)
    for (const double size : {1.0, 2.5}) {
      const Prepared law = prepare({}, lamina_262());
      InElement in(law, size);
      const double first = mode.strength / mode.modulus, last = 2 * mode.toughness / (size * mode.strength);
      ASSERT_LT(first, last);
      double e = 0;
      const auto to = [&](double strain) {
        const double d = strain - e;
        e = strain;
        return pull(in.shell, mode.a * d, mode.b * d, mode.ab * d);
      };
      EXPECT_NEAR(mode.of(to(0.999 * first)), 0.999 * mode.strength, 1e-12);
      for (const double part : {0.1, 0.5, 0.99}) {
        const State s = to(first + part * (last - first));
        EXPECT_NEAR(mode.of(s), (1 - part) * mode.strength, 1e-9)
            << mode.strength << ' ' << size << ' ' << part;
        EXPECT_FALSE(s.failed);
        if (part != 0.5) continue;
        const double top = e;
        EXPECT_NEAR(mode.of(to(0.3 * top)), 0.3 * 0.5 * mode.strength, 1e-9);
      }
      EXPECT_TRUE(to(1.0001 * last).failed) << mode.strength;
    }
}

// The work until the point ends, times the size, is the toughness.
TEST(LaminatedFracture, EveryModeDissipatesItsToughness) {
  for (const Mode& mode : kModes)
    for (const double size : {1.0, 2.5}) {
      const Prepared law = prepare({}, lamina_262());
      InElement in(law, size);
      const double step = mode.toughness / (size * mode.strength) / 5000;
      double work = 0, before = 0;
      bool failed = false;
      for (int k = 0; k < 10100; ++k) {
        const State s = pull(in.shell, mode.a * step, mode.b * step, mode.ab * step);
        work += 0.5 * (before + mode.of(s)) * step;
        before = mode.of(s);
        failed = s.failed;
      }
      EXPECT_TRUE(failed);
      EXPECT_NEAR(work * size / mode.toughness, 1, 1e-6) << mode.strength << ' ' << size;
    }
}

// Poisson's ratio does not change the energy of fibres that kink with free edges: e_b is that of the stress,
// as the compliance s_ab has no damage.
TEST(LaminatedFracture, KinkingDissipatesItsToughnessWithPoissonsRatio) {
  const double ba = 0.02, ab = ba * kEa / kEb;
  const Prepared law = prepare({}, lamina_262({{"PRBA", ba}}));
  InElement in(law, 1.0);
  const int n = 20000;
  const double step = 1.6 * 2 * 0.08 / kXc / n;
  double work = 0, before = 0, b = 0, left = 1;
  bool failed = false;
  for (int k = 1; k <= n && !failed; ++k) {
    const double next = left * ab * step * k;
    const State s = pull(in.shell, -step, next - b, 0);
    b = next;
    left = -s.a / (kEa * step * k);
    work -= 0.5 * (before + s.a) * step;
    before = s.a;
    failed = s.failed;
  }
  EXPECT_TRUE(failed);
  EXPECT_NEAR(work / 0.08, 1, 1e-4);
}

// A flag keeps the point, without stress of that mode.
TEST(LaminatedFracture, FlagsKeepPoints) {
  const char* const flags[] = {"DAF", "DKF", "DMF", "DMF", "DSF"};
  for (int k = 0; k < 5; ++k) {
    const Mode& mode = kModes[k];
    const Prepared law =
        prepare({}, lamina_262({{flags[k], 1.0}, {"DMF", k > 1 ? 1.0 : 0.0}, {"DSF", k > 1 ? 1.0 : 0.0}}));
    InElement in(law, 1.0);
    const double e = 3 * mode.toughness / mode.strength;
    const State s = pull(in.shell, mode.a * e, mode.b * e, mode.ab * e, 100);
    EXPECT_FALSE(s.failed) << flags[k];
    EXPECT_NEAR(mode.of(s), 0, 1e-12);
  }
  const Prepared law = prepare({}, lamina_262({{"DAF", 1.0}, {"EFS", 0.5}}));
  InElement in(law, 1.0);
  EXPECT_FALSE(pull(in.shell, 0.49 * std::sqrt(0.75), 0, 0).failed);
  EXPECT_TRUE(pull(in.shell, 0.02, 0, 0).failed);
}

TEST(LaminatedFracture, CracksClose) {
  const Prepared law = prepare({}, lamina_262());
  InElement in(law, 1.0);
  pull(in.shell, 0, 0.02, 0);
  EXPECT_NEAR(pull(in.shell, 0, -0.025, 0).b, -kEb * 0.005, 1e-12);
}

// Neither fibres nor matrix break by traces of pressure while shear opens a crack, nor fibres beside an open
// one.
TEST(LaminatedFracture, TracesOfPressureBreakNothingMore) {
  for (const Mode& mode : {kModes[2], kModes[4]})
    for (const double trace : {0.0, 1e-14, 1e-10}) {
      const Prepared law = prepare({}, lamina_262());
      InElement in(law, 1.0);
      const double first = mode.strength / mode.modulus, last = 2 * mode.toughness / mode.strength;
      const double top = first + 0.6 * (last - first);
      pull(in.shell, -trace, mode.ab * -trace, 0);
      for (int k = 0; k < 100; ++k) pull(in.shell, 0, mode.b * top / 100, mode.ab * top / 100);
      State s = pull(in.shell, 0, 0, 0);
      EXPECT_NEAR(mode.of(s), 0.4 * mode.strength, 1e-9) << trace;
      EXPECT_NEAR(s.a, -kEa * trace, 1e-12) << trace;
      s = pull(in.shell, 0, -0.7 * mode.b * top, -0.7 * mode.ab * top, 1);
      EXPECT_NEAR(mode.of(s), 0.3 * 0.4 * mode.strength, 1e-9) << trace;
      EXPECT_FALSE(s.failed);
    }
}

// What was crushed has no tension either.
TEST(LaminatedFracture, CrushedMatrixIsTornToo) {
  const Prepared law = prepare({}, lamina_262());
  InElement in(law, 1.0);
  const double first = kYc / kEb, last = 2 * 0.02 / kYc, e = 0.5 * (first + last);
  EXPECT_NEAR(pull(in.shell, 0, -e, 0).b, -0.5 * kYc, 1e-9);
  EXPECT_NEAR(pull(in.shell, 0, e + 1e-3, 0).b, 0.5 * kYc / e * 1e-3, 1e-9);
}

/// Whether strains a, b, ab of a new point give damage: stresses that are not elastic.
bool damaged(double a, double b, double ab) {
  const Prepared law = prepare({}, lamina_262());
  InElement in(law, 1.0);
  const State s = pull(in.shell, a, b, ab);
  return std::abs(s.a - kEa * a) + std::abs(s.b - kEb * b) + std::abs(s.ab - kG * ab) > 1e-12;
}

/// Expects damage from that factor of strains on.
void expect_onset(double factor, double a, double b, double ab) {
  EXPECT_FALSE(damaged(0.999 * factor * a, 0.999 * factor * b, 0.999 * factor * ab))
      << a << ' ' << b << ' ' << ab;
  EXPECT_TRUE(damaged(1.001 * factor * a, 1.001 * factor * b, 1.001 * factor * ab))
      << a << ' ' << b << ' ' << ab;
}

// Onset under two stresses, found by bisection on the criteria in another form.
TEST(LaminatedFracture, OnsetUnderTensionAndShear) {
  const double g = 1e-3 / 0.008;
  for (const double ratio : {0.3, 1.0, 3.0}) {
    const double b = kYt, t = ratio * kSl;  // (1 - g) x + g x^2 + (ratio x)^2 = 1
    const double q = g + ratio * ratio, x = (g - 1 + std::sqrt((1 - g) * (1 - g) + 4 * q)) / (2 * q);
    expect_onset(x, 0, b / kEb, t / kG);
  }
}

// Shear and light pressure: |t| = SL - eta_L s_b, friction on the plane of the fibres.
TEST(LaminatedFracture, PressureHelpsShear) {
  const double alpha = 53 * M_PI / 180;
  const double eta = -kSl * std::cos(2 * alpha) / (kYc * std::cos(alpha) * std::cos(alpha));
  const double b = -0.05, t = kSl - eta * b;
  EXPECT_GT(t, 1.1 * kSl);
  expect_onset(1, 0, b / kEb, t / kG);
}

/// The largest of (|tau_T| + eta_T s_n) / ST and (|tau_L| + eta_L s_n) / SL together, with the plane that the
/// card gives turned by theta as the paper has it.
double crushing(double b, double t) {
  const double alpha = 53 * M_PI / 180, c = std::cos(alpha), s = std::sin(alpha);
  const double eta_t = -1 / std::tan(2 * alpha), eta_l = -kSl * std::cos(2 * alpha) / (kYc * c * c);
  const double st = kYc * c * (s + c / std::tan(2 * alpha)), theta = std::atan(-t / (b * s));
  const double across = -b * c * (s - eta_t * c * std::cos(theta)),
               along = c * (t + eta_l * b * c * std::sin(theta));
  return std::hypot(across / st, std::max(along, 0.0) / kSl);
}

TEST(LaminatedFracture, PressureAndShearCrush) {
  const double b = -0.18;
  double t = 0.0;
  while (crushing(b, t + 1e-6) < 1) t += 1e-6;
  EXPECT_GT(t, 0.01);
  expect_onset(1, 0, b / kEb, t / kG);
}

// Fibres kink earlier with shear.
TEST(LaminatedFracture, FibresKink) {
  const double alpha = 53 * M_PI / 180;
  const double eta = -kSl * std::cos(2 * alpha) / (kYc * std::cos(alpha) * std::cos(alpha));
  // The angle at which XC alone slides, by bisection.
  double low = 0, high = 0.5;
  const auto slides = [&](double phi, double a, double t) {
    const double c = std::cos(phi), s = std::sin(phi);
    return std::abs(-a * s * c + t * (c * c - s * s)) + eta * (a * s * s - 2 * t * s * c);
  };
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high);
    (slides(middle, -kXc, 0) < kSl ? low : high) = middle;
  }
  const double t = 0.03;
  double a = 0;
  while (slides(low, -a, t) < kSl) a += 1e-5;
  EXPECT_LT(a, 0.9 * kXc);
  expect_onset(1, -a / kEa, 0, t / kG);
  expect_onset(1, -kXc / kEa, 0, 0);
}

// Shear yields at SIGY, hardens by ETAN, and unloads by GAB; back, it yields by the kind of hardening.
TEST(LaminatedFracture, ShearYields) {
  const double yield = 0.04, tangent = 1.0, e = 0.03, top = yield + tangent * (e - yield / kG);
  for (const double beta : {0.0, 0.5, 1.0}) {
    const Prepared law = prepare({}, lamina_262({{"SIGY", yield}, {"ETAN", tangent}, {"BETA", beta}}));
    InElement in(law, 1.0);
    EXPECT_NEAR(pull(in.shell, 0, 0, e, 7).ab, top, 1e-12);
    EXPECT_NEAR(pull(in.shell, 0, 0, -0.004).ab, top - kG * 0.004, 1e-12);
    const double range = 2 * (beta * top + (1 - beta) * yield), back = range / kG;
    EXPECT_NEAR(pull(in.shell, 0, 0, 0.004 - back).ab, top - range, 1e-12) << beta;
    EXPECT_NEAR(pull(in.shell, 0, 0, -0.002).ab, top - range - 0.002 * tangent, 1e-12) << beta;
  }
}

// Yielding does not change the energy of the crack.
TEST(LaminatedFracture, ShearDissipatesItsToughnessBesidesPlasticWork) {
  const double yield = 0.04, tangent = 1.0, size = 1.5, toughness = 0.008;
  const Prepared law = prepare({}, lamina_262({{"SIGY", yield}, {"ETAN", tangent}, {"BETA", 0.3}}));
  InElement in(law, size);
  const double hardening = tangent * kG / (kG - tangent), plastic = (kSl - yield) / hardening;
  const double step = 1e-5;
  double work = 0, before = 0;
  bool failed = false;
  for (int k = 0; k < 40000 && !failed; ++k) {
    const State s = pull(in.shell, 0, 0, step);
    work += 0.5 * (before + s.ab) * step;
    before = s.ab;
    failed = s.failed;
  }
  EXPECT_TRUE(failed);
  EXPECT_NEAR((work - 0.5 * (yield + kSl) * plastic) * size / toughness, 1, 1e-3);
}

// Off its axes by a quarter turn, and by 30 degrees.
TEST(LaminatedFracture, AxesTurnStrengths) {
  const Prepared law = prepare({}, lamina_262());
  InElement in(law, 1.0);
  in.shell.point.history.store(0, -1.0);
  in.shell.point.history.store(1, 1.0);
  const double first = kYt / kEb, last = 2e-3 / kYt;
  EXPECT_NEAR(pull(in.shell, 0.5 * (first + last), 0, 0).a, 0.5 * kYt, 1e-9);

  const double angle = M_PI / 6, c = std::cos(angle), s = std::sin(angle), e = 1e-3;
  InElement other(law, 1.0);
  other.shell.point.history.store(0, c - 1);
  other.shell.point.history.store(1, s);
  const double a = kEa * c * c * e, b = kEb * s * s * e, t = -kG * 2 * c * s * e;
  EXPECT_NEAR(pull(other.shell, e, 0, 0).a, c * c * a + s * s * b - 2 * c * s * t, 1e-12);
}

// A closed path in strain takes work.
TEST(LaminatedFracture, DissipatesInCycles) {
  const Prepared law = prepare({}, lamina_262({{"PRBA", 0.02},
                                               {"SIGY", 0.05},
                                               {"ETAN", 0.5},
                                               {"DAF", 1.0},
                                               {"DKF", 1.0},
                                               {"DMF", 1.0},
                                               {"DSF", 1.0}}));
  InElement in(law, 1.0);
  double work = 0, least = 0, before[6] = {};
  const int n = 40000;
  for (int k = 0; k < n; ++k) {
    const double t0 = 4 * M_PI * k / n, t1 = 4 * M_PI * (k + 1) / n;
    const auto part = [&](double f, double size) { return size * (std::sin(f * t1) - std::sin(f * t0)); };
    const double d[6] = {part(3, 0.02), part(2, 0.03), 0, part(5, 0.05), 0, 0};
    in.shell.step(d);
    for (int i : {0, 1, 3}) {
      work += 0.5 * (before[i] + in.shell.point.s[i]) * d[i];
      before[i] = in.shell.point.s[i];
    }
    least = std::min(least, work);
  }
  EXPECT_GT(least, -1e-6);
  EXPECT_GT(work, 0.01);
}

TEST(LaminatedFracture, SaysTheLargestElement) {
  // 2 E G / X^2: 7, 9.96, 8, 10 and 8 mm
  EXPECT_NEAR(largest_size(lamina_262()), 7, 1e-12);
  EXPECT_NEAR(largest_size(lamina_262({{"GYT", 5e-4}})), 4, 1e-12);
  EXPECT_EQ(largest_size(material(1, {})), 0);
}

TEST(LaminatedFracture, RefusesWhatItCannotDo) {
  for (const char* field : {"XT", "XC", "YT", "YC", "SL", "GXT", "GXC", "GYT", "GYC", "GSL"}) {
    EXPECT_THROW(prepare({}, lamina_262({{field, 0.0}})), Error) << field;
    EXPECT_THROW(prepare({}, lamina_262({{field, -1.0}})), Error) << field;
  }
  EXPECT_THROW(prepare({}, lamina_262({{"FIO", 40.0}})), Error);
  EXPECT_THROW(prepare({}, lamina_262({{"XC", 0.15}})), Error) << "no kink angle";
  EXPECT_THROW(prepare({}, lamina_262({{"EFS", -0.1}})), Error);
  EXPECT_THROW(prepare({}, lamina_262({{"DAF", 2.0}})), Error);
  EXPECT_THROW(prepare({}, lamina_262({{"SIGY", 0.1}, {"ETAN", -3.0}})), Error);
  EXPECT_THROW(prepare({}, lamina_262({{"SIGY", 0.1}, {"BETA", 2.0}})), Error);
}

}  // namespace
}  // namespace crumple::materials
