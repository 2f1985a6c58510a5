// MAT_058: each mode's curve and its largest stress, failure surfaces, limits of stress, cycles, axes, the
// end.
#include "materials/orthotropic/laminated_fabric.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kXt = 2.0, kXc = 1.5, kYt = 0.05, kYc = 0.2, kSc = 0.1;
constexpr double kEa = 140, kEb = 10, kG = 5;

/// Without Poisson's ratio, and so without a change of thickness.
model::Material fabric(Fields fields = {}) {
  return with_fields(lamina(58, {{"PRBA", 0.0}, {"EC", 0.0}}), fields);
}

/// exp(-r^m / (m e)) with m from the strain at the strength.
double left(double r, double modulus, double strength, double strain) {
  const double m = 1 / std::log(modulus * strain / strength);
  return std::exp(-std::pow(r, m) / (m * std::exp(1.0)));
}

struct State {
  double a, b, ab, bc;
  bool failed;
};

/// Strains a, b, ab, bc in `count` steps, from where the point is.
State pull(Shell<double>& shell, double a, double b, double ab, double bc = 0, int count = 1) {
  shell.steps(count, {a, b, 0, ab, bc, 0});
  const auto& s = shell.point.s;
  return {s[0], s[1], s[3], s[4], shell.point.failed};
}
State pulled(const model::Material& m, double a, double b, double ab) {
  const Prepared law = prepare({}, m);
  Shell<double> shell(law);
  return pull(shell, a, b, ab);
}

/// A direction of strain, and the curve of its stress.
struct Mode {
  double a, b, ab, modulus, strength, strain;
  double of(const State& s) const { return std::abs(a != 0 ? s.a : b != 0 ? s.b : s.ab); }
};
const Mode kModes[] = {{1, 0, 0, kEa, kXt, 0.02},
                       {-1, 0, 0, kEa, kXc, 0.015},
                       {0, 1, 0, kEb, kYt, 0.008},
                       {0, -1, 0, kEb, kYc, 0.03},
                       {0, 0, 1, kG, kSc, 0.04}};

// One mode alone has its curve with all failure surfaces; the largest stress is the strength, at its strain.
TEST(LaminatedFabric, EveryModeHasItsCurve) {
  for (const double surface : {-1.0, 0.0, 1.0})
    for (const Mode& mode : kModes)
      for (const double part : {0.01, 0.3, 0.99, 1.0, 1.01, 1.6, 3.0}) {
        const double e = part * mode.strain, r = mode.modulus * e / mode.strength;
        const double expected = left(r, mode.modulus, mode.strength, mode.strain) * mode.modulus * e;
        const State s = pulled(fabric({{"FS", surface}}), mode.a * e, mode.b * e, mode.ab * e);
        EXPECT_NEAR(mode.of(s), expected, 1e-12) << surface << ' ' << mode.strength << ' ' << part;
        if (part == 1.0) {
          EXPECT_NEAR(mode.of(s), mode.strength, 1e-12);
        }
        EXPECT_LE(mode.of(s), mode.strength + 1e-12);
      }
}

// The work until nothing is left is X^2/E (m e)^(2/m) Gamma(2/m) / m.
TEST(LaminatedFabric, DissipatesTheWorkOfABundle) {
  for (const Mode& mode : kModes) {
    const Prepared law = prepare({}, fabric({{"FS", -1.0}}));
    Shell<double> shell(law);
    const double m = 1 / std::log(mode.modulus * mode.strain / mode.strength);
    const double step = mode.strain / 500;
    double work = 0, before = 0;
    for (int k = 0; k < 20000; ++k) {
      const double now = mode.of(pull(shell, mode.a * step, mode.b * step, mode.ab * step));
      work += 0.5 * (before + now) * step;
      before = now;
    }
    const double expected = mode.strength * mode.strength / mode.modulus *
                            std::pow(m * std::exp(1.0), 2 / m) * std::tgamma(2 / m) / m;
    EXPECT_NEAR(work / expected, 1, 1e-5) << mode.strength;
  }
}

