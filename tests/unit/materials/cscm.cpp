// MAT_159: meridians, strengths in tension and compression, the cap, fracture energies in elements of any
// size, rates, recovery and erosion against closed forms; the published fits.
#include "materials/concrete/cscm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kThird = 1.0 / 3;

/// Concrete of 30 MPa with an aggregate of 19 mm, in MPa, mm and s.
model::Material concrete(Fields fields = {}) {
  return with_fields(
      material(159, {{"CONCRETE", 1.0}, {"FPC", 30.0}, {"DAGG", 19.0}, {"UNITS", 2.0}, {"ERODE", 0.0}}),
      fields);
}
const CscmLaw& law_of(const Prepared& p) { return *static_cast<const CscmLaw*>(p.law.parameters); }

/// A point of an element of a size.
class Concrete {
 public:
  explicit Concrete(const Prepared& prepared, double size = 10) : prepared_(prepared), point_(prepared) {
    point_.point.history.h[CscmLaw::kSize] = size;
  }
  void step(const double (&d)[6], double dt = 1) { point_.step(d, dt); }
  /// The axial strain increment of a step whose lateral stress is `lateral`, found by the secant method.
  void press(double axial, double lateral = 0, double dt = 1) {
    double low = last_lateral_, high = low + 1e-7;
    double f_low = lateral_stress(axial, low, dt) - lateral,
           f_high = lateral_stress(axial, high, dt) - lateral;
    for (int k = 0; k < 40 && std::abs(f_high) > 1e-7 && f_high != f_low; ++k) {
      const double next = high - f_high * (high - low) / (f_high - f_low);
      low = high, f_low = f_high, high = next;
      f_high = lateral_stress(axial, high, dt) - lateral;
    }
    last_lateral_ = high;
    step({axial, high, high, 0, 0, 0}, dt);
  }
  double stress(int k = 0) const { return point_.point.s[k]; }
  double mean() const { return kThird * (stress(0) + stress(1) + stress(2)); }
  double kept(CscmLaw::Variable k) const { return point_.point.history.load<double>(k); }
  bool failed() const { return point_.point.failed; }
  double plastic_strain() const { return point_.point.plastic_strain; }

 private:
  double lateral_stress(double axial, double lateral, double dt) const {
    Solid<double> trial(prepared_);
    trial.copy_history(point_);
    for (int k = 0; k < 6; ++k) trial.point.s[k] = point_.point.s[k];
    trial.point.plastic_strain = point_.point.plastic_strain;
    trial.step({axial, lateral, lateral, 0, 0, 0}, dt);
    return trial.point.s[1];
  }
  const Prepared& prepared_;
  Solid<double> point_;
  double last_lateral_ = 0;
};

/// The surface in triaxial compression and on the ray of uniaxial tension, written out.
double compression_meridian(const CscmLaw& law, double i) {
  const CapMeridian& m = law.surface.compression;
  return m.alpha - m.lambda * std::exp(-m.beta * i) + m.theta * i;
}
double with_cap(const CscmLaw& law, double i) {
  const double edge = law.surface.first_edge, q = std::max(i - edge, 0.0) / (law.surface.first_cap - edge);
  return compression_meridian(law, i) * std::sqrt(1 - q * q);
}
/// The strength f for which `excess` is 0.
template <class F>
double root_between(double low, double high, F excess) {
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (excess(middle) < 0 ? low : high) = middle;
  }
  return low;
}
double compressive_strength(const CscmLaw& law) {
  return root_between(0, law.surface.first_cap - 1,
                      [&](double f) { return f / std::sqrt(3.0) - with_cap(law, f); });
}
double tensile_strength(const CscmLaw& law) {
  return root_between(0, -law.surface.tip,
                      [&](double f) { return f / std::sqrt(3.0) - 0.5 * compression_meridian(law, -f); });
}

TEST(Cscm, RubinsFunctionHasItsStrengthsInTorsionAndExtension) {
  const double sixth = std::numbers::pi / 6;
  for (const auto& ratios :
       {std::pair(0.6, 0.55), std::pair(0.57735026918962576, 0.5), std::pair(0.8, 0.7)}) {
    const double q1 = ratios.first, q2 = ratios.second;
    const auto at = [&](double b) {
      return rubin(Sloped<double>{q1, 0.0}, Sloped<double>{q2, 0.0}, std::sin(b), std::cos(b)).at;
    };
    EXPECT_NEAR(at(sixth), 1, 1e-12);
    EXPECT_NEAR(at(0), q1, 1e-12);
    EXPECT_NEAR(at(-sixth), q2, 1e-12);
  }
}

