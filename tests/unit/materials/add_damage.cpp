// *MAT_ADD_DAMAGE_GISSMO: closed forms of damage, softening, regularisation and failure on a point.
#include "materials/wrappers/add_damage.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/functions_tables.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;
using damage_variable::DamageVariable;

constexpr double kYield = 0.3, kG = 210 / 2.6, kShear = 0.5,
                 kBiaxial = 0.2;  ///< failure strains at h = 0, 2/3

/// Failure strain linear in triaxiality (curve 1), others of the tests.
model::Model curves() {
  model::Model m;
  m.curves = {curve(1, {0.0, 2.0 / 3}, {kShear, kBiaxial}),
              curve(2, {0.0, 1.0}, {0.5, 0.5}),
              curve(3, {1.0, 5.0}, {1.0, 0.6}),
              curve(4, {1.0, 5.0}, {1.0, 0.2}),
              curve(5, {0.0, 100.0}, {1.0, 2.0}),
              curve(6, {-5.0, 5.0}, {1.0, 2.0}),
              curve(7, {0.0, 1.0}, {0.25, 0.25}),
              curve(8, {0.0, 0.1, 0.5, 1.0}, {0.25, 0.25, 1.0, 1.0}),
              curve(9, {0.0, 2.0 / 3}, {0.1, 0.05})};
  m.tables = {{20, {-1.0, 0.0, 1.0}, {0, 1, 6}}, {21, {0.0, 2.0 / 3}, {2, 3}}, {22, {0.0, 2.0 / 3}, {3, 2}}};
  m.features.of<model::TableOfTables>() = {{23, {0.0, 1.0}, {1, 2}}};
  return m;
}

/// MAT_024 with the damage model: failure strains of curve 1, unless fields say otherwise.
Prepared damaged(std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m = material(24, {{"SIGY", kYield}, {"ETAN", 2.0}});
  m.fields.insert(
      {{"DAMAGE.LCSDG", 1.0}, {"DAMAGE.DTYP", 1.0}, {"DAMAGE.DMGEXP", 1.0}, {"DAMAGE.DCRIT", 1.0}});
  for (const auto& [name, value] : fields) m.fields["DAMAGE." + name] = value;
  return prepare(curves(), m);
}

template <class Point>
double variable(const Point& p, const Prepared& law, DamageVariable k) {
  return p.point.history.template load<double>(damage_history(law.law) + k);
}
template <class Point>
void set_size(const Point& p, const Prepared& law, double size) {
  p.point.history.store(damage_history(law.law) + damage_variable::size, size);
}

/// Pure shear of a shell in `steps` steps; then unloaded, if asked.
void shear(Shell<double>& p, double strain, int steps = 50) { p.steps(steps, {0, 0, 0, strain, 0, 0}); }
void unload_shear(Shell<double>& p) { p.step({0, 0, 0, -p.point.s[3] / kG, 0, 0}); }
void stretch_both(Shell<double>& p, double strain, int steps = 50) {
  p.steps(steps, {strain, strain, 0, 0, 0, 0});
}

TEST(StressState, OfSimpleStresses) {
  const auto expect = [](const double(&s)[6], double triaxiality, double lode) {
    const StressState<double> at = stress_state(s);
    EXPECT_NEAR(at.triaxiality, triaxiality, 1e-15);
    EXPECT_NEAR(at.lode, lode, 1e-14);
    const float f[6] = {float(s[0]) * 1e9f, float(s[1]) * 1e9f, float(s[2]) * 1e9f,
                        float(s[3]) * 1e9f, float(s[4]) * 1e9f, float(s[5]) * 1e9f};
    EXPECT_NEAR(stress_state(f).lode, lode, 1e-5);
  };
  expect({2, 0, 0, 0, 0, 0}, 1.0 / 3, 1);
  expect({0, -3, 0, 0, 0, 0}, -1.0 / 3, -1);
  expect({2, 2, 0, 0, 0, 0}, 2.0 / 3, -1);
  expect({0, 0, 0, 0.4, 0, 0}, 0, 0);
  expect({0, 0, 0, 0, 0.4, 0}, 0, 0);
  expect({2, 1, 0, 0, 0, 0}, 1 / std::sqrt(3.0), 0);
  expect({0, 0, 0, 0, 0, 0}, 0, 0);
}

