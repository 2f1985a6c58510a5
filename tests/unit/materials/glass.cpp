// MAT_280: criteria, the fall of the stress, cracks that open, close and open again, second cracks, crushing,
// cycles. MAT_032: layers of glass and polymer.
#include "materials/glass/glass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 70, kNu = 0.23, kFt = 0.05, kFc = 0.6;
constexpr double kShear = kE / 2.46, kPlane = kE / (1 - kNu * kNu);

model::Material pane(Fields fields = {}) {
  return with_fields(material(280, {{"E", kE}, {"PR", kNu}, {"FT", kFt}, {"FC", kFc}}), fields);
}

/// A point whose stresses and strains are along x, y and the shear between them.
struct Pane {
  explicit Pane(const Fields& fields = {}) : law(prepare({}, pane(fields))), shell(law) {}

  /// More strain in `count` steps.
  void add(double x, double y, double xy = 0, int count = 1) { shell.steps(count, {x, y, 0, xy, 0, 0}); }
  /// Cycles without strain.
  void wait(int count) { add(0, 0, 0, count); }
  /// To the stresses x and y of a whole point.
  void stress(double x, double y, int count = 1) { add((x - kNu * y) / kE, (y - kNu * x) / kE, 0, count); }
  double s(int k) const { return shell.point.s[k]; }

  Prepared law;
  Shell<double> shell;
};

/// Whether a whole point is still so after the stresses x and y: after one more cycle it has its stresses.
bool holds(const Fields& fields, double x, double y) {
  Pane p(fields);
  p.stress(x, y);
  p.wait(1);
  return std::abs(p.s(0) - x) + std::abs(p.s(1) - y) < 1e-12;
}

TEST(Glass, IsElasticBeforeItBreaks) {
  Pane p;
  p.add(3e-4, -2e-4, 4e-4);
  EXPECT_NEAR(p.s(0), kPlane * (3e-4 - kNu * 2e-4), 1e-15);
  EXPECT_NEAR(p.s(1), kPlane * (-2e-4 + kNu * 3e-4), 1e-15);
  EXPECT_NEAR(p.s(3), kShear * 4e-4, 1e-15);
  EXPECT_NEAR(p.shell.point.d[2], -kNu / (1 - kNu) * 1e-4, 1e-15);
  p.add(-3e-4, 2e-4, -4e-4);
  for (int k : {0, 1, 3}) EXPECT_NEAR(p.s(k), 0, 1e-15);
}

// The three criteria on their limits, 1 % below and above: in tension, both tensions, mixed, and pressure.
TEST(Glass, Criteria) {
  const double m = kFc / kFt;
  const auto drucker = [&](double x, double y) {
    return ((m - 1) * (x + y) + (m + 1) * std::sqrt(x * x + y * y - x * y)) / (2 * kFc);
  };
  const auto mohr = [](double x, double y) {
    const double first = std::max(x, y), second = std::min(x, y);
    return std::max(first, 0.0) / kFt + std::max(-second, 0.0) / kFc;
  };
  const auto rankine = [](double x, double y) {
    return std::max(std::max(x, y) / kFt, -std::min(x, y) / kFc);
  };
  for (const auto& [x, y] : {std::pair(1.0, 0.0),
                             {1.0, 1.0},
                             {1.0, 0.4},
                             {1.0, -3.0},
                             {-1.0, 0.2},
                             {0.0, -1.0},
                             {-1.0, -0.7},
                             {0.5, -6.0}}) {
    const double of[3] = {rankine(x, y), mohr(x, y), drucker(x, y)};
    for (int k = 0; k < 3; ++k) {
      if (k == 2 && of[k] <= 0) {  // the cone is open under pressure from all sides
        EXPECT_TRUE(holds({{"FMOD", 2.0}}, 9 * x, 9 * y)) << x << ' ' << y;
        continue;
      }
      const double scale = 1 / of[k];
      ASSERT_GT(scale, 0) << k;
      EXPECT_TRUE(holds({{"FMOD", k * 1.0}}, 0.99 * scale * x, 0.99 * scale * y))
          << k << ' ' << x << ' ' << y;
      EXPECT_FALSE(holds({{"FMOD", k * 1.0}}, 1.01 * scale * x, 1.01 * scale * y))
          << k << ' ' << x << ' ' << y;
    }
  }
}