// With a free edge, s_b = 0, the curve along a is the same with Poisson's ratio; e_b is that of the elastic
// lamina under the stress: s_ab of the compliance has no damage.
TEST(LaminatedFabric, PoissonsRatioDoesNotChangeTheCurve) {
  const double ba = 0.1, ab = ba * kEa / kEb, e = 0.025;
  const Prepared law = prepare({}, fabric({{"PRBA", ba / 2}, {"E22T", 0.02}}));
  Shell<double> shell(law);
  const int n = 20000;
  double b = 0;
  State s{};
  for (int k = 1; k <= n; ++k) {
    const double a = e * k / n, w = left(kEa * a / kXt, kEa, kXt, 0.02);
    const double next = -0.5 * ab * w * a;
    s = pull(shell, e / n, next - b, 0);
    b = next;
  }
  EXPECT_NEAR(s.a, left(kEa * e / kXt, kEa, kXt, 0.02) * kEa * e, 2e-4);
  EXPECT_NEAR(s.b, 0, 2e-5);
}

// Back to the origin along a straight line, and along it again; pressure closes cracks.
TEST(LaminatedFabric, UnloadsToTheOriginAndCloses) {
  const Prepared law = prepare({}, fabric());
  Shell<double> shell(law);
  const double top = pull(shell, 0.025, 0, 0).a;
  EXPECT_NEAR(pull(shell, -0.0125, 0, 0).a, 0.5 * top, 1e-12);
  EXPECT_NEAR(pull(shell, -0.0125, 0, 0).a, 0, 1e-12);
  const double w = left(kEa * 0.002 / kXc, kEa, kXc, 0.015);
  EXPECT_NEAR(pull(shell, -0.002, 0, 0).a, -w * kEa * 0.002, 1e-12);
  EXPECT_NEAR(pull(shell, 0.027, 0, 0).a, top, 1e-12);
}

TEST(LaminatedFabric, ShearUnloadsInBothDirections) {
  const Prepared law = prepare({}, fabric({{"FS", -1.0}}));
  Shell<double> shell(law);
  const double top = pull(shell, 0, 0, 0.05).ab;
  EXPECT_NEAR(pull(shell, 0, 0, -0.07).ab, -0.4 * top, 1e-12);
}

// SLIM times the strength, only after the largest stress.
TEST(LaminatedFabric, StressesEndAtTheirLimits) {
  const char* const limits[] = {"SLIMT1", "SLIMC1", "SLIMT2", "SLIMC2", "SLIMS"};
  for (int k = 0; k < 5; ++k)
    for (const double limit : {0.1, 1.0}) {
      const Mode& mode = kModes[k];
      const Prepared law = prepare({}, fabric({{limits[k], limit}, {"FS", k == 4 ? 1.0 : -1.0}}));
      Shell<double> shell(law);
      double e = 0.5 * mode.strain;
      const double r = mode.modulus * e / mode.strength;
      EXPECT_NEAR(mode.of(pull(shell, mode.a * e, mode.b * e, mode.ab * e)),
                  left(r, mode.modulus, mode.strength, mode.strain) * mode.modulus * e, 1e-12);
      e = 9.5 * mode.strain;
      EXPECT_NEAR(mode.of(pull(shell, mode.a * e, mode.b * e, mode.ab * e)), limit * mode.strength, 1e-9);
      e = -5 * mode.strain;
      EXPECT_NEAR(mode.of(pull(shell, mode.a * e, mode.b * e, mode.ab * e)), 0.5 * limit * mode.strength,
                  1e-9);
    }
}

// FS = 0: shear and the stress across the fibres have one r.
TEST(LaminatedFabric, OneDirection) {
  const double b = 0.004, ab = 0.015, r = std::hypot(kEb * b / kYt, kG * ab / kSc);
  const State s = pulled(fabric(), 0.01, b, ab);
  EXPECT_NEAR(s.b, left(r, kEb, kYt, 0.008) * kEb * b, 1e-12);
  EXPECT_NEAR(s.ab, left(r, kG, kSc, 0.04) * kG * ab, 1e-12);
  EXPECT_NEAR(s.a, left(kEa * 0.01 / kXt, kEa, kXt, 0.02) * kEa * 0.01, 1e-12) << "without shear";
}

// FS = 1: both axes with shear. With SLIM = 1 stresses stay on the ellipse.
TEST(LaminatedFabric, Fabric) {
  const double a = 0.009, ab = 0.012, r = std::hypot(kEa * a / kXt, kG * ab / kSc);
  const State s = pulled(fabric({{"FS", 1.0}}), a, 0, ab);
  EXPECT_NEAR(s.a, left(r, kEa, kXt, 0.02) * kEa * a, 1e-12);
  EXPECT_NEAR(s.ab, left(r, kG, kSc, 0.04) * kG * ab, 1e-12);
  const State flat = pulled(fabric({{"FS", 1.0}, {"SLIMT1", 1.0}, {"SLIMS", 1.0}}), 0.2, 0, 0.5);
  EXPECT_NEAR(std::hypot(flat.a / kXt, flat.ab / kSc), 1, 1e-9);
}