TEST(Cscm, SlopesOfTheSurfaceAreThoseOfDifferences) {
  const Prepared prepared = prepare({}, concrete());
  const CapSurface& s = law_of(prepared).surface;
  const DeviatorAngle<double> angle{std::sin(0.2), std::cos(0.2)};
  const double step = 1e-4;
  for (double i : {-5.0, 2.0, 15.0, 40.0, 80.0, 120.0}) {
    const auto radius = cap_radius(s, i, s.first_edge, angle);
    const auto by_i = [&](double h) { return cap_radius(s, i + h, s.first_edge, angle).square; };
    const auto by_edge = [&](double h) { return cap_radius(s, i, s.first_edge + h, angle).square; };
    EXPECT_NEAR(radius.by_i, (by_i(step) - by_i(-step)) / (2 * step), 1e-4) << i;
    EXPECT_NEAR(radius.by_edge, (by_edge(step) - by_edge(-step)) / (2 * step), 1e-4) << i;
  }
}

TEST(Cscm, FitsHaveTheStrengthThatWasAskedFor) {
  for (double f : {28.0, 30.0, 35.0, 40.0, 46.0, 52.0, 58.0}) {
    const Prepared prepared = prepare({}, concrete({{"FPC", f}}));
    EXPECT_NEAR(compressive_strength(law_of(prepared)), f, 0.07 * f) << f;
    EXPECT_NEAR(tensile_strength(law_of(prepared)), 0.08 * f, 0.03 * f) << f;
  }
}

TEST(Cscm, FitsAreTheSameInAllUnits) {
  const Prepared mpa = prepare({}, concrete());
  const double psi = 145.037738, inch = 25.4;
  const Prepared imperial = prepare({}, concrete({{"FPC", 30 * psi}, {"DAGG", 19 / inch}, {"UNITS", 3.0}}));
  const CscmLaw &a = law_of(mpa), &b = law_of(imperial);
  EXPECT_NEAR(b.elastic.young, a.elastic.young * psi, 1e-6 * b.elastic.young);
  EXPECT_NEAR(compressive_strength(b), compressive_strength(a) * psi, 1e-6 * compressive_strength(b));
  EXPECT_NEAR(b.brittle.energy, a.brittle.energy * psi / inch, 1e-9 * b.brittle.energy);
  const Prepared milliseconds = prepare({}, concrete({{"UNITS", 1.0}}));
  const auto over = [](const CscmLaw& law, double rate) {
    return law.elastic.young * law.brittle.eta * std::pow(rate, 1 - law.brittle.exponent);
  };
  EXPECT_NEAR(over(law_of(milliseconds), 1e-3), over(a, 1.0), 1e-9);
  // Blank fields: 30 MPa and 19 mm, here in GPa
  const Prepared blank = prepare({}, concrete({{"FPC", 0.0}, {"DAGG", 0.0}, {"UNITS", 0.0}}));
  EXPECT_NEAR(law_of(blank).surface.scale, 1e-3 * a.surface.scale, 1e-9);
  EXPECT_NEAR(law_of(blank).ductile.energy, 1e-3 * a.ductile.energy, 1e-9);
}

TEST(Cscm, PeaksAreTheStrengthsOfTheSurface) {
  const Prepared prepared = prepare({}, concrete());
  Concrete pressed(prepared), pulled(prepared);
  double least = 0, most = 0;
  for (int k = 0; k < 400; ++k) {
    pressed.press(-1e-5);
    pulled.press(5e-7);
    least = std::min(least, pressed.stress());
    most = std::max(most, pulled.stress());
  }
  EXPECT_NEAR(-least, compressive_strength(law_of(prepared)), 0.01 * 30);
  EXPECT_NEAR(most, tensile_strength(law_of(prepared)), 0.02 * 2.4);
}

TEST(Cscm, ConfinedCompressionEndsOnTheMeridian) {
  const Prepared prepared = prepare({}, concrete());
  const CscmLaw& law = law_of(prepared);
  Concrete confined(prepared, 0);  // without damage
  const double lateral = -5;
  for (int k = 0; k < 33; ++k) confined.step({-4e-6, -4e-6, -4e-6, 0, 0, 0});
  for (int k = 0; k < 800; ++k) confined.press(-1e-5, lateral);
  const double i = -3 * confined.mean(),
               r = std::abs(confined.stress(0) - confined.stress(1)) / std::sqrt(3.0);
  ASSERT_NEAR(confined.stress(1), lateral, 1e-3);
  const double edge = law.surface.first_edge + confined.kept(CscmLaw::kEdge);
  const double end = edge + law.surface.ratio * compression_meridian(law, edge);
  const double q = std::max(i - edge, 0.0) / (end - edge);
  EXPECT_NEAR(r, compression_meridian(law, i) * std::sqrt(1 - q * q), 1e-4 * r);
  EXPECT_GT(-confined.stress(), 40);
}