// Under strains that stay, the stress across the crack falls along a line to SFSTR of that at failure, and
// Poisson's ratio takes the stress along it down to that of the free strain.
TEST(Glass, StressFallsInItsCycles) {
  for (const double left : {0.0, 0.2})
    for (const double start : {0.0, 1.0}) {
      Pane p({{"NCYCR", 10.0}, {"SFSTR", left}, {"CRIN", start}});
      p.stress(1.02 * kFt, 0.3 * kFt);
      const double along = p.s(1) - kNu * p.s(0), top = p.s(0);
      EXPECT_NEAR(top, 1.02 * kFt, 1e-15);
      for (int k = 1; k <= 12; ++k) {
        p.wait(1);
        const double now = top * (1 - (1 - left) * std::min(k / 10.0, 1.0));
        EXPECT_NEAR(p.s(0), now, 1e-14) << k;
        EXPECT_NEAR(p.s(1), along + kNu * now, 1e-14) << k;
      }
      EXPECT_FALSE(p.shell.point.failed);
    }
}

/// A point with a crack across x that has been open for all its cycles; returns the stress at failure.
double crack(Pane& p, double over = 1.02) {
  p.stress(over * kFt, 0);
  const double top = p.s(0);
  p.wait(60);
  return top;
}

// Opening: SFSTI E. Along the crack: the bar's modulus.
TEST(Glass, AnOpenCrackHasItsStiffness) {
  Pane p({{"SFSTI", 0.1}, {"SFSTR", 0.1}, {"NCYCR", 50.0}});
  const double top = crack(p);
  EXPECT_NEAR(p.s(0), 0.1 * top, 1e-14);
  p.add(2e-3, 0);
  EXPECT_NEAR(p.s(0), 0.1 * (top + kE * 2e-3), 1e-14);
  const double before = p.s(1);
  p.add(0, 1e-4);
  EXPECT_NEAR(p.s(1), before + kE * 1e-4, 1e-14);
  p.add(-2e-3, -1e-4);
  EXPECT_NEAR(p.s(0), 0.1 * top, 1e-14);
}

// Closed at the strain before loading with CRIN = 0, at that of failure with CRIN = 1; the line there, and as
// a whole point beyond.
TEST(Glass, CracksClose) {
  for (const double start : {0.0, 1.0}) {
    Pane p({{"CRIN", start}, {"NCYCR", 5.0}});
    const double top = crack(p), strain = top / kE;
    p.add(1e-3, 0);
    EXPECT_NEAR(p.s(0), 0, 1e-15);
    EXPECT_NEAR(p.s(1), -kNu * top, 1e-15) << "the strain along the crack is that of failure";
    // Free of stress along the crack, it closes where the strain across it is 0, or that at failure.
    p.add(0, kNu * strain);
    EXPECT_NEAR(p.s(1), 0, 1e-15);
    const double closes = start == 0 ? 0.0 : strain * (1 - kNu * kNu);
    p.add(closes - strain - 1e-3, 0);
    EXPECT_NEAR(p.s(0), 0, 1e-14);
    p.add(-1e-3, 0);
    EXPECT_NEAR(p.s(0), -kPlane * 1e-3, 1e-14);
    EXPECT_NEAR(p.s(1), -kNu * kPlane * 1e-3, 1e-14);
    p.add(2e-3, 0);
    EXPECT_NEAR(p.s(0), 0, 1e-14) << "and opens without a strength";
  }
}

