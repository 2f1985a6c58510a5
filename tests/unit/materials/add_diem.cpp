// *MAT_ADD_DAMAGE_DIEM: closed forms of initiation, evolution, composition and failure on a point.
#include "materials/wrappers/add_diem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kYieldOf24 = 0.3;

/// Strains at onset: curve 1 linear in triaxiality, 2 linear in theta, 3 and 4 constant, 5 a factor over the
/// size.
model::Model diem_curves() {
  model::Model m;
  m.curves = {curve(1, {-1.0, 1.0}, {0.5, 0.1}), curve(2, {0.0, 4.0}, {0.4, 0.2}),
              curve(3, {-9.0, 9.0}, {0.1, 0.1}), curve(4, {-9.0, 9.0}, {0.2, 0.2}),
              curve(5, {1.0, 5.0}, {1.0, 0.6})};
  m.tables = {{20, {0.0, 100.0}, {2, 3}}};
  return m;
}

/// MAT_024 without hardening with criteria; fields as "1.DITYP".
Prepared with_criteria(int count, Fields fields) {
  model::Material m = material(24, {{"SIGY", kYieldOf24}});
  m.fields["DIEM.NDIEMC"] = count;
  for (int k = 1; k <= count; ++k) {
    m.fields["DIEM." + std::to_string(k) + ".P1"] = 3;
    m.fields["DIEM." + std::to_string(k) + ".Q1"] = 0.2;
  }
  for (const auto& [name, value] : fields) m.fields["DIEM." + name] = value;
  return prepare(diem_curves(), m);
}
template <class Point>
double kept_by(const Point& p, const Prepared& law, int k) {
  return p.point.history.template load<double>(damage_history(law.law) + k);
}
/// w, d and q0 of a criterion.
template <class Point>
double of_criterion(const Point& p, const Prepared& law, int criterion, int k) {
  return kept_by(p, law, kDiemVariables + kVariablesOfCriterion * (criterion - 1) + k);
}
template <class Point>
void give_size(const Point& p, const Prepared& law, double size) {
  p.point.history.store(damage_history(law.law) + damage_variable::size, size);
}
Shell<double> sheared(const Prepared& law, double strain, int steps, double size = 1, double time = 1) {
  Shell<double> p(law);
  give_size(p, law, size);
  p.steps(steps, {0, 0, 0, strain, 0, 0}, time);
  return p;
}

TEST(AddDiem, OnsetByTriaxialityHasItsClosedForm) {
  const Prepared law = with_criteria(1, {{"1.P1", 1.0}});
  const Shell<double> shear = sheared(law, 0.2, 50);
  EXPECT_NEAR(of_criterion(shear, law, 1, 0), shear.point.plastic_strain / 0.3, 1e-12) << "m / q = 0";
  Shell<double> both(law);
  both.steps(50, {0.02, 0.02, 0, 0, 0, 0});
  EXPECT_NEAR(of_criterion(both, law, 1, 0), both.point.plastic_strain / (0.3 - 0.2 * 2 / 3), 1e-12);
  EXPECT_EQ(kept_by(both, law, damage_variable::damage), 0);
  EXPECT_NEAR(kept_by(both, law, damage_variable::triaxiality), 2.0 / 3, 1e-12);
}

// theta = (q - k m) / t: sqrt(3) in shear; in biaxial tension of a shell t is 0 in the plane, half the stress
// with all directions.
TEST(AddDiem, OnsetByShear) {
  const Prepared law = with_criteria(1, {{"1.DITYP", 1.0}, {"1.P1", 2.0}, {"1.P2", 0.3}});
  const Shell<double> shear = sheared(law, 0.2, 50);
  EXPECT_NEAR(of_criterion(shear, law, 1, 0), shear.point.plastic_strain / (0.4 - 0.05 * std::sqrt(3.0)),
              1e-10);
  const Prepared all = with_criteria(1, {{"1.DITYP", 1.0}, {"1.P1", 2.0}, {"1.P2", 0.3}, {"1.P3", 1.0}});
  Shell<double> both(all), plane(law);
  both.steps(50, {0.02, 0.02, 0, 0, 0, 0});
  plane.steps(50, {0.02, 0.02, 0, 0, 0, 0});
  const double theta = (1 - 0.3 * 2 / 3) / 0.5;
  EXPECT_NEAR(of_criterion(both, all, 1, 0), both.point.plastic_strain / (0.4 - 0.05 * theta), 1e-10);
  EXPECT_NEAR(of_criterion(plane, law, 1, 0), plane.point.plastic_strain / 0.2, 1e-10) << "the curve's end";
  // Solids have all three directions.
  Solid<double> solid(law);
  solid.steps(50, {0.02, -0.01, -0.01, 0, 0, 0});
  const double tension = 1 / 0.5;  // without mean stress: q / t = 2
  EXPECT_NEAR(of_criterion(solid, law, 1, 0), solid.point.plastic_strain / (0.4 - 0.05 * tension), 1e-4);
}

