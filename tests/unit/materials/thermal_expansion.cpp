// Laws that expand: the free strain gives no stress, the same strain held back gives that of the law.
#include "materials/wrappers/thermal_expansion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "materials/wrappers/preload.hpp"
#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 210, kNu = 0.3, kStrain = 2e-3;

Prepared expanding(const model::Material& material) {
  return add_expansion(prepare({}, material), std::make_shared<Expansion>(Expansion{{0.0}, {1e-5}}));
}

/// Sets the thermal strain at the end of the next step.
template <class Point>
void heat(const Prepared& law, Point& p, double strain) {
  const int first = expansion_of(law.law)->law_history;
  p.point.history.store(first, strain);
  p.point.history.store(first + 2, std::expm1(-3 * strain));
}

TEST(Expansion, StrainIsTheIntegralOfTheCoefficient) {
  const Expansion constant{{0.0}, {1e-5}};
  EXPECT_DOUBLE_EQ(constant.strain(20, 120), 1e-3);
  EXPECT_DOUBLE_EQ(constant.strain(120, 20), -1e-3);
  const Expansion table{{0, 100, 300}, {1e-5, 2e-5, 1.5e-5}};
  // constant before and after, trapezia between
  EXPECT_NEAR(table.strain(-50, 400), 50 * 1e-5 + 100 * 1.5e-5 + 200 * 1.75e-5 + 100 * 1.5e-5, 1e-15);
  EXPECT_NEAR(table.strain(50, 200), 50 * 1.75e-5 + 100 * (2e-5 + 1.75e-5) / 2, 1e-15);
  EXPECT_NEAR(table.strain(0, 250) + table.strain(250, -20), table.strain(0, -20), 1e-15);
}

TEST(Expansion, HeldSolidIsCompressed) {
  const Prepared law = expanding(material(1, {}));
  Solid<double> p(law);
  for (int k = 1; k <= 4; ++k) {
    heat(law, p, kStrain * k / 4);
    p.step({0, 0, 0, 0, 0, 0});
  }
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(p.point.s[i], -kE * kStrain / (1 - 2 * kNu), 1e-14);
  p.step({0, 0, 0, 0, 0, 0});  // the temperature stays
  EXPECT_NEAR(p.point.s[0], -kE * kStrain / (1 - 2 * kNu), 1e-14);
}

TEST(Expansion, FreeSolidHasNoStress) {
  for (const model::Material& m :
       {material(1, {}), material(3, {{"SIGY", 0.01}, {"ETAN", 1.0}}),
        material(27, {{"A", 30.0}, {"B", 3.0}, {"PR", 0.48}}), material(7, {{"G", 10.0}})}) {
    const Prepared law = expanding(m);
    Solid<double> p(law);
    double strain = 0;
    for (int k = 1; k <= 20; ++k) {
      const double step = 1e-2;  // large: a rubber's volume must not press
      strain += step;
      p.point.volume_ratio = std::exp(3 * strain);
      heat(law, p, strain);
      p.step({step, step, step, 0, 0, 0});
    }
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(p.point.s[i], 0, 1e-9) << m.law << ' ' << i;
    EXPECT_EQ(p.point.plastic_strain, 0) << m.law;
  }
}

TEST(Expansion, ShellsThickenWithIt) {
  const Prepared law = expanding(material(1, {}));
  Shell<double> held(law), free(law);
  heat(law, held, kStrain);
  held.step({0, 0, 0, 0, 0, 0});
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(held.point.s[i], -kE * kStrain / (1 - kNu), 1e-14);
  EXPECT_NEAR(held.point.d[2], kStrain * (1 + 2 * kNu / (1 - kNu)), 1e-16);
  heat(law, free, kStrain);
  free.step({kStrain, kStrain, 0, 0, 0, 0});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(free.point.s[i], 0);
  EXPECT_EQ(free.point.d[2], kStrain);
}

TEST(Expansion, HeldBeamYields) {
  const Prepared law = expanding(material(3, {{"SIGY", 0.2}, {"ETAN", 0.0}}));
  Beam<double> p(law);
  heat(law, p, kStrain);
  p.step({0, 0, 0});
  EXPECT_NEAR(p.point.s[0], -0.2, 1e-14);
  EXPECT_NEAR(p.point.plastic_strain, kStrain - 0.2 / kE, 1e-15);
}

TEST(Expansion, IsFoundBehindAPreload) {
  const Prepared law = add_preload(expanding(material(1, {})), false);
  ASSERT_NE(expansion_of(law.law), nullptr);
  EXPECT_EQ(expansion_of(law.law)->law_history, 0);
  EXPECT_EQ(expansion_of(prepare({}, material(1, {})).law), nullptr);
  EXPECT_EQ(law.n_history, kExpansionVariables + kPreloadVariables);
}

}  // namespace
}  // namespace crumple::materials