TEST(Cscm, ShearAndExtensionEndOnTheirMeridians) {
  const Prepared prepared = prepare({}, concrete());
  const CscmLaw& law = law_of(prepared);
  const auto ratio = [](const CapMeridian& m, double i) {
    return m.alpha - m.lambda * std::exp(-m.beta * i) + m.theta * i;
  };
  Concrete sheared(prepared, 0), extended(prepared, 0);  // without damage
  for (int k = 0; k < 20; ++k) {
    sheared.step({-5e-6, -5e-6, -5e-6, 0, 0, 0});
    extended.step({-1e-5, -1e-5, -1e-5, 0, 0, 0});
  }
  for (int k = 0; k < 200; ++k) {
    sheared.step({0, 0, 0, 1e-5, 0, 0});
    extended.step({1e-5, -5e-6, -5e-6, 0, 0, 0});
    for (const bool shear : {true, false}) {
      const Concrete& point = shear ? sheared : extended;
      const double i = -3 * point.mean();
      const double r = shear ? point.stress(3) : (point.stress(0) - point.stress(1)) / std::sqrt(3.0);
      const double edge = law.surface.first_edge + point.kept(CscmLaw::kEdge);
      const double end = edge + law.surface.ratio * compression_meridian(law, edge);
      const double q = std::max(i - edge, 0.0) / (end - edge);
      const double most = compression_meridian(law, i) * std::sqrt(1 - q * q) *
                          ratio(shear ? law.surface.torsion : law.surface.extension, i);
      ASSERT_LE(r, most * (1 + 1e-6)) << k << ' ' << shear;
      if (k > 100) {
        ASSERT_NEAR(r, most, 1e-6 * most) << k << ' ' << shear;
      }
    }
  }
  EXPECT_GT(sheared.plastic_strain(), 1e-4);
  EXPECT_GT(extended.plastic_strain(), 1e-4);
}

TEST(Cscm, HydrostaticCompressionFollowsTheCrushCurve) {
  const Prepared prepared = prepare({}, concrete());
  const CscmLaw& law = law_of(prepared);
  Concrete crushed(prepared);
  double strain = 0;
  for (int k = 0; k < 2000; ++k) {
    crushed.step({-1e-5, -1e-5, -1e-5, 0, 0, 0});
    strain += 3e-5;
    const double i = -3 * crushed.mean(), beyond = std::max(i - law.surface.first_cap, 0.0);
    const double compaction = law.surface.most_compaction *
                              (1 - std::exp(-law.surface.d1 * beyond - law.surface.d2 * beyond * beyond));
    ASSERT_NEAR(strain, i / (3 * law.bulk) + compaction, 1e-7) << k;
  }
  EXPECT_GT(-crushed.mean(), 100);
  // Unloading is elastic, and loading comes back to the same pressure.
  const double before = crushed.mean();
  crushed.step({1e-3, 1e-3, 1e-3, 0, 0, 0});
  EXPECT_NEAR(crushed.mean() - before, 3e-3 * law.bulk, 1e-6);
  crushed.step({-1e-3, -1e-3, -1e-3, 0, 0, 0});
  EXPECT_NEAR(crushed.mean(), before, 1e-6);
}

TEST(Cscm, HydrostaticTensionEndsAtTheTip) {
  const Prepared prepared = prepare({}, concrete());
  Concrete torn(prepared, 0);
  for (int k = 0; k < 200; ++k) torn.step({1e-6, 1e-6, 1e-6, 0, 0, 0});
  EXPECT_NEAR(3 * torn.mean(), -law_of(prepared).surface.tip, 1e-3);
}

/// Work of a bar of one element beyond its peak stress, until it has the damage `last`; `step` < 0 presses.
double softening_energy(const Prepared& prepared, double size, double step, double last) {
  Concrete bar(prepared, size);
  double work = 0, peak = 0, at_peak = 0;
  for (int k = 0; k < 400'000 && bar.kept(CscmLaw::kDamage) < last; ++k) {
    const double before = bar.stress();
    bar.press(step);
    work += 0.5 * (before + bar.stress()) * step * size;
    if (std::abs(bar.stress()) > peak) peak = std::abs(bar.stress()), at_peak = work;
  }
  return work - at_peak;
}

TEST(Cscm, ElementsOfAnySizeDissipateTheFractureEnergyInTension) {
  const Prepared prepared = prepare({}, concrete());
  const double energy = law_of(prepared).brittle.energy;
  EXPECT_NEAR(energy, 0.0721, 1e-3);
  for (double size : {5.0, 20.0, 80.0})
    EXPECT_NEAR(softening_energy(prepared, size, 2e-6, 0.995), energy, 0.03 * energy) << size;
}