TEST(AddDiem, OnsetByTheLargestPrincipalStress) {
  const Prepared law = with_criteria(1, {{"1.DITYP", 4.0}, {"1.P1", 2.0}, {"1.P2", 0.3}});
  Shell<double> both(law);
  both.steps(50, {0.02, 0.02, 0, 0, 0, 0});
  EXPECT_NEAR(of_criterion(both, law, 1, 0), both.point.plastic_strain / (0.4 - 0.05 * (1 - 0.2)), 1e-10);
}

// After the onset d = size (p - e) / u, whatever the steps are; the stress is (1 - d) of the yield stress.
TEST(AddDiem, EvolutionByDisplacement) {
  const Prepared law = with_criteria(1, {});
  for (const int steps : {4, 37, 400})
    for (const double size : {1.0, 2.0}) {
      const Shell<double> p = sheared(law, 0.3, steps, size);
      const double plastic = p.point.plastic_strain;
      ASSERT_GT(plastic, 0.15);
      const double d = size * (plastic - 0.1) / 0.2;
      EXPECT_NEAR(kept_by(p, law, damage_variable::damage), d, 1e-10) << steps;
      EXPECT_NEAR(p.point.s[3], (1 - d) * kYieldOf24 / std::sqrt(3.0), 1e-10) << steps;
      EXPECT_FALSE(p.point.failed);
    }
}

// The energy of a unit of area from the onset to failure is G: size times the integral of the stress over the
// plastic strain.
TEST(AddDiem, EvolutionByEnergyDissipatesIt) {
  const double energy = 0.02;
  const Prepared law = with_criteria(1, {{"1.DETYP", 1.0}, {"1.Q1", energy}});
  for (const double size : {1.0, 3.0}) {
    Shell<double> p(law);
    give_size(p, law, size);
    double work = 0, before = 0, begun = 0;
    for (int k = 0; k < 20000 && !p.point.failed; ++k) {
      const double stress = p.point.s[3] * std::sqrt(3.0);
      p.step({0, 0, 0, 5e-5, 0, 0});
      const double plastic = p.point.plastic_strain, by = plastic - before;
      if (of_criterion(p, law, 1, 0) >= 1) work += 0.5 * (stress + p.point.s[3] * std::sqrt(3.0)) * by;
      if (of_criterion(p, law, 1, 0) < 1) begun = plastic;
      before = plastic;
    }
    EXPECT_TRUE(p.point.failed);
    EXPECT_NEAR(of_criterion(p, law, 1, 2), kYieldOf24, 1e-12);
    EXPECT_NEAR(size * work, energy, 0.005 * energy) << size;
    EXPECT_NEAR(size * (p.point.plastic_strain - begun), 2 * energy / kYieldOf24, 2e-4 * size);
  }
}

TEST(AddDiem, FailsWhenAllIsDamaged) {
  const Prepared law = with_criteria(1, {});
  Shell<double> p(law);
  give_size(p, law, 2);
  for (int k = 0; k < 2000 && !p.point.failed; ++k) p.step({0, 0, 0, 5e-4, 0, 0});
  EXPECT_TRUE(p.point.failed);
  EXPECT_NEAR(p.point.plastic_strain, 0.1 + 0.2 / 2, 5e-4);
  EXPECT_EQ(p.point.s[3], 0);
  const double plastic = p.point.plastic_strain;
  p.step({0, 0, 0, 0.1, 0, 0});
  EXPECT_TRUE(p.point.failed);
  EXPECT_EQ(p.point.s[3], 0);
  EXPECT_EQ(p.point.plastic_strain, plastic);
  EXPECT_EQ(kept_by(p, law, damage_variable::failed), 1);
}

