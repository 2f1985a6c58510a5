// MAT_181 against the test that its curve is, as rubber and as foam, and against MAT_027's closed form.
#include <gtest/gtest.h>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kA = 1.0, kB = 0.3;

/// Nominal stress of Mooney's rubber in uniaxial tension (Rivlin 1948).
double mooney(double l) { return 2 * (l - 1 / (l * l)) * (kA + kB / l); }

/// Curve 5: that rubber; 6: its force over the elongation of a strip of 20 by 3 by 2; 7: a foam; 8 and 9: not
/// usable.
model::Model strips() {
  model::Model m;
  model::Curve rubber = curve(5, {}, {}), strip = curve(6, {}, {});
  for (int k = 0; k <= 270; ++k) {
    const double strain = 0.01 * (k - 70);
    rubber.x.push_back(strain);
    rubber.y.push_back(mooney(1 + strain));
    strip.x.push_back(20 * strain);
    strip.y.push_back(6 * mooney(1 + strain));
  }
  m.curves = {rubber, strip, curve(7, {-0.8, -0.6, -0.1, 0, 0.5}, {-1.0, -0.2, -0.1, 0, 0.4}),
              curve(8, {0, 1}, {0, 1}), curve(9, {-0.5, 1}, {0, 1})};
  m.tables = {{50, {1.0, 2.0}, {0, 0}}};
  return m;
}
Prepared rubber(std::initializer_list<std::pair<const std::string, double>> fields = {}) {
  model::Material m =
      material(181, {{"KM", 500.0}, {"SGL", 1.0}, {"SW", 1.0}, {"ST", 1.0}, {"LC/TBID", 5.0}, {"MU", 0.1}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return prepare(strips(), m);
}

TEST(SimplifiedRubber, GivesTheTestOfTheStripBack) {
  for (const Prepared& law : {rubber(), rubber({{"LC/TBID", 6.0}, {"SGL", 20.0}, {"SW", 3.0}, {"ST", 2.0}})})
    for (const double l : {2.2, 1.3, 0.95, 0.6}) {
      StretchedPoint point(law);
      point.to(l, 1 / std::sqrt(l), 1 / std::sqrt(l));
      EXPECT_NEAR(point.solid.point.s[0] - point.solid.point.s[1], l * mooney(l),
                  3e-3 * std::abs(l * mooney(l)))
          << l;
    }
}

// What the strip's curve does not say by itself: the stress of a sheet, 2 (l^2 - 1 / l^4) (A + B l^2).
TEST(SimplifiedRubber, KnowsOtherTestsOfTheSameRubber) {
  const Prepared law = rubber();
  for (const double l : {1.3, 0.8}) {
    StretchedPoint sheet(law);
    sheet.to(l, l, 1 / (l * l));
    const double exact = 2 * (l * l - std::pow(l, -4)) * (kA + kB * l * l);
    EXPECT_NEAR(sheet.solid.point.s[0] - sheet.solid.point.s[2], exact, 1e-2 * std::abs(exact)) << l;
  }
}

TEST(SimplifiedRubber, PressureIsThatOfTheVolume) {
  const Prepared law = rubber();
  StretchedPoint point(law);
  point.to(0.97, 0.97, 0.97);
  const double j = std::pow(0.97, 3);
  EXPECT_NEAR(point.solid.point.s[0], 500 * (1 - 1 / j), 1e-6);
  EXPECT_EQ(law.damping, 0.1);
}

TEST(SimplifiedRubber, FoamGivesTheTestOfTheStripBack) {
  for (const double nu : {0.05, 0.3}) {
    const Prepared law = rubber({{"LC/TBID", 7.0}, {"PR/BETA", nu}});
    for (const double l : {1.3, 0.8, 0.3}) {
      StretchedPoint point(law);
      const double side = std::pow(l, -nu);
      point.to(l, side, side);
      EXPECT_NEAR(point.nominal(0), strips().curves[2](l - 1), 2e-3) << nu << ' ' << l;
      EXPECT_NEAR(point.nominal(1), 0, 2e-3);
    }
  }
}

TEST(SimplifiedRubber, WorkComesBackUnlessHuTakesIt) {
  for (const double nu : {0.0, 0.2}) {
    const Prepared law = rubber({{"PR/BETA", nu}}),
                   losing = rubber({{"PR/BETA", nu}, {"HU", 0.3}, {"SHAPE", 2.0}});
    StretchedPoint a(law), b(losing);
    for (StretchedPoint* point : {&a, &b}) {
      point->to(1.6, 0.85, 0.75);
      EXPECT_GT(point->work, 0.1);
    }
    EXPECT_NEAR(a.work, b.work, 1e-9);
    const double most = a.work;
    // half way back, stresses are those of (W / W_max)^2
    for (StretchedPoint* point : {&a, &b}) point->to(1.3, 0.93, 0.83);
    const double factor = 1 - 0.7 * (1 - std::pow(a.work / most, 2));
    const double wanted = factor * a.solid.point.s[0];
    if (nu > 0) {
      EXPECT_NEAR(b.solid.point.s[0], wanted, 1e-3 * std::abs(wanted));
    }
    for (StretchedPoint* point : {&a, &b}) point->to(1, 1, 1);
    EXPECT_NEAR(a.work, 0, 1e-3 * most);
    EXPECT_GT(b.work, 0.1 * most);
  }
}

TEST(SimplifiedRubber, StableStepIsThatOfTheSteepestSlope) {
  const Prepared foam = rubber({{"LC/TBID", 7.0}, {"PR/BETA", 1e-6}});
  EXPECT_GE(foam.elastic.young, 4 * 0.2 - 1.0);
  const Prepared law = rubber();
  EXPECT_GE(law.elastic.shear, 2 * (kA + kB) * 0.99);
  EXPECT_NEAR(law.elastic.bulk, 500, 1e-9);
}

TEST(SimplifiedRubber, RefusesWhatIsNotSupported) {
  for (const auto& [field, value] : {std::pair{"LC/TBID", 50.0},
                                     {"LC/TBID", 8.0},
                                     {"LC/TBID", 9.0},
                                     {"LC/TBID", 99.0},
                                     {"LCUNLD", 5.0},
                                     {"SIGF", 1.0},
                                     {"VISCO", 1.0},
                                     {"REF", 2.0},
                                     {"PR/BETA", 0.6},
                                     {"PR/BETA", -0.1},
                                     {"SGL", 0.0},
                                     {"KM", 0.0}})
    EXPECT_THROW(rubber({{field, value}}), Error) << field << ' ' << value;
}

}  // namespace
}  // namespace crumple::materials
