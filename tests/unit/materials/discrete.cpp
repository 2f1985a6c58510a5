// Springs and dampers: force over elongation and velocity, there and back.
#include "unit/every_law.hpp"
//
#include <gtest/gtest.h>

#include "materials/discrete/spring_state.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

/// A discrete law and what it remembers.
class Spring {
 public:
  Spring(int law, std::map<std::string, double> fields) {
    model::Model m;
    m.curves = {curve(5, {-2, 0, 1, 2}, {-4, 0, 3, 4}), curve(6, {-10, 0, 10}, {2, 1, 3}),
                curve(7, {0, 0}, {0, 1}), curve(8, {0}, {1}), curve(4, {0, 1, 2}, {0, 3, 4})};
    m.tables = {{50, {0.0, 1.0}, {0, 0}}};
    model::Material material;
    material.law = law;
    material.fields = std::move(fields);
    prepared_ = prepare(m, material);
  }
  double force(double d, double v = 0, double dt = 0, double length = 0) {
    state_.time += state_.dt = dt;
    state_.length = length;
    update_here(prepared_.law, d, v, state_);
    return state_.force;
  }

 private:
  Prepared prepared_;
  SpringState state_;
};

void expect_refused(int law, std::map<std::string, double> fields, const std::string& id) try {
  Spring(law, std::move(fields));
  ADD_FAILURE() << "not refused: " << id;
} catch (const Error& error) {
  EXPECT_EQ(error.id(), id);
}

TEST(Discrete, SpringAndDamper) {
  EXPECT_DOUBLE_EQ(Spring(1001, {{"K", 3.0}}).force(0.2, 7), 0.6);
  EXPECT_DOUBLE_EQ(Spring(1002, {{"DC", 0.5}}).force(0.2, -7), -3.5);
}

/// Stretched at a constant rate r, then held: q = (K0 - KI) r (1 - exp(-b t)) / b, then it relaxes.
TEST(Discrete, MaxwellSpringRelaxesFromWhenItMoves) {
  const double k0 = 5, ki = 2, b = 3, rate = 0.4, dt = 0.05;
  Spring s(1007, {{"K0", k0}, {"KI", ki}, {"BETA", b}});
  double d = 0, t = 0;
  for (int n = 0; n < 7; ++n) EXPECT_EQ(s.force(0, 0, dt), 0) << "nothing relaxes before it moves";
  for (int n = 0; n < 40; ++n) {
    d += rate * dt, t += dt;
    EXPECT_NEAR(s.force(d, rate, dt), ki * d + (k0 - ki) * rate * (1 - std::exp(-b * t)) / b, 1e-12);
  }
  const double q = (k0 - ki) * rate * (1 - std::exp(-b * t)) / b;
  for (int n = 1; n <= 40; ++n) EXPECT_NEAR(s.force(d, 0, dt), ki * d + q * std::exp(-b * n * dt), 1e-12);
}

TEST(Discrete, MaxwellSpringByTimeAndItsEnd) {
  Spring s(1007, {{"K0", 5.0}, {"KI", 2.0}, {"BETA", 3.0}, {"COPT", 1.0}, {"TC", 1.0}, {"FC", 0.3}});
  EXPECT_NEAR(s.force(0.2, 0, 0.5), (2 + 3 * std::exp(-1.5)) * 0.2, 1e-14);
  EXPECT_NEAR(s.force(-0.2, 0, 0.5), -(2 + 3 * std::exp(-3.0)) * 0.2, 1e-14);
  EXPECT_DOUBLE_EQ(s.force(-0.2, 0, 0.1), 0.3);
  expect_refused(1007, {{"KI", 2.0}}, "CR-M103");
  expect_refused(1007, {{"K0", 2.0}, {"BETA", -1.0}}, "CR-M108");
}