// Largest of those with DCTYP 0, product of those with 1, -1 does not act.
TEST(AddDiem, CriteriaComposeAsTheySay) {
  const auto damage = [](double first, double second) {
    const Prepared law = with_criteria(
        2, {{"2.P1", 4.0}, {"2.Q1", 0.25}, {"1.DCTYP", first}, {"2.DCTYP", second}, {"1.Q1", 0.5}});
    const Shell<double> p = sheared(law, 0.5, 100);
    const double plastic = p.point.plastic_strain, a = (plastic - 0.1) / 0.5, b = (plastic - 0.2) / 0.25;
    EXPECT_NEAR(of_criterion(p, law, 1, 1), a, 1e-10);
    EXPECT_NEAR(of_criterion(p, law, 2, 1), b, 1e-10);
    return std::array{kept_by(p, law, damage_variable::damage), a, b};
  };
  const auto most = damage(0, 0), product = damage(1, 1), one = damage(-1, 0), none = damage(-1, -1),
             mixed = damage(0, 1);
  EXPECT_NEAR(most[0], std::max(most[1], most[2]), 1e-10);
  EXPECT_NEAR(product[0], 1 - (1 - product[1]) * (1 - product[2]), 1e-10);
  EXPECT_NEAR(one[0], one[2], 1e-10);
  EXPECT_EQ(none[0], 0);
  EXPECT_NEAR(mixed[0], std::max(mixed[1], mixed[2]), 1e-10);
}

TEST(AddDiem, SizesScaleOnsetAndEvolution) {
  const Prepared law = with_criteria(1, {{"1.P5", 5.0}, {"1.Q4", 5.0}});
  for (const double size : {1.0, 3.0, 9.0}) {
    const Shell<double> p = sheared(law, 0.25, 100, size);
    const double factor = 1 - 0.1 * (std::min(size, 5.0) - 1),
                 d = size * (p.point.plastic_strain - 0.1 * factor) / (0.2 * factor);
    EXPECT_NEAR(of_criterion(p, law, 1, 1), std::min(d, 1.0), 1e-10) << size;
  }
}

TEST(AddDiem, RatesOfATable) {
  const Prepared law = with_criteria(1, {{"1.P1", 20.0}, {"1.DCTYP", -1.0}});
  const Shell<double> slow = sheared(law, 0.1, 50, 1, 1e6), fast = sheared(law, 0.1, 1, 1, 1e-3);
  const double rate = fast.point.plastic_strain / 1e-3, onset = 0.1 + 0.1 * std::min(rate / 100, 1.0);
  EXPECT_NEAR(of_criterion(slow, law, 1, 0), slow.point.plastic_strain / 0.1, 1e-5);
  EXPECT_NEAR(of_criterion(fast, law, 1, 0), fast.point.plastic_strain / onset, 1e-10);
}

// P4 = 1: transverse shear of a shell does not count in the stress state.
TEST(AddDiem, TransverseShearOfShells) {
  const auto onset = [](double option) {
    const Prepared law = with_criteria(1, {{"1.P1", 1.0}, {"1.P4", option}});
    Shell<double> p(law);
    p.steps(50, {0.01, 0.01, 0, 0, 0.1, 0});
    return of_criterion(p, law, 1, 0) / p.point.plastic_strain;
  };
  EXPECT_GT(onset(1), 1.2 * onset(0)) << "a larger triaxiality";
}

TEST(AddDiem, RefusesWhatIsNotSupported) {
  const auto id = [](Fields fields) -> std::string {
    try {
      with_criteria(1, fields);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  EXPECT_EQ(id({}), "");
  for (const auto& [field, value] : {std::pair{"1.DITYP", 2.0},
                                     {"1.DITYP", 3.0},
                                     {"1.DITYP", 5.0},
                                     {"1.P1", 0.0},
                                     {"1.DETYP", 2.0},
                                     {"1.DCTYP", 2.0},
                                     {"1.Q1", 0.0},
                                     {"1.Q1", -4.0},
                                     {"1.Q3", 2.0},
                                     {"1.P5", 20.0},
                                     {"1.Q4", -5.0},
                                     {"DINIT", 1.0}})
    EXPECT_EQ(id({{field, value}}), "CR-M105") << field << ' ' << value;
  EXPECT_EQ(id({{"1.P1", 99.0}}), "CR-M106");
  EXPECT_EQ(id({{"NDIEMC", 9.0}}), "CR-M108");
  EXPECT_EQ(id({{"NDIEMC", 0.0}}), "CR-M108");
}

TEST(AddDiem, OneDamageOfAMaterial) {
  model::Material m = material(24, {{"SIGY", kYieldOf24}});
  m.fields.insert({{"DIEM.NDIEMC", 1.0}, {"DIEM.1.P1", 3.0}, {"DIEM.1.Q1", 0.2}, {"DAMAGE.LCSDG", 3.0}});
  EXPECT_THROW(prepare(diem_curves(), m), Error);
}

}  // namespace
}  // namespace crumple::materials