TEST(AddDamage, ProportionalLoadingHasItsClosedForm) {
  for (const double n : {1.0, 2.5}) {
    const Prepared law = damaged({{"DMGEXP", n}});
    for (const int steps : {3, 100}) {
      Shell<double> p(law), q(law);
      shear(p, 0.4, steps);
      stretch_both(q, 0.05, steps);
      EXPECT_GT(p.point.plastic_strain, 0.2);
      EXPECT_NEAR(variable(p, law, damage_variable::damage), std::pow(p.point.plastic_strain / kShear, n),
                  1e-14);
      EXPECT_NEAR(variable(q, law, damage_variable::damage), std::pow(q.point.plastic_strain / kBiaxial, n),
                  1e-12);
      EXPECT_NEAR(variable(q, law, damage_variable::triaxiality), 2.0 / 3, 1e-14);
      EXPECT_NEAR(variable(q, law, damage_variable::lode), -1, 1e-13);
    }
  }
}

TEST(AddDamage, TwoStagesAddTheirSharesOfTheRoot) {
  // Neukamm et al. 2009: D^(1/n) is the sum of dp / e_f; a path in another order gives the same here.
  const Prepared law = damaged({{"DMGEXP", 2.0}});
  Shell<double> p(law);
  shear(p, 0.3);
  const double first = p.point.plastic_strain;
  unload_shear(p);
  EXPECT_EQ(p.point.plastic_strain, first);
  stretch_both(p, 0.03);
  const double second = p.point.plastic_strain - first;
  ASSERT_GT(second, 0.03);
  const double root = first / kShear + second / kBiaxial;
  ASSERT_LT(root, 1);
  EXPECT_NEAR(variable(p, law, damage_variable::damage), root * root, 1e-12);
  // Not the damage of the last stress state alone.
  EXPECT_GT(std::abs(std::pow(p.point.plastic_strain / kBiaxial, 2.0) - root * root), 0.1);
}

TEST(AddDamage, SoftensFromTheCriticalStrainOn) {
  constexpr double n = 2, m = 1.5, critical = 0.1;
  const Prepared law = damaged({{"DMGEXP", n}, {"ECRIT", critical}, {"FADEXP", m}});
  const Prepared bare = prepare({}, material(24, {{"SIGY", kYield}, {"ETAN", 2.0}}));
  for (const int steps : {4, 37, 200}) {
    Shell<double> p(law), whole(bare);
    for (int k = 0; k < steps; ++k) {
      p.step({0, 0, 0, 0.6 / steps, 0, 0}), whole.step({0, 0, 0, 0.6 / steps, 0, 0});
      const double plastic = whole.point.plastic_strain;
      ASSERT_NEAR(p.point.plastic_strain, plastic, 1e-14);
      const double damage = std::pow(plastic / kShear, n), at = std::pow(critical / kShear, n);
      const double kept = plastic < critical ? 1 : 1 - std::pow((damage - at) / (1 - at), m);
      EXPECT_NEAR(p.point.s[3], kept * whole.point.s[3], 1e-12);
      EXPECT_NEAR(variable(p, law, damage_variable::instability),
                  std::min(1.0, std::pow(plastic / critical, n)), 1e-12);
    }
    EXPECT_NEAR(variable(p, law, damage_variable::critical), std::pow(critical / kShear, n), 1e-13);
  }
}

TEST(AddDamage, FixedCriticalDamageAndCurveOfCriticalStrain) {
  const Prepared fixed = damaged({{"DCRIT", 0.4}}), by_curve = damaged({{"ECRIT", -9.0}});
  Shell<double> p(fixed), q(by_curve);
  shear(p, 0.6), shear(q, 0.6);
  const double damage = p.point.plastic_strain / kShear;
  EXPECT_NEAR(variable(p, fixed, damage_variable::softening), (damage - 0.4) / 0.6, 1e-13);
  EXPECT_NEAR(variable(q, by_curve, damage_variable::critical), 0.1 / kShear, 1e-13);
  EXPECT_NEAR(variable(q, by_curve, damage_variable::softening), (damage - 0.2) / 0.8, 1e-13);
}

TEST(AddDamage, FailsAtDamageOne) {
  const Prepared law = damaged({{"DMGEXP", 2.0}});
  Shell<double> p(law);
  double last = 0;
  int steps = 0;
  for (; steps < 2000 && !p.point.failed; ++steps) {
    last = p.point.plastic_strain;
    p.step({0, 0, 0, 1e-3, 0, 0});
  }
  ASSERT_TRUE(p.point.failed);
  EXPECT_LT(last, kShear);
  EXPECT_GE(p.point.plastic_strain, kShear * (1 - 1e-14));
  EXPECT_EQ(variable(p, law, damage_variable::failed), 1);
  const double plastic = p.point.plastic_strain;
  for (int k = 0; k < 20; ++k) {
    p.step({1e-3, 0, 0, -2e-3, 0, 0});
    EXPECT_TRUE(p.point.failed);
    for (const double s : p.point.s) EXPECT_EQ(s, 0);
    EXPECT_EQ(p.point.d[2], 0);
  }
  EXPECT_EQ(p.point.plastic_strain, plastic);
  EXPECT_EQ(variable(p, law, damage_variable::damage), 1);
}

