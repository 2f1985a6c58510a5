// MAT_224: the flow stress at the rate of plastic strain, and failure by the sum of plastic strain over the
// failure strain of triaxiality, Lode parameter, rate and size.
#include "materials/metal/tabulated_johnson_cook.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "materials/wrappers/add_damage.hpp"
#include "model/functions_tables.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

model::Model tables() {
  model::Model m;
  m.curves = {curve(5, {0, 0.4}, {0.3, 0.5}),
              curve(6, {0, 0.4}, {0.6, 1.0}),
              curve(7, {-0.7, -1.0 / 3, 0, 1.0 / 3}, {0.1, 0.2, 0.4, 0.8}),  // over p / q
              curve(8, {-0.7, 0.7}, {0.3, 0.3}),
              curve(9, {0, 10}, {1, 3}),
              curve(10, {0, 10}, {1, 0.5}),
              curve(11, {0, 10}, {2, 2}),
              curve(12, {-5, 5}, {1, 2}),
              curve(13, {0, 0.4}, {0.3, -0.5})};
  m.tables = {{50, {1.0, 101.0}, {0, 1}},
              {51, {-1.0, 1.0}, {3, 2}},
              {52, {-1.0 / 3, 0.0}, {5, 6}},
              {53, {-1.0 / 3, 0.0}, {6, 5}}};
  m.features.of<model::TableOfTables>() = {{60, {-1.0, 1.0}, {2, 3}}};
  return m;
}
Prepared johnson(Fields fields) {
  return prepare(tables(), with_fields(material(224, {{"LCK1", 5.0}, {"NUMINT", 1.0}}), fields));
}

/// Pulls (or presses) a solid with free sides to a plastic strain p in `steps`.
struct Pulled {
  explicit Pulled(const Prepared& law) : solid(law) {}
  /// `stress` is that at the plastic strain p.
  void by(double stress, double p, int steps, double time) {
    const double x = stress / 210 + p, y = -0.3 * stress / 210 - 0.5 * p;
    solid.steps(steps, {x, y, y, 0, 0, 0}, time);
  }
  Solid<double> solid;
};
double damage_of(const Prepared& law, const Solid<double>& solid) {
  return solid.point.history.load<double>(damage_history(law.law) + damage_variable::damage);
}

TEST(TabulatedJohnsonCook, FlowStressAtTheRateOfPlasticStrain) {
  const Prepared slow = johnson({}), table = johnson({{"LCK1", 50.0}});
  const double p = 0.1;
  Pulled one(slow);
  one.by(0.35, p, 1, 1);
  EXPECT_NEAR(one.solid.point.s[0], 0.35, 1e-9);
  for (const double rate : {1.0, 26.0, 101.0, 1e4}) {
    const double factor = 1 + std::min((rate - 1) / 100, 1.0);
    Pulled other(table);
    other.by(0.35 * factor, p, 1, p / rate);
    EXPECT_NEAR(other.solid.point.s[0], 0.35 * factor, 1e-9) << rate;
    EXPECT_NEAR(other.solid.point.plastic_strain, p, 1e-9);
  }
}

// Tension has p / q = -1/3 and fails at 0.2, compression at 0.8.
TEST(TabulatedJohnsonCook, FailsByTriaxialityThatIsNegativeInTension) {
  const Prepared law = johnson({{"LCF", 7.0}});
  for (const double sign : {1.0, -1.0}) {
    const double limit = sign > 0 ? 0.2 : 0.8, p = 0.1, stress = 0.35;
    Pulled point(law);
    point.by(sign * stress, sign * p, 1, 1);
    EXPECT_NEAR(damage_of(law, point.solid), p / limit, 1e-8);
    EXPECT_FALSE(point.solid.point.failed);
    const double near = 0.95 * limit, beyond = 1.05 * limit, slope = 0.5;
    point.by(sign * slope * (near - p), sign * (near - p), 1, 1);
    EXPECT_NEAR(damage_of(law, point.solid), 0.95, 1e-8);
    EXPECT_FALSE(point.solid.point.failed) << sign;
    EXPECT_NEAR(point.solid.point.s[0], sign * (0.3 + slope * near), 1e-8) << "no softening";
    point.by(sign * slope * (beyond - near), sign * (beyond - near), 1, 1);
    EXPECT_TRUE(point.solid.point.failed) << sign;
    EXPECT_EQ(point.solid.point.s[0], 0);
  }
}