/// FMAX (a TL(L) TV(V) + FPE(L)); curve 4 rises from 0 at 0 to 3 at 1, curve 6 from 1 at 0 to 3 at 10.
TEST(Discrete, MuscleByLengthRateAndActivation) {
  const std::map<std::string, double> fields{{"L0", 2.0},  {"VMAX", 4.0}, {"A", 0.5},  {"FMAX", 10.0},
                                             {"TL", -4.0}, {"TV", -6.0},  {"FPE", 1.0}};
  Spring s(1015, fields);
  EXPECT_NEAR(s.force(-1.0), 10 * 0.5 * 1.5, 1e-12);               // to ground: L = (2 - 1) / 2
  EXPECT_NEAR(s.force(0.4, 0, 0, 0.6), 10 * 0.5 * 1.5, 1e-12);     // L = (0.6 + 0.4) / 2
  EXPECT_NEAR(s.force(-1.0, 8.0), 10 * 0.5 * 1.5 * 1.4, 1e-12);    // V = 2
  EXPECT_NEAR(s.force(-1.0, -20.0), 10 * 0.5 * 1.5 * 1.5, 1e-12);  // V = -5 of a curve that is 2 at -10
  auto active = fields;
  active["A"] = -4.0;  // a(t) = 3 t up to 1
  Spring wakes(1015, active);
  EXPECT_NEAR(wakes.force(-1.0, 0, 0.2), 10 * 0.6 * 1.5, 1e-12);
  active = fields;
  active["SV"] = -6.0;  // 1.1 at a = 0.5
  EXPECT_NEAR(Spring(1015, active).force(-1.0, 8.0), 10 * 0.5 * 1.5 * (1 + 0.2 * 2 / 1.1), 1e-12);
  expect_refused(1015, {{"L0", 2.0}, {"FMAX", 1.0}, {"TL", -5.0}}, "CR-M107");  // negative values
  expect_refused(1015, {{"FMAX", 1.0}, {"LMAX", 1.0}}, "CR-M103");
  expect_refused(1015, {{"L0", 2.0}, {"FMAX", 1.0}}, "CR-M103");                               // LMAX
  expect_refused(1015, {{"L0", 2.0}, {"FMAX", 1.0}, {"LMAX", 0.5}, {"TV", -6.0}}, "CR-M103");  // VMAX
}

TEST(Discrete, PassiveMuscleIsFullAtItsStrain) {
  Spring s(1015, {{"L0", 2.0}, {"FMAX", 10.0}, {"LMAX", 0.5}, {"KSH", 4.0}});
  EXPECT_EQ(s.force(-0.3), 0);
  EXPECT_NEAR(s.force(1.0), 10, 1e-12);  // L = 1.5
  EXPECT_NEAR(s.force(0.5), 10 * (std::exp(2.0) - 1) / (std::exp(4.0) - 1), 1e-12);
  EXPECT_NEAR(Spring(1015, {{"L0", 2.0}, {"FMAX", 10.0}, {"LMAX", 0.5}}).force(0.5), 5, 1e-12);
}

/// The curve rises with slope 3, then 1; unloading by KU 6.
TEST(Discrete, InelasticUnloadsStifflyToAPermanentElongation) {
  for (const double side : {1.0, -1.0}) {
    Spring s(1008, {{"LCFD", 4.0}, {"KU", 6.0}, {"CTF", -side}});
    const auto force = [&](double u) { return side * s.force(side * u); };
    EXPECT_DOUBLE_EQ(force(-1), 0);
    EXPECT_DOUBLE_EQ(force(0.5), 1.5);
    EXPECT_DOUBLE_EQ(force(1.5), 3.5);
    EXPECT_NEAR(force(1.2), 3.5 - 6 * 0.3, 1e-12);
    EXPECT_DOUBLE_EQ(force(0.9), 0);  // permanent: 1.5 - 3.5 / 6
    EXPECT_NEAR(force(1.1), 3.5 - 6 * 0.4, 1e-12);
    EXPECT_DOUBLE_EQ(force(1.8), 3.8);
    EXPECT_DOUBLE_EQ(force(-0.3), 0);
  }
  Spring least(1008, {{"LCFD", 4.0}, {"KU", 1.0}});  // at least the slope of the curve
  least.force(-1.5);
  EXPECT_NEAR(least.force(-1.2), -(3.5 - 3 * 0.3), 1e-12);
  expect_refused(1008, {{"LCFD", 5.0}}, "CR-M107");
  expect_refused(1008, {{"LCFD", 4.0}, {"CTF", 3.0}}, "CR-M108");
}