// Across the first crack there is no stress, so the second opens at E e = FT, in y only.
TEST(Glass, SecondCracks) {
  Pane p({{"NCYCR", 4.0}});
  crack(p);
  const double before = p.s(1);
  p.add(0, (0.99 * kFt - before) / kE);
  p.wait(6);
  EXPECT_NEAR(p.s(1), 0.99 * kFt, 1e-14) << "whole";
  p.add(0, 0.02 * kFt / kE);
  EXPECT_NEAR(p.s(1), 1.01 * kFt, 1e-14);
  p.wait(2);
  EXPECT_NEAR(p.s(1), 0.505 * kFt, 1e-14);
  p.wait(10);
  EXPECT_NEAR(p.s(0), 0, 1e-15);
  EXPECT_NEAR(p.s(1), 0, 1e-15);
  EXPECT_FALSE(p.shell.point.failed) << "it still carries pressure";
  p.add(-0.01, -0.01);
  EXPECT_LT(p.s(0), -0.5);
  EXPECT_LT(p.s(1), -0.5);
}

// The crack is across the largest stress, turned by 30 degrees: no stress is left in that direction, and
// along it that of the strain there.
TEST(Glass, CracksOpenAcrossTheLargestStress) {
  const double angle = M_PI / 6, c = std::cos(angle), s = std::sin(angle);
  for (const int turned : {0, 1}) {  // the direction nearer to x, or nearer to y
    const double n[2] = {turned ? -s : c, turned ? c : s};
    Pane p({{"NCYCR", 3.0}});
    const double a = 1.05 * kFt / kE;
    const auto pull = [&](double e) {
      // e along n, -nu e across
      const double along = e, across = -kNu * e;
      p.add(along * n[0] * n[0] + across * n[1] * n[1], along * n[1] * n[1] + across * n[0] * n[0],
            2 * (along - across) * n[0] * n[1]);
    };
    const auto expect_open = [&](double e) {
      const double along = -kNu * kE * e;
      EXPECT_NEAR(p.s(0), along * n[1] * n[1], 1e-13) << turned;
      EXPECT_NEAR(p.s(1), along * n[0] * n[0], 1e-13) << turned;
      EXPECT_NEAR(p.s(3), -along * n[0] * n[1], 1e-13) << turned;
    };
    pull(a);
    EXPECT_NEAR(p.s(0) * n[0] * n[0] + p.s(1) * n[1] * n[1] + 2 * p.s(3) * n[0] * n[1], kE * a, 1e-14);
    p.wait(4);
    expect_open(a);
    pull(3e-3);
    expect_open(a + 3e-3);
  }
}

// The shear along a crack has SFSTI G, open or closed; the transverse shear across it loses the rest in its
// cycles, that beside it does not.
TEST(Glass, ShearOfCracks) {
  Pane p({{"SFSTI", 0.25}, {"SFSTR", 0.25}, {"NCYCR", 4.0}});
  const double lift[6] = {1.02 * kFt / kE, -kNu * 1.02 * kFt / kE, 0, 0, 2e-4, 3e-4};
  p.shell.step(lift);
  EXPECT_NEAR(p.s(4), kShear * 2e-4, 1e-15);
  p.wait(2);
  EXPECT_NEAR(p.s(4), kShear * 2e-4, 1e-15);
  EXPECT_NEAR(p.s(5), (1 - 0.75 / 2) * kShear * 3e-4, 1e-15);
  p.wait(3);
  EXPECT_NEAR(p.s(5), 0.25 * kShear * 3e-4, 1e-15);
  p.add(0, 0, 1e-3);
  EXPECT_NEAR(p.s(3), 0.25 * kShear * 1e-3, 1e-15);
  p.add(-5e-3, 0);
  EXPECT_NEAR(p.s(3), 0.25 * kShear * 1e-3, 1e-15) << "closed";
}