TEST(LaminatedFabric, FacetsAreIndependent) {
  const State s = pulled(fabric({{"FS", -1.0}}), 0.01, -0.01, 0.03);
  EXPECT_NEAR(s.a, left(kEa * 0.01 / kXt, kEa, kXt, 0.02) * kEa * 0.01, 1e-12);
  EXPECT_NEAR(s.b, -left(kEb * 0.01 / kYc, kEb, kYc, 0.03) * kEb * 0.01, 1e-12);
  EXPECT_NEAR(s.ab, left(kG * 0.03 / kSc, kG, kSc, 0.04) * kG * 0.03, 1e-12);
}

// TAU1 at GAMMA1, then straight to SC at GMS, then as without TAU1.
TEST(LaminatedFabric, ShearOfFabricsIsStraightAfterItsFirstPart) {
  const double tau = 0.06, gamma = 0.016;
  const Prepared law = prepare({}, fabric({{"FS", -1.0}, {"TAU1", tau}, {"GAMMA1", gamma}}));
  Shell<double> shell(law);
  EXPECT_NEAR(pull(shell, 0, 0, 0.008).ab, left(kG * 0.008 / tau, kG, tau, gamma) * kG * 0.008, 1e-12);
  EXPECT_NEAR(pull(shell, 0, 0, gamma - 0.008).ab, tau, 1e-12);
  EXPECT_NEAR(pull(shell, 0, 0, 0.5 * (0.04 - gamma)).ab, 0.5 * (tau + kSc), 1e-12);
  EXPECT_NEAR(pull(shell, 0, 0, 0.5 * (0.04 - gamma)).ab, kSc, 1e-12);
  EXPECT_NEAR(pull(shell, 0, 0, 0.02).ab, left(kG * 0.06 / kSc, kG, kSc, 0.04) * kG * 0.06, 1e-12);
  EXPECT_NEAR(pull(shell, 0, 0, -0.06).ab, 0, 1e-12);
}

TEST(LaminatedFabric, TransverseShearLosesItsModulus) {
  const Prepared law = prepare({}, fabric({{"EPSF", 0.02}, {"EPSR", 0.06}, {"TSMD", 0.8}}));
  Shell<double> shell(law);
  EXPECT_NEAR(pull(shell, 0, 0, 0, 0.02).bc, 3 * 0.02, 1e-12);
  EXPECT_NEAR(pull(shell, 0, 0, 0, 0.02).bc, 0.6 * 3 * 0.04, 1e-12);
  EXPECT_NEAR(pull(shell, 0, 0, 0, 0.06).bc, 0.2 * 3 * 0.1, 1e-12);
  EXPECT_NEAR(pull(shell, 0, 0, 0, -0.05).bc, 0.2 * 3 * 0.05, 1e-12);
}

TEST(LaminatedFabric, EndsAtTheEffectiveStrain) {
  const Prepared law = prepare({}, fabric({{"ERODS", 0.05}, {"EC", 8.0}, {"PRCA", 0.02}}));
  Shell<double> shell(law);
  EXPECT_FALSE(pull(shell, 0.049 * std::sqrt(0.75), 0, 0).failed);
  const State s = pull(shell, 0.002 * std::sqrt(0.75), 0, 0);
  EXPECT_TRUE(s.failed);
  EXPECT_EQ(s.a, 0);
  EXPECT_EQ(shell.point.d[2], 0);
  EXPECT_TRUE(pull(shell, -0.03, 0, 0).failed) << "does not come back";
}

// The thickness follows the stress, not the strain: it comes back when all is broken.
TEST(LaminatedFabric, ThicknessFollowsTheStress) {
  const Prepared law = prepare({}, fabric({{"EC", 8.0}, {"PRCA", 0.02}, {"PRCB", 0.0}}));
  Shell<double> shell(law);
  double thinned = 0;
  for (int k = 0; k < 100; ++k) {
    pull(shell, 0.001, 0, 0);
    thinned += shell.point.d[2];
    EXPECT_NEAR(thinned, -0.02 / 8 * shell.point.s[0], 1e-12);
  }
  EXPECT_LT(shell.point.s[0], 0.01 * kXt);
}