TEST(AddDamage, OnlySumsIfAskedTo) {
  const Prepared law = damaged({{"DTYP", 0.0}, {"ECRIT", 0.1}});
  const Prepared bare = prepare({}, material(24, {{"SIGY", kYield}, {"ETAN", 2.0}}));
  Shell<double> p(law), whole(bare);
  shear(p, 1.5), shear(whole, 1.5);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(p.point.s[i], whole.point.s[i]);
  EXPECT_FALSE(p.point.failed);
  EXPECT_EQ(variable(p, law, damage_variable::damage), 1);
}

/// D of a shear, times the failure strain over the plastic strain: 1 / factor of the failure strain.
double factor(const Prepared& law, double size, bool sheared = true) {
  Shell<double> p(law);
  set_size(p, law, size);
  if (sheared)
    shear(p, 0.05);
  else
    stretch_both(p, 0.01);
  EXPECT_EQ(variable(p, law, damage_variable::size), size);
  return p.point.plastic_strain / (sheared ? kShear : kBiaxial) / variable(p, law, damage_variable::damage);
}

TEST(AddDamage, FailureStrainDependsOnTheSize) {
  const Prepared law = damaged({{"LCREGD", 3.0}});
  EXPECT_NEAR(factor(law, 1), 1, 1e-12);
  EXPECT_NEAR(factor(law, 3), 0.8, 1e-12);
  EXPECT_NEAR(factor(law, 50), 0.6, 1e-12);  // constant beyond the end
  EXPECT_NEAR(factor(law, 3, false), 0.8, 1e-12);
}

TEST(AddDamage, RegularisationIsLessInShearAndBiaxialTension) {
  const Prepared law = damaged({{"LCREGD", 3.0}, {"SHRF", 0.25}, {"BIAXF", 1.0}});
  EXPECT_NEAR(factor(law, 3), 0.8 + 0.25 * 0.2, 1e-12);
  EXPECT_NEAR(factor(law, 3, false), 1, 1e-12);
  const auto* p = static_cast<const AddedDamageLaw*>(law.law.parameters);
  EXPECT_NEAR(regularisation(*p, 3.0, StressState<double>{1.0 / 3, 0.0}), 0.8, 1e-12);
  EXPECT_NEAR(regularisation(*p, 3.0, StressState<double>{-0.3, 0.0}), 0.85, 1e-12);
  EXPECT_NEAR(regularisation(*p, 3.0, StressState<double>{1.0 / 6, 0.0}), 0.8 + 0.125 * 0.2, 1e-12);
  EXPECT_NEAR(regularisation(*p, 3.0, StressState<double>{0.5, 0.0}), 0.9, 1e-12);
  const Prepared tub =
      damaged({{"LCREGD", 3.0}, {"SHRF", 1.0}, {"BIAXF", 1.0}, {"RGTR1", 0.1}, {"RGTR2", 0.5}});
  const auto* t = static_cast<const AddedDamageLaw*>(tub.law.parameters);
  EXPECT_NEAR(regularisation(*t, 3.0, StressState<double>{0.05, 0.0}), 0.9, 1e-12);
  for (const double h : {0.1, 0.2, 0.4, 0.5})
    EXPECT_NEAR(regularisation(*t, 3.0, StressState<double>{h, 0.0}), 0.8, 1e-12) << h;
  EXPECT_NEAR(regularisation(*t, 3.0, StressState<double>{0.7, 0.0}), 1, 1e-12);
}

TEST(AddDamage, RegularisationByTriaxialityIsATable) {
  const Prepared law = damaged({{"LCREGD", -21.0}});
  EXPECT_NEAR(factor(law, 5), 0.6, 1e-12);
  EXPECT_NEAR(factor(law, 5, false), 0.2, 1e-12);
}