TEST(Discrete, ElastoplasticFollowsItsTangentAndHardensBothWays) {
  // K 10, KT 2, FY 1: yields at 0.1; at 0.6 the force is 1 + 2 * 0.5 = 2. Back over twice 2 / 10.
  for (const int steps : {1, 7, 100}) {
    Spring s(1003, {{"K", 10.0}, {"KT", 2.0}, {"FY", 1.0}});
    auto go = [&, at = 0.0](double to) mutable {
      double force = 0;
      for (int k = 1; k <= steps; ++k) force = s.force(at + (to - at) * k / steps);
      at = to;
      return force;
    };
    EXPECT_NEAR(go(0.05), 0.5, 1e-14);
    EXPECT_NEAR(go(0.6), 2.0, 1e-13);
    EXPECT_NEAR(go(0.5), 1.0, 1e-13);
    EXPECT_NEAR(go(0.2), -2.0, 1e-13);
    EXPECT_NEAR(go(0.1), -2.2, 1e-13);
    EXPECT_NEAR(go(0.6), 2.2 + 2 * (0.5 - 0.44), 1e-13);
  }
}

TEST(Discrete, PerfectPlasticityStaysAtTheYieldForce) {
  Spring s(1003, {{"K", 10.0}, {"FY", 1.0}});
  EXPECT_NEAR(s.force(5), 1, 1e-14);
  EXPECT_NEAR(s.force(-5), -1, 1e-14);
}

TEST(Discrete, NonlinearSpringFollowsItsCurveAndItsScale) {
  Spring bare(1004, {{"LCD", 5.0}}), scaled(1004, {{"LCD", 5.0}, {"LCR", 6.0}});
  for (const auto& [d, force] : {std::pair{-1.0, -2.0}, {0.0, 0.0}, {0.5, 1.5}, {1.0, 3.0}, {1.5, 3.5}}) {
    EXPECT_DOUBLE_EQ(bare.force(d, 100), force);
    EXPECT_DOUBLE_EQ(scaled.force(d, 0), force);
    EXPECT_DOUBLE_EQ(scaled.force(d, 5), 2 * force);
  }
  EXPECT_DOUBLE_EQ(bare.force(4), 6);  // straight on
  EXPECT_DOUBLE_EQ(bare.force(-4), -8);
  EXPECT_DOUBLE_EQ(scaled.force(1, 1000), 9);  // constant
  EXPECT_DOUBLE_EQ(scaled.force(1, -1000), 6);
}

TEST(Discrete, NonlinearDamperFollowsItsCurve) {
  Spring s(1005, {{"LCDR", 5.0}});
  EXPECT_DOUBLE_EQ(s.force(9, 0.5), 1.5);
  EXPECT_DOUBLE_EQ(s.force(9, -1), -2);
  EXPECT_DOUBLE_EQ(s.force(9, 3), 5);
}

TEST(Discrete, RefusesWhatItCannotUse) {
  expect_refused(1001, {{"K", -1.0}}, "CR-M108");
  expect_refused(1003, {{"K", 0.0}, {"FY", 1.0}}, "CR-M103");
  expect_refused(1003, {{"K", 1.0}, {"FY", 0.0}}, "CR-M103");
  expect_refused(1003, {{"K", 1.0}, {"FY", 1.0}, {"KT", 1.0}}, "CR-M108");
  expect_refused(1004, {{"LCD", 9.0}}, "CR-M106");
  expect_refused(1004, {{"LCD", 50.0}}, "CR-M105");
  expect_refused(1005, {{"LCDR", 7.0}}, "CR-M107");
  expect_refused(1005, {{"LCDR", 8.0}}, "CR-M107");
}

/// Loading curve 9: stiffness 10 to +-1, then 2; unloading curve 10: stiffness 10. Softening curve 11: 10 up
/// to 1, then down by 2 a unit.
class GeneralSpring {
 public:
  GeneralSpring(double beta, double tension, double compression, GlobalId loading = 9,
                GlobalId unloading = 10) {
    model::Model m;
    m.curves = {curve(9, {-2, -0.1, 0, 0.1, 2}, {-4.8, -1, 0, 1, 4.8}), curve(10, {-1, 0, 1}, {-10, 0, 10}),
                curve(11, {-1.1, -0.1, 0, 0.1, 1.1}, {1, -1, 0, 1, -1}), curve(12, {-1, 0, 1}, {-1, 0, 1}),
                curve(13, {-1, 0, 1}, {-8, 1, 8})};
    model::Material material;
    material.law = 1006;
    material.fields = {{"LCDL", double(loading)},
                       {"LCDU", double(unloading)},
                       {"BETA", beta},
                       {"TYI", tension},
                       {"CYI", compression}};
    prepared_ = prepare(m, material);
  }
  /// To `d` in steps; the force there.
  double go(double d, int steps = 50) {
    for (int k = 1; k <= steps; ++k) update_here(prepared_.law, at_ + (d - at_) * k / steps, 0, state_);
    at_ = d;
    return state_.force;
  }

