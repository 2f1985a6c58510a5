// MAT_077_O and MAT_077_H against closed forms, against each other and MAT_027, and their Prony terms.
#include <gtest/gtest.h>

#include <cmath>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;
using Fields = std::initializer_list<std::pair<const std::string, double>>;

constexpr double kNu = 0.4995;

Prepared rubber(int law, Fields fields, double nu = kNu) {
  model::Material m = material(law, {{"PR", nu}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return prepare({}, m);
}
Prepared ogden() {
  return rubber(
      771, {{"MU1", 6.3}, {"ALPHA1", 1.3}, {"MU2", 0.012}, {"ALPHA2", 5.0}, {"MU3", -0.1}, {"ALPHA3", -2.0}});
}
constexpr double kMu[3] = {6.3, 0.012, -0.1}, kAlpha[3] = {1.3, 5.0, -2.0};
double ogden_shear() {
  double g = 0;
  for (int j = 0; j < 3; ++j) g += 0.5 * kMu[j] * kAlpha[j];
  return g;
}

// Ogden (1972), eqs. 28 and 30, of incompressible rubber: differences of principal stresses.
TEST(OgdenRubber, DifferencesOfStressesArePowersOfStretches) {
  const Prepared law = ogden();
  EXPECT_NEAR(law.elastic.shear, ogden_shear(), 1e-12);
  for (const double l : {2.5, 1.2, 0.6}) {
    StretchedPoint strip(law), sheet(law);
    const double side = 1 / std::sqrt(l), thick = 1 / (l * l);
    strip.to(l, side, side);
    sheet.to(l, l, thick);
    double pulled = 0, biaxial = 0;
    for (int j = 0; j < 3; ++j) {
      pulled += kMu[j] * (std::pow(l, kAlpha[j]) - std::pow(side, kAlpha[j]));
      biaxial += kMu[j] * (std::pow(l, kAlpha[j]) - std::pow(thick, kAlpha[j]));
    }
    EXPECT_NEAR(strip.solid.point.s[0] - strip.solid.point.s[1], pulled, 1e-5 * std::abs(pulled)) << l;
    EXPECT_NEAR(sheet.solid.point.s[1] - sheet.solid.point.s[2], biaxial, 1e-5 * std::abs(biaxial)) << l;
    EXPECT_NEAR(sheet.solid.point.s[0], sheet.solid.point.s[1], 1e-5 * std::abs(biaxial));
  }
}

TEST(OgdenRubber, PressureIsThatOfTheVolumeAlone) {
  const Prepared law = ogden();
  const double bulk = 2 * ogden_shear() * (1 + kNu) / (3 * (1 - 2 * kNu));
  EXPECT_NEAR(law.elastic.bulk, bulk, 1e-9 * bulk);
  StretchedPoint point(law);
  point.to(1.1, 0.9, 0.98);
  const double j = 1.1 * 0.9 * 0.98;
  const double mean = (point.solid.point.s[0] + point.solid.point.s[1] + point.solid.point.s[2]) / 3;
  EXPECT_NEAR(mean, bulk * (1 - 1 / j), 1e-9 * bulk);
}

TEST(OgdenRubber, WorkIsTheStrainEnergyAndComesBack) {
  const Prepared law = ogden();
  StretchedPoint point(law);
  point.to(1.6, 0.8, 0.79);
  const double j = 1.6 * 0.8 * 0.79, bulk = 2 * ogden_shear() * (1 + kNu) / (3 * (1 - 2 * kNu));
  double energy = bulk * (j - 1 - std::log(j));
  for (int k = 0; k < 3; ++k)
    for (const double l : {1.6, 0.8, 0.79})
      energy += kMu[k] / kAlpha[k] * (std::pow(l / std::cbrt(j), kAlpha[k]) - 1);
  EXPECT_NEAR(point.work, energy, 1e-4 * energy);
  point.to(1, 1, 1);
  EXPECT_NEAR(point.work, 0, 1e-4 * energy);
}

// mu = 2 C10, alpha = 2 and mu = -2 C01, alpha = -2 is Mooney's rubber: W = C10 (J1 - 3) + C01 (J2 - 3).
TEST(OgdenRubber, OfPowersTwoIsThatOfTheInvariants) {
  const Prepared powers = rubber(771, {{"MU1", 2.0}, {"ALPHA1", 2.0}, {"MU2", -0.6}, {"ALPHA2", -2.0}});
  const Prepared invariants = rubber(77, {{"C10", 1.0}, {"C01", 0.3}});
  EXPECT_NEAR(powers.elastic.shear, invariants.elastic.shear, 1e-12);
  Solid<double> a(powers), b(invariants);
  a.point.volume_ratio = b.point.volume_ratio = 1;
  for (Solid<double>* solid : {&a, &b}) solid->steps(500, {0.5, -0.3, -0.2, 0.8, -0.4, 0.3});
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(a.point.s[k], b.point.s[k], 1e-10);
}

// s_1 - s_3 = 2 (l^2 - 1 / l) (W1 + W2 / l) of an incompressible strip, Rivlin and Saunders 1951.
TEST(HyperelasticRubber, StripPulledAndPressed) {
  const double c10 = 1.0, c01 = 0.2, c11 = 0.03, c20 = 0.05, c02 = 0.01, c30 = 0.004;
  const Prepared law =
      rubber(77, {{"C10", c10}, {"C01", c01}, {"C11", c11}, {"C20", c20}, {"C02", c02}, {"C30", c30}});
  for (const double l : {2.0, 1.1, 0.5}) {
    StretchedPoint point(law);
    point.to(l, 1 / std::sqrt(l), 1 / std::sqrt(l));
    const double x = l * l + 2 / l - 3, y = 2 * l + 1 / (l * l) - 3;
    const double w1 = c10 + c11 * y + 2 * c20 * x + 3 * c30 * x * x, w2 = c01 + c11 * x + 2 * c02 * y;
    const double exact = 2 * (l * l - 1 / l) * (w1 + w2 / l);
    EXPECT_NEAR(point.solid.point.s[0] - point.solid.point.s[2], exact, 1e-5 * std::abs(exact)) << l;
  }
}

TEST(HyperelasticRubber, WorkIsTheStrainEnergy) {
  const Prepared law =
      rubber(77, {{"C10", 1.0}, {"C01", 0.2}, {"C11", 0.03}, {"C20", 0.05}, {"C30", 0.004}}, 0.49);
  StretchedPoint point(law);
  point.to(1.5, 0.8, 0.8);
  const double j = 1.5 * 0.64, s = std::pow(j, -2.0 / 3), bulk = 2 * 2.4 * 1.49 / (3 * 0.02);
  const double x = s * (2.25 + 0.64 + 0.64) - 3, y = s * s * (2.25 * 0.64 * 2 + 0.64 * 0.64) - 3;
  const double energy =
      x + 0.2 * y + 0.03 * x * y + 0.05 * x * x + 0.004 * x * x * x + bulk / 2 * (j - 1) * (j - 1);
  EXPECT_NEAR(point.work, energy, 1e-4 * energy);
}

TEST(HyperelasticRubber, IsHookesLawAtSmallStrain) {
  for (const Prepared& law : {rubber(77, {{"C10", 1.0}, {"C01", 0.2}}), ogden()}) {
    Solid<double> solid(law);
    const double strain = 1e-7;
    solid.point.volume_ratio = 1 + strain;
    solid.step({strain, 0, 0, 0, 2e-7, 0});
    EXPECT_NEAR(solid.point.s[0] / strain, law.elastic.bulk + 4 * law.elastic.shear / 3,
                1e-5 * law.elastic.bulk);
    EXPECT_NEAR(solid.point.s[4] / 2e-7, law.elastic.shear, 1e-5 * law.elastic.shear);
  }
}

// Two Maxwell elements at a constant strain rate, then held: 2 G e' / b (1 - exp(-b t)) exp(-b (T - t)).
TEST(RubberByConstants, PronyTermsAreAddedAndRelax) {
  for (const int number : {77, 771}) {
    const Fields elastic = {{"C10", 1.0}, {"MU1", 2.0}, {"ALPHA1", 2.0}};
    const Prepared slow = rubber(number, elastic);
    const Prepared fast = rubber(number, {{"C10", 1.0},
                                          {"MU1", 2.0},
                                          {"ALPHA1", 2.0},
                                          {"GI1", 3.0},
                                          {"BETAI1", 10.0},
                                          {"GI2", 0.5},
                                          {"BETAI2", 0.2}});
    EXPECT_NEAR(fast.elastic.shear, slow.elastic.shear + 3.5, 1e-12);
    EXPECT_NEAR(fast.elastic.bulk, slow.elastic.bulk, 1e-9);
    StretchedPoint a(slow), b(fast);
    const double l = 1.3, side = 1 / std::sqrt(l), time = 0.25, hold = 0.4;
    for (StretchedPoint* point : {&a, &b}) {
      point->to(l, side, side, time, 100);
      point->to(l, side, side, hold, 10);
    }
    const auto left = [&](double g, double beta) {
      return 2 * g * std::log(l) / time / beta * (1 - std::exp(-beta * time)) * std::exp(-beta * hold);
    };
    EXPECT_NEAR(b.solid.point.s[0] - a.solid.point.s[0], left(3.0, 10.0) + left(0.5, 0.2), 1e-6);
  }
}

TEST(RubberByConstants, RefuseWhatIsNotSupported) {
  for (const int number : {77, 771}) {
    const auto given = [&](const std::string& field, double value) {
      return rubber(number, {{"C10", 1.0}, {"MU1", 1.0}, {"ALPHA1", 2.0}, {field, value}});
    };
    for (const auto& [field, value] :
         {std::pair{"N", 1.0}, {"SIGF", 0.1}, {"REF", 2.0}, {"VFLAG", 1.0}, {"GI1", -1.0}})
      EXPECT_THROW(given(field, value), Error) << field;
    EXPECT_THROW(rubber(number, {{"C10", 1.0}, {"MU1", 1.0}, {"ALPHA1", 2.0}}, 0.5), Error);
    EXPECT_THROW(rubber(number, {{"C10", 1.0}, {"MU1", 1.0}, {"ALPHA1", 2.0}}, -0.49), Error);
    EXPECT_THROW(rubber(number, {{"C10", -1.0}, {"MU1", 1.0}, {"ALPHA1", -2.0}}), Error);
  }
}

}  // namespace
}  // namespace crumple::materials