// The table is over the Lode parameter: 1 in tension, curve 7, -1 in compression, curve 8.
TEST(TabulatedJohnsonCook, FailsByTheLodeParameter) {
  const Prepared law = johnson({{"LCF", 51.0}});
  Pulled pulled(law), pressed(law);
  pulled.by(0.35, 0.1, 1, 1);
  pressed.by(-0.35, -0.1, 1, 1);
  EXPECT_NEAR(damage_of(law, pulled.solid), 0.1 / 0.2, 1e-8);
  EXPECT_NEAR(damage_of(law, pressed.solid), 0.1 / 0.3, 1e-8);
  Solid<double> sheared(law);
  sheared.step({0, 0, 0, 0.3, 0, 0});
  const double p = sheared.point.plastic_strain;
  EXPECT_NEAR(damage_of(law, sheared), p / (0.5 * (0.4 + 0.3)), 1e-8);
}

TEST(TabulatedJohnsonCook, FactorsOfRateAndSize) {
  const Prepared rate = johnson({{"LCF", 7.0}, {"LCG", 9.0}});
  Pulled fast(rate);
  fast.by(0.35, 0.1, 1, 0.1 / 5);
  EXPECT_NEAR(damage_of(rate, fast.solid), 0.1 / (0.2 * 2), 1e-8);
  for (const auto& [size, factor] : {std::pair(10.0, 0.75), {52.0, 0.75}}) {
    const Prepared law = johnson({{"LCF", 7.0}, {"LCI", size}});
    Pulled point(law);
    point.solid.point.history.store(damage_history(law.law) + damage_variable::size, 5.0);
    point.by(0.35, 0.1, 1, 1);
    EXPECT_NEAR(damage_of(law, point.solid), 0.1 / (0.2 * factor), 1e-8) << size;
    if (size == 10) continue;
    Solid<double> sheared(law);  // p / q = 0: the other curve
    sheared.point.history.store(damage_history(law.law) + damage_variable::size, 5.0);
    sheared.step({0, 0, 0, 0.3, 0, 0});
    EXPECT_NEAR(damage_of(law, sheared), sheared.point.plastic_strain / (0.4 * 2), 1e-8);
  }
}

TEST(TabulatedJohnsonCook, SizeFactorOverTriaxialityAndLodeParameter) {
  const Prepared law = johnson({{"LCF", 7.0}, {"LCI", 60.0}});
  Pulled point(law);  // L = 1, p / q = -1/3: the first curve of the second table
  point.solid.point.history.store(damage_history(law.law) + damage_variable::size, 5.0);
  point.by(0.35, 0.1, 1, 1);
  EXPECT_NEAR(damage_of(law, point.solid), 0.1 / (0.2 * 2), 1e-8);
  Solid<double> sheared(law);  // L = 0, p / q = 0: the mean of the second curves
  sheared.point.history.store(damage_history(law.law) + damage_variable::size, 5.0);
  sheared.step({0, 0, 0, 0.3, 0, 0});
  EXPECT_NEAR(damage_of(law, sheared), sheared.point.plastic_strain / (0.4 * 0.5 * (2 + 0.75)), 1e-8);
}

TEST(TabulatedJohnsonCook, PointsThatDeleteAnElement) {
  EXPECT_EQ(johnson({{"LCF", 7.0}}).points_to_damage, 1);
  EXPECT_EQ(johnson({{"LCF", 7.0}, {"NUMINT", 3.0}}).points_to_damage, 3);
  EXPECT_EQ(johnson({{"LCF", 7.0}, {"NUMINT", -60.0}}).points_to_damage, -60);
  EXPECT_LT(johnson({}).law.damage, 0);
}

TEST(TabulatedJohnsonCook, RefusesWhatIsNotSupported) {
  const auto id = [](Fields fields) -> std::string {
    try {
      johnson(fields);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id({}), "");
  EXPECT_EQ(id({{"LCK1", 0.0}}), "CR-M103");
  EXPECT_EQ(id({{"LCK1", 99.0}}), "CR-M106");
  EXPECT_EQ(id({{"LCK1", 13.0}}), "CR-M107");
  EXPECT_EQ(id({{"LCF", 99.0}}), "CR-M106");
  EXPECT_EQ(id({{"LCF", 13.0}}), "CR-M107");
  EXPECT_EQ(id({{"LCF", 7.0}, {"LCG", 12.0}}), "CR-M107");
  EXPECT_EQ(id({{"LCG", 9.0}}), "CR-M105");
  EXPECT_EQ(id({{"LCI", 9.0}}), "CR-M105");
  EXPECT_EQ(id({{"LCF", 7.0}, {"DAMAGE.LCSDG", 7.0}, {"DAMAGE.DTYP", 1.0}}), "CR-M105") << "two of them";
  for (const char* field : {"LCKT", "LCH", "FAILOPT", "ERODE"}) EXPECT_EQ(id({{field, 1.0}}), "CR-M105");
}

}  // namespace
}  // namespace crumple::materials