 private:
  Prepared prepared_;
  DiscreteState state_;
  double at_ = 0;
};

TEST(Discrete, GeneralSpringFollowsItsLoadingCurveWhenOnlyPulledOrPushed) {
  for (const double beta : {0.0, 1.0, 0.5})
    for (const int sign : {1, -1}) {
      GeneralSpring s(beta, 1, -1);
      EXPECT_NEAR(s.go(0.06 * sign), 0.6 * sign, 1e-9);
      EXPECT_NEAR(s.go(0.6 * sign), 2.0 * sign, 1e-9);
      EXPECT_NEAR(s.go(3.0 * sign), 6.8 * sign, 1e-9) << "straight on beyond the end";
    }
}

TEST(Discrete, GeneralSpringUnloadsAlongTheUnloadingCurveAndComesBack) {
  // Pulled to 0.6 (force 2, of which 0.2 elastic): 0.4 stay.
  for (const double beta : {0.0, 1.0, 0.5}) {
    GeneralSpring s(beta, 1, -1);
    s.go(0.6);
    EXPECT_NEAR(s.go(0.5), 1.0, 1e-9);
    EXPECT_NEAR(s.go(0.4), 0.0, 1e-9);
    EXPECT_NEAR(s.go(0.6), 2.0, 1e-9);
    EXPECT_NEAR(s.go(1.1), 3.0, 1e-9) << "on along the loading curve";
  }
}

TEST(Discrete, GeneralSpringHardensAsBetaSays) {
  // After the pull to a force of 2, pushed back: flow begins at -1 (each side by itself), -2 (isotropic) and
  // 0 (kinematic: 2 below), and goes on at the tangent 2; half a unit further on.
  struct Case {
    double beta, at_yield, force;
  };
  for (const Case& c : {Case{0, 0.3, -1.0}, Case{1, 0.2, -2.0}, Case{0.5, 0.4, 0.0}}) {
    GeneralSpring s(c.beta, 1, -1);
    s.go(0.6);
    EXPECT_NEAR(s.go(c.at_yield), c.force, 1e-9) << c.beta;
    EXPECT_NEAR(s.go(c.at_yield - 0.5), c.force - 1.0, 1e-9) << c.beta;
  }
}

TEST(Discrete, GeneralSpringSoftens) {
  GeneralSpring s(0, 0, 0, 11);
  EXPECT_NEAR(s.go(0.1), 1.0, 1e-9);
  EXPECT_NEAR(s.go(0.35), 0.5, 1e-9);  // of which 0.05 elastic: 0.3 stay
  EXPECT_NEAR(s.go(0.3), 0.0, 1e-9);
  EXPECT_NEAR(s.go(0.2), -1.0, 1e-9) << "compression has not softened";
  EXPECT_NEAR(s.go(-0.05), -0.5, 1e-9) << "now it has";
}

TEST(Discrete, GeneralSpringTellsWhatCannotBe) {
  const auto refused = [](const std::string& id, auto... arguments) {
    try {
      GeneralSpring spring(arguments...);
      ADD_FAILURE() << "not refused: " << id;
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), id);
    }
  };
  refused("CR-M107", 0.0, 0.0, 0.0, 9, 12);    // unloads less steeply than it loads
  refused("CR-M107", 0.0, 0.0, 0.0, 9, 13);    // a force at no elongation
  refused("CR-M107", 1.0, 1.0, -1.0, 11, 10);  // softens
  refused("CR-M103", 1.0, 0.0, -1.0);
  refused("CR-M108", 1.0, 1.0, 0.0);
}

}  // namespace
}  // namespace crumple::materials
