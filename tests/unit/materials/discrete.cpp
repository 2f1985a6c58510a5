// Springs and dampers: force over elongation and velocity, there and back.
#include <gtest/gtest.h>

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
                curve(7, {0, 0}, {0, 1}), curve(8, {0}, {1})};
    m.tables = {{50, {0.0, 1.0}, {0, 0}}};
    model::Material material;
    material.law = law;
    material.fields = std::move(fields);
    prepared_ = prepare(m, material);
  }
  double force(double d, double v = 0) {
    update_here(prepared_.law, d, v, state_);
    return state_.force;
  }

 private:
  Prepared prepared_;
  DiscreteState state_;
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
