// Springs and dampers: force over elongation and velocity, there and back.
#include "materials/discrete.hpp"

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
    update_discrete(*static_cast<const DiscreteLaw*>(prepared_.parameters.get()), d, v, state_);
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

}  // namespace
}  // namespace crumple::materials