TEST(Glass, CrushedPointsFail) {
  Pane p({{"NCYCR", 4.0}});
  p.stress(0, -1.01 * kFc);
  for (int k = 1; k <= 4; ++k) {
    EXPECT_FALSE(p.shell.point.failed);
    p.wait(1);
    EXPECT_NEAR(p.s(1), -1.01 * kFc * (1 - k / 4.0), 1e-14);
  }
  EXPECT_TRUE(p.shell.point.failed);
  p.add(-0.01, -0.01);
  EXPECT_EQ(p.s(0), 0);
  // A cracked one, too.
  Pane q({{"NCYCR", 1.0}});
  crack(q);
  q.add(0, -1.02 * kFc / kE);
  EXPECT_LT(q.s(1), -kFc);
  q.wait(1);
  EXPECT_EQ(q.s(1), 0);
  EXPECT_TRUE(q.shell.point.failed);
}

TEST(Glass, PointsEndAtTheirStrain) {
  Pane p({{"EPSCR", 0.01}});
  crack(p);
  p.add(0.008 - 1.02 * kFt / kE, 0);  // effective strain about 1.15 times 0.008
  EXPECT_FALSE(p.shell.point.failed);
  p.add(0.001, 0);
  EXPECT_TRUE(p.shell.point.failed);
  Pane whole({{"EPSCR", 1e-6}});
  whole.stress(0.9 * kFt, 0);
  EXPECT_FALSE(whole.shell.point.failed) << "without a crack";
}

// A crack that opens and closes takes the energy of loading and no closed path gains any.
TEST(Glass, DissipatesInCycles) {
  for (const double start : {0.0, 1.0})
    for (const double left : {0.0, 0.15}) {
      Pane p({{"CRIN", start}, {"SFSTI", left}, {"SFSTR", left}, {"NCYCR", 20.0}});
      double work = 0, before[6] = {}, least = 0;
      const int n = 20000;
      for (int k = 0; k < n; ++k) {
        const double t0 = 4 * M_PI * k / n, t1 = 4 * M_PI * (k + 1) / n;
        const auto part = [&](double f, double size) { return size * (std::sin(f * t1) - std::sin(f * t0)); };
        const double d[6] = {part(3, 2e-3), part(2, 3e-3), 0, part(5, 1e-3), 0, 0};
        p.shell.step(d);
        for (int i : {0, 1, 3}) {
          work += 0.5 * (before[i] + p.s(i)) * d[i];
          before[i] = p.s(i);
        }
        least = std::min(least, work);
      }
      EXPECT_GT(least, -1e-7) << start << ' ' << left;
    }
}

// Equation (2) has one solution: small changes of strains change stresses little, for any states of cracks.
TEST(Glass, StressesAreContinuous) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> draw(-2e-3, 2e-3);
  for (int sample = 0; sample < 200; ++sample) {
    Pane p({{"SFSTI", 0.05}, {"SFSTR", 0.1}, {"NCYCR", 2.0}, {"CRIN", sample % 2 * 1.0}});
    crack(p);
    p.add(0, 1.5 * kFt / kE);
    p.wait(3);
    for (int k = 0; k < 20; ++k) {
      p.add(draw(engine), draw(engine));
      if (p.s(0) < -0.9 * kFc || p.s(1) < -0.9 * kFc) break;
      const double s[2] = {p.s(0), p.s(1)};
      p.add(1e-7, -1e-7);
      EXPECT_NEAR(p.s(0), s[0], 2 * kPlane * 2e-7);
      EXPECT_NEAR(p.s(1), s[1], 2 * kPlane * 2e-7);
    }
  }
}

TEST(Glass, ThicknessFollowsTheStress) {
  Pane p;
  double thickness = 0;
  const auto add = [&](double x, double y) {
    p.add(x, y);
    thickness += p.shell.point.d[2];
    EXPECT_NEAR(thickness, -kNu / kE * (p.s(0) + p.s(1)), 1e-15);
  };
  add(1.02 * kFt / kE, -kNu * 1.02 * kFt / kE);
  add(1e-3, 0);
  add(-4e-3, 1e-4);
}