TEST(AddDamage, RegularisationByTriaxialityAndLodeParameterIsATableOfTables) {
  const Prepared law = damaged({{"LCREGD", -23.0}});
  const auto* p = static_cast<const AddedDamageLaw*>(law.law.parameters);
  const auto at = [&](double triaxiality, double lode) {
    return regularisation(*p, 5.0, StressState<double>{triaxiality, lode});
  };
  for (const double beyond : {-1.0, 0.0}) EXPECT_NEAR(at(0, beyond), 0.6, 1e-12);
  EXPECT_NEAR(at(0, 0.25), 0.75 * 0.6 + 0.25 * 0.2, 1e-12);
  EXPECT_NEAR(at(0, 1.0), 0.2, 1e-12);
  EXPECT_NEAR(at(1.0 / 3, 0.25), 0.4, 1e-12);
  EXPECT_NEAR(at(2.0 / 3, 0.25), 0.75 * 0.2 + 0.25 * 0.6, 1e-12);
  EXPECT_NEAR(factor(law, 5), 0.6, 1e-12) << "in shear L = 0";
  EXPECT_THROW(damaged({{"LCREGD", 23.0}}), Error);
  EXPECT_THROW(damaged({{"LCSDG", 23.0}}), Error) << "over temperature";
  EXPECT_THROW(damaged({{"LCREGD", -23.0}, {"SHRF", 0.5}}), Error);
}

TEST(AddDamage, DamageOfTheReferenceSizeIsKept) {
  const Prepared law = damaged({{"LCREGD", 3.0}, {"REFSZ", 3.0}});
  Shell<double> p(law);
  set_size(p, law, 5);
  shear(p, 0.1);
  const double whole = p.point.plastic_strain / kShear;
  EXPECT_NEAR(variable(p, law, damage_variable::damage), whole / 0.6, 1e-13);
  EXPECT_NEAR(variable(p, law, damage_variable::at_reference), whole / 0.8, 1e-13);
  EXPECT_EQ(law.n_history, damaged({{"LCREGD", 3.0}}).n_history + 2);
}

TEST(AddDamage, RateScalesTheFailureStrain) {
  // Elastic, then a step in which all but the elastic part is plastic.
  const auto rate_of = [](const Prepared& law, double dt, double& factor, double& scale) {
    Shell<double> p(law);
    p.step({0, 0, 0, kYield / std::sqrt(3.0) / kG, 0, 0}, 1);
    p.step({0, 0, 0, 0.02, 0, 0}, dt);
    const double plastic = p.point.plastic_strain;
    factor = plastic / kShear / variable(p, law, damage_variable::damage);
    scale = plastic / 0.4 / variable(p, law, damage_variable::instability);
    return plastic / dt;
  };
  double factor = 0, scale = 0;
  const double rate = rate_of(damaged({{"LCSRS", 5.0}, {"ECRIT", 0.4}}), 2e-4, factor, scale);
  ASSERT_LT(rate, 100);
  EXPECT_NEAR(factor, 1 + rate / 100, 1e-12);
  EXPECT_NEAR(scale, factor, 1e-12);
  rate_of(damaged({{"LCSRS", -5.0}, {"ECRIT", 0.4}}), 2e-4, factor, scale);
  EXPECT_NEAR(scale, 1, 1e-12);
  const double fast = rate_of(damaged({{"LCSRS", 6.0}, {"ECRIT", 0.4}}), 2e-4, factor, scale);
  EXPECT_NEAR(factor, 1.5 + std::log(fast) / 10, 1e-12);  // over logarithms
}

TEST(AddDamage, LodeParameterChoosesTheCurve) {
  const Prepared law = damaged({{"LCSDG", 20.0}});
  Shell<double> p(law), q(law);
  shear(p, 0.1), stretch_both(q, 0.02);
  EXPECT_NEAR(variable(p, law, damage_variable::damage), p.point.plastic_strain / 0.5, 1e-13);
  EXPECT_NEAR(variable(q, law, damage_variable::damage), q.point.plastic_strain / kBiaxial, 1e-12);
  // Stretched along x, squeezed along y and z: L = 1, and a plastic strain that the element's volume keeps.
  Solid<double> s(law);
  s.steps(50, {0.04, -0.02, -0.02, 0, 0, 0});
  EXPECT_NEAR(variable(s, law, damage_variable::lode), 1, 1e-12);
  EXPECT_NEAR(variable(s, law, damage_variable::damage), s.point.plastic_strain / 0.25, 1e-12);
}

TEST(AddDamage, IsLimitedByTriaxiality) {
  const Prepared law = damaged({{"DCRIT", 0.1}, {"DMGEXP", 2.0}, {"LCDLIM", 8.0}});
  Shell<double> p(law);
  shear(p, 0.9, 100);
  EXPECT_FALSE(p.point.failed);
  EXPECT_NEAR(variable(p, law, damage_variable::damage), 0.25, 1e-14);
  EXPECT_NEAR(variable(p, law, damage_variable::softening), 0.15 / 0.9, 1e-13);
  unload_shear(p);
  Shell<double> q(law);
  stretch_both(q, 0.2, 200);
  EXPECT_TRUE(q.point.failed);
}

