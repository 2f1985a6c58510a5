// MAT_177 against closed forms of Hill's foam.
#include <gtest/gtest.h>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kC[2] = {3.0, -0.2}, kB[2] = {4.0, -1.5}, kN = 0.25;

Prepared foam(std::initializer_list<std::pair<const std::string, double>> fields = {}) {
  model::Material m = material(177, {{"C1", kC[0]}, {"B1", kB[0]}, {"C2", kC[1]}, {"B2", kB[1]}, {"N", kN}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return prepare({}, m);
}

TEST(HillFoam, IsHookesLawAtSmallStrain) {
  const Prepared law = foam();
  const double shear = 0.5 * (kC[0] * kB[0] + kC[1] * kB[1]);
  EXPECT_NEAR(law.elastic.shear, shear, 1e-12);
  EXPECT_NEAR(law.elastic.bulk, 2 * shear * (kN + 1.0 / 3), 1e-12);
  Solid<double> solid(law);
  const double strain = 1e-7;
  solid.point.volume_ratio = 1 + strain;
  solid.step({strain, 0, 0, 0, 2e-7, 0});
  EXPECT_NEAR(solid.point.s[0] / strain, law.elastic.bulk + 4 * shear / 3, 1e-4);
  EXPECT_NEAR(solid.point.s[1] / strain, law.elastic.bulk - 2 * shear / 3, 1e-4);
  EXPECT_NEAR(solid.point.s[4] / 2e-7, shear, 1e-4);
}

// A strip has the lateral stretch l^-nu, nu = N / (1 + 2 N), and the nominal stress sum C / l (l^B - J^(-N
// B)).
TEST(HillFoam, StripPulledAndPressed) {
  const Prepared law = foam();
  const double nu = kN / (1 + 2 * kN);
  for (const double l : {1.5, 0.8, 0.4}) {
    StretchedPoint point(law);
    const double side = std::pow(l, -nu), j = l * side * side;
    point.to(l, side, side);
    double nominal = 0;
    for (int k = 0; k < 2; ++k) nominal += kC[k] / l * (std::pow(l, kB[k]) - std::pow(j, -kN * kB[k]));
    EXPECT_NEAR(point.nominal(0), nominal, 1e-5) << l;
    EXPECT_NEAR(point.nominal(1), 0, 1e-5) << l;
  }
}

TEST(HillFoam, WorkIsTheStrainEnergyAndComesBack) {
  const Prepared law = foam();
  StretchedPoint point(law);
  point.to(1.3, 0.5, 0.9);
  const double j = 1.3 * 0.5 * 0.9;
  double energy = 0;
  for (int k = 0; k < 2; ++k) {
    double sum = (std::pow(j, -kN * kB[k]) - 1) / kN - 3;
    for (const double l : {1.3, 0.5, 0.9}) sum += std::pow(l, kB[k]);
    energy += kC[k] / kB[k] * sum;
  }
  EXPECT_NEAR(point.work, energy, 1e-4 * energy);
  point.to(1, 1, 1);
  EXPECT_NEAR(point.work, 0, 1e-4 * energy);
}

TEST(HillFoam, RefusesWhatIsNotSupported) {
  for (const auto& [field, value] : {std::pair{"LCID", 5.0}, {"R", 1.0}, {"N", 0.0}, {"C1", -3.0}})
    EXPECT_THROW(foam({{field, value}}), Error) << field;
  EXPECT_EQ(foam({{"NU", 0.1}}).damping, 0.1);
}

}  // namespace
}  // namespace crumple::materials