TEST(Glass, RefusesWhatItCannotDo) {
  for (const char* field : {"FT", "FC", "E"}) EXPECT_THROW(prepare({}, pane({{field, 0.0}})), Error) << field;
  for (const double form : {1.0, 2.0, 10.0}) EXPECT_THROW(prepare({}, pane({{"IMOD", form}})), Error);
  for (const double form : {3.0, 10.0, 11.0, 12.0}) EXPECT_THROW(prepare({}, pane({{"FMOD", form}})), Error);
  EXPECT_THROW(prepare({}, pane({{"FT", -5.0}})), Error);
  EXPECT_THROW(prepare({}, pane({{"SFSTI", 1.0}})), Error);
  EXPECT_THROW(prepare({}, pane({{"SFSTR", -0.1}})), Error);
  EXPECT_THROW(prepare({}, pane({{"CRIN", 2.0}})), Error);
}

model::Material laminated(double layer) {
  return material(32, {{"EG", 70.0},
                       {"PRG", 0.22},
                       {"SYG", 0.06},
                       {"ETG", 1.0},
                       {"EFG", 1e-3},
                       {"EP", 0.3},
                       {"PRP", 0.4},
                       {"SYP", 0.01},
                       {"ETP", 0.02},
                       {"F2", 1.0},
                       {"F", layer}});
}

// Pure shear of both: bilinear, unloading elastic; glass ends at EFG, polymer never.
TEST(LaminatedGlass, GlassBreaksAndPolymerDoesNot) {
  const Prepared glass = prepare({}, laminated(0)), polymer = prepare({}, laminated(1));
  EXPECT_EQ(glass.elastic.young, 70.0);
  EXPECT_EQ(polymer.elastic.young, 0.3);
  EXPECT_EQ(glass.n_history, 0);
  Shell<double> pane(glass), film(polymer);
  // Pure shear has a closed form: tau = SY / sqrt 3 + slope.
  const auto shear = [](double g, double yield, double modulus, double gamma) {
    const double k = yield / std::sqrt(3.0), first = k / g;
    return gamma < first ? g * gamma : k + (gamma - first) * g * (modulus / 3) / (g + modulus / 3);
  };
  const double g = 70.0 / 2.44, h = 0.3 / 2.8;
  for (int k = 1; k <= 20; ++k) {
    pane.step({0, 0, 0, 1e-4, 0, 0});
    EXPECT_NEAR(pane.point.s[3], shear(g, 0.06, 1.0, k * 1e-4), 1e-10) << k;
  }
  EXPECT_FALSE(pane.point.failed);
  while (!pane.point.failed && pane.point.plastic_strain < 0.01) pane.step({0, 0, 0, 1e-4, 0, 0});
  EXPECT_NEAR(pane.point.plastic_strain, 1e-3, 1e-4);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(pane.point.s[k], 0) << k;
  pane.step({-0.01, -0.01, 0, 0, 0, 0});
  EXPECT_EQ(pane.point.s[0], 0) << "no pressure";
  for (int k = 1; k <= 200; ++k) {
    film.step({0, 0, 0, 1e-2, 0, 0});
    EXPECT_NEAR(film.point.s[3], shear(h, 0.01, 0.02, k * 1e-2), 1e-10) << k;
  }
  EXPECT_FALSE(film.point.failed);
  film.step({0, 0, 0, -1e-2, 0, 0});
  EXPECT_NEAR(film.point.s[3], shear(h, 0.01, 0.02, 2.0) - h * 1e-2, 1e-10);
}

TEST(LaminatedGlass, RefusesWhatItCannotDo) {
  for (const char* field : {"EG", "SYG", "EFG"})
    EXPECT_THROW(prepare({}, with_fields(laminated(0), {{field, 0.0}})), Error) << field;
  for (const char* field : {"EP", "SYP"})
    EXPECT_THROW(prepare({}, with_fields(laminated(1), {{field, 0.0}})), Error) << field;
  EXPECT_THROW(prepare({}, with_fields(laminated(0), {{"F7", 0.5}})), Error);
  EXPECT_NO_THROW(prepare({}, with_fields(laminated(0), {{"EP", 0.0}}))) << "glass only";
}

}  // namespace
}  // namespace crumple::materials