TEST(Cscm, ElementsOfAnySizeDissipateTheFractureEnergyInCompression) {
  const Prepared prepared = prepare({}, concrete());
  const double energy = law_of(prepared).ductile.energy;
  for (double size : {10.0, 40.0})
    EXPECT_NEAR(softening_energy(prepared, size, -5e-4 / size, 0.99), energy, 0.05 * energy) << size;
}

TEST(Cscm, RatesRaiseTheStrengthByTheOverstress) {
  const Prepared prepared = prepare({}, concrete({{"IRATE", 1.0}})), slow = prepare({}, concrete());
  const CscmLaw& law = law_of(prepared);
  for (double rate : {1.0, 10.0}) {
    Concrete fast(prepared, 0), still(slow, 0);  // without damage
    const double step = 2e-7;
    for (int k = 0; k < 4000; ++k) {
      fast.press(step, 0, step / rate);
      still.press(step, 0, step / rate);
    }
    // Axial, lateral and so effective rate of flow on the surface
    const double over = fast.stress() - still.stress();
    const double limit =
        std::min(law.elastic.young * law.brittle.eta * std::pow(rate, 1 - law.brittle.exponent),
                 law.brittle.most_over);
    EXPECT_GT(over, 0.6 * limit) << rate;
    EXPECT_LT(over, 1.3 * limit) << rate;
  }
}

TEST(Cscm, StiffnessRecoversInCompressionByRecov) {
  for (double recov : {0.0, 0.4, 1.0}) {
    const Prepared prepared = prepare({}, concrete({{"RECOV", recov}}));
    const CscmLaw& law = law_of(prepared);
    Concrete cracked(prepared);
    while (cracked.kept(CscmLaw::kBrittle) < 0.5) cracked.press(1e-6);
    const double damage = cracked.kept(CscmLaw::kBrittle);
    while (cracked.stress() > -1) cracked.press(-1e-6);
    const double before = cracked.stress();
    cracked.press(-1e-6);
    EXPECT_NEAR((before - cracked.stress()) / 1e-6, law.elastic.young * (1 - recov * damage),
                1e-3 * law.elastic.young)
        << recov;
    EXPECT_EQ(cracked.kept(CscmLaw::kBrittle), damage);
  }
}

TEST(Cscm, UnloadingOfCrackedConcreteHasTheDamagedStiffness) {
  const Prepared prepared = prepare({}, concrete());
  const CscmLaw& law = law_of(prepared);
  Concrete cracked(prepared);
  while (cracked.kept(CscmLaw::kBrittle) < 0.6) cracked.press(1e-6);
  const double damage = cracked.kept(CscmLaw::kBrittle), before = cracked.stress();
  cracked.press(-1e-7);
  EXPECT_NEAR((before - cracked.stress()) / 1e-7, law.elastic.young * (1 - damage), 1e-3 * law.elastic.young);
}

TEST(Cscm, PointsFailByDamageAndStrain) {
  const Prepared by_damage = prepare({}, concrete({{"ERODE", 1.0}}));
  const Prepared by_strain = prepare({}, concrete({{"ERODE", 1.05}})), never_fails = prepare({}, concrete());
  Concrete a(by_damage), b(by_strain), c(never_fails);
  for (int k = 0; k < 400; ++k) {
    a.press(1e-4), b.press(1e-4), c.press(1e-4);
    EXPECT_FALSE(b.failed()) << k;
  }
  EXPECT_TRUE(a.failed());
  EXPECT_EQ(a.stress(), 0);
  for (int k = 0; k < 120; ++k) b.press(1e-4);
  EXPECT_TRUE(b.failed());
  EXPECT_FALSE(c.failed());
}

TEST(Cscm, WhatIsNotSupportedIsRefusedByName) {
  const auto id_of = [](const model::Material& m) {
    try {
      prepare({}, m);
    } catch (const Error& error) {
      return error.id();
    }
    return std::string();
  };
  EXPECT_EQ(id_of(concrete()), "");
  EXPECT_EQ(id_of(concrete({{"PRED", 0.2}})), "CR-M105");
  EXPECT_EQ(id_of(concrete({{"NH", 0.7}, {"CH", 100.0}})), "CR-M105");
  EXPECT_EQ(id_of(concrete({{"NH", 1.0}})), "");
  EXPECT_EQ(id_of(concrete({{"FPC", 80.0}})), "CR-M108");
  EXPECT_EQ(id_of(concrete({{"DAGG", 60.0}})), "CR-M108");
  EXPECT_EQ(id_of(concrete({{"UNITS", 5.0}})), "CR-M108");
  EXPECT_EQ(id_of(concrete({{"RECOV", 3.0}})), "CR-M108");
  EXPECT_EQ(id_of(material(159, {})), "CR-M103");
}

}  // namespace
}  // namespace crumple::materials