TEST(AddDamage, FadingExponentDependsOnTheSize) {
  const Prepared law = damaged({{"DCRIT", 0.1}, {"FADEXP", -3.0}}),
                 table = damaged({{"DCRIT", 0.1}, {"FADEXP", -21.0}});
  Shell<double> p(law), q(table);
  set_size(p, law, 5), set_size(q, table, 5);
  shear(p, 0.4), stretch_both(q, 0.06);
  const auto beyond = [](const auto& point, const Prepared& of) {
    return (variable(point, of, damage_variable::damage) - 0.1) / 0.9;
  };
  ASSERT_GT(beyond(q, table), 0.1);
  EXPECT_NEAR(variable(p, law, damage_variable::softening), std::pow(beyond(p, law), 0.6), 1e-12);
  EXPECT_NEAR(variable(q, table, damage_variable::softening), std::pow(beyond(q, table), 0.2), 1e-12);
}

TEST(AddDamage, CriteriaOfErosionCountByThemselves) {
  model::Material m = material(24, {{"SIGY", kYield}, {"ETAN", 2.0}});
  m.fields.insert(
      {{"DAMAGE.LCSDG", 1.0}, {"DAMAGE.DTYP", 1.0}, {"DAMAGE.DCRIT", 1.0}, {"DAMAGE.NUMFIP", -60.0}});
  m.fields.insert({{"EROSION.EXCL", 0.0}, {"EROSION.NUMFIP", 2.0}, {"EROSION.SIGP1", 9.0}});
  const Prepared law = prepare(curves(), m);
  EXPECT_EQ(law.points_to_damage, -60);
  EXPECT_EQ(law.points_to_erode, 2);
  EXPECT_NE(law.law.criteria, law.law.damage);
  Shell<double> p(law);
  shear(p, 1.0, 100);
  EXPECT_TRUE(p.point.failed);
  EXPECT_EQ(p.point.history.load<double>(law.law.damage), 1);
  EXPECT_EQ(p.point.history.load<double>(law.law.criteria), 0);
}

TEST(AddDamage, IsAlsoThatOfErosion) {
  model::Material m = material(24, {{"SIGY", kYield}, {"ETAN", 2.0}});
  m.fields.insert(
      {{"EROSION.EXCL", 0.0}, {"EROSION.IDAM", 1.0}, {"EROSION.DMGTYP", 1.0}, {"EROSION.LCSDG", 1.0}});
  m.fields.insert({{"EROSION.DCRIT", 1.0}, {"EROSION.NUMFIP", 3.0}});
  const Prepared law = prepare(curves(), m);
  EXPECT_EQ(law.points_to_damage, 3);
  Shell<double> p(law);
  shear(p, 0.2);
  EXPECT_NEAR(variable(p, law, damage_variable::damage), p.point.plastic_strain / kShear, 1e-13);
}

TEST(AddDamage, RefusesWhatIsNotThere) {
  EXPECT_THROW(damaged({{"LCSDG", 99.0}}), Error);
  EXPECT_THROW(damaged({{"LCSDG", 0.0}}), Error);
  EXPECT_THROW(damaged({{"DTYP", 11.0}}), Error);
  EXPECT_THROW(damaged({{"LCREGD", 21.0}}), Error);
  EXPECT_THROW(damaged({{"LCREGD", 3.0}, {"SHRF", -0.5}}), Error);
  EXPECT_THROW(damaged({{"LCREGD", -21.0}, {"SHRF", 0.5}}), Error);
  EXPECT_THROW(damaged({{"LCREGD", 3.0}, {"RGTR1", 0.5}}), Error);
  EXPECT_THROW(damaged({{"MIDFAIL", 1.0}}), Error);
  EXPECT_THROW(damaged({{"REFSZ", -1.0}}), Error);
  EXPECT_THROW(damaged({{"LCDLIM", 3.0}, {"DCRIT", 1.5}}), Error);
  EXPECT_THROW(damaged({{"DMGEXP", -1.0}}), Error);
  for (const int number : {9, 20}) {
    model::Material m = material(number, {{"DAMAGE.LCSDG", 1.0}});
    EXPECT_THROW(prepare(curves(), m), Error) << number;
  }
}

}  // namespace
}  // namespace crumple::materials