// Off its axes by 30 degrees: strains turned into the axes, stresses turned back.
TEST(LaminatedFabric, AxesTurnStrengths) {
  const double angle = M_PI / 6, c = std::cos(angle), s = std::sin(angle), e = 0.012;
  const Prepared law = prepare({}, fabric({{"FS", -1.0}}));
  Shell<double> shell(law);
  shell.point.history.store(0, c - 1);
  shell.point.history.store(1, s);
  pull(shell, e, 0, 0, 0, 3);
  const double a = c * c * e, b = s * s * e, ab = 2 * c * s * e;
  const double sa = left(kEa * a / kXt, kEa, kXt, 0.02) * kEa * a,
               sb = left(kEb * b / kYt, kEb, kYt, 0.008) * kEb * b,
               t = -left(kG * ab / kSc, kG, kSc, 0.04) * kG * ab;
  EXPECT_NEAR(shell.point.s[0], c * c * sa + s * s * sb - 2 * c * s * t, 1e-12);
  EXPECT_NEAR(shell.point.s[1], s * s * sa + c * c * sb + 2 * c * s * t, 1e-12);
  EXPECT_NEAR(shell.point.s[3], c * s * (sa - sb) + (c * c - s * s) * t, 1e-12);
}

// An initial stress is that of an elastic strain.
TEST(LaminatedFabric, BeginsWithAnInitialStress) {
  const Prepared law = prepare({}, fabric({{"PRBA", 0.02}}));
  Shell<double> shell(law);
  const double initial[6] = {0.1, -0.02, 0, 0.01, 0.003, 0.002};
  for (int k = 0; k < 6; ++k) shell.point.s[k] = initial[k];
  pull(shell, 0, 0, 0);
  for (int k : {0, 1, 3, 4, 5}) EXPECT_NEAR(shell.point.s[k], initial[k], 0.03 * std::abs(initial[k])) << k;
  const double before = shell.point.s[4];
  pull(shell, 0, 0, 0, 1e-4);
  EXPECT_NEAR(shell.point.s[4], before + 3e-4, 1e-12);
}

// Any closed path in strain takes work.
TEST(LaminatedFabric, DissipatesInCycles) {
  for (const double surface : {-1.0, 0.0, 1.0}) {
    const Prepared law = prepare({}, fabric({{"FS", surface}, {"PRBA", 0.02}}));
    Shell<double> shell(law);
    double work = 0, least = 0, before[6] = {};
    const int n = 20000;
    for (int k = 0; k < n; ++k) {
      const double t0 = 4 * M_PI * k / n, t1 = 4 * M_PI * (k + 1) / n;
      const auto part = [&](double f, double size) { return size * (std::sin(f * t1) - std::sin(f * t0)); };
      const double d[6] = {part(3, 0.02), part(2, 0.03), 0, part(5, 0.05), 0, 0};
      shell.step(d);
      for (int i : {0, 1, 3}) {
        work += 0.5 * (before[i] + shell.point.s[i]) * d[i];
        before[i] = shell.point.s[i];
      }
      least = std::min(least, work);
    }
    EXPECT_GT(least, -1e-6) << surface;
    EXPECT_GT(work, 0.01) << surface;
  }
}

TEST(LaminatedFabric, RefusesWhatItCannotDo) {
  for (const char* field : {"XT", "XC", "YT", "YC", "SC", "E11T", "E11C", "E22T", "E22C", "GMS"})
    EXPECT_THROW(prepare({}, fabric({{field, 0.0}})), Error) << field;
  EXPECT_THROW(prepare({}, fabric({{"E11T", kXt / kEa}})), Error) << "no strain beyond the modulus";
  EXPECT_THROW(prepare({}, fabric({{"FS", 2.0}})), Error);
  EXPECT_THROW(prepare({}, fabric({{"EA", -5.0}})), Error);
  EXPECT_THROW(prepare({}, fabric({{"ERODS", -0.1}})), Error);
  EXPECT_THROW(prepare({}, fabric({{"SLIMT1", 1.5}})), Error);
  EXPECT_THROW(prepare({}, fabric({{"EPSF", 0.1}, {"EPSR", 0.05}})), Error);
  EXPECT_THROW(prepare({}, fabric({{"FS", -1.0}, {"TAU1", 0.06}, {"GAMMA1", 0.05}})), Error);
  EXPECT_EQ(prepare({}, fabric({{"TSIZE", 1e-4}})).min_time_step, 1e-4);
}

}  // namespace
}  // namespace crumple::materials
