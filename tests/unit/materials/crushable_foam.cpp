// MAT_063: yield over volumetric strain, elastic unloading, the cut-off in tension, and directions by
// themselves.
#include <gtest/gtest.h>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kSlope = 8;

model::Model crushable_model() {
  model::Model m;
  m.curves = {curve(5, {0, 0.4, 0.6, 0.7}, {0.1, 0.2, 0.4, 1.2}), curve(6, {0, 0.5}, {0.2, 0.2}),
              curve(7, {0, 0.5}, {0.2, -0.2})};
  return m;
}
Prepared crushable(std::initializer_list<std::pair<const std::string, double>> fields = {}) {
  model::Material m = material(63, {{"E", 3.0}, {"PR", 0.0}, {"LCID", 5.0}, {"TSC", 0.05}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return prepare(crushable_model(), m);
}
double yield(double strain) { return crushable_model().curves[0](strain); }

TEST(CrushableFoam, YieldsAtItsCurveAndUnloadsByTheSlopeOfItsEnd) {
  const Prepared law = crushable();
  StretchedPoint point(law);
  point.to(0.999, 1, 1);
  EXPECT_NEAR(point.solid.point.s[0], kSlope * std::log(0.999), 1e-9);
  for (const double l : {0.8, 0.5, 0.35}) {
    point.to(l, 1, 1);
    EXPECT_NEAR(point.solid.point.s[0], -yield(1 - l), 1e-9) << l;
    EXPECT_EQ(point.solid.point.s[1], 0);
  }
  point.to(0.36, 1, 1);
  EXPECT_NEAR(point.solid.point.s[0], -yield(0.65) + kSlope * std::log(0.36 / 0.35), 1e-9);
  point.to(0.6, 1, 1);  // it stays crushed, and pulls with TSC
  EXPECT_NEAR(point.solid.point.s[0], 0.05, 1e-12);
  point.to(0.59, 1, 1);
  EXPECT_NEAR(point.solid.point.s[0], 0.05 + kSlope * std::log(0.59 / 0.6), 1e-9);
}

// Pressed on two sides, the volumetric strain is that of both and each principal stress reaches its yield
// stress.
TEST(CrushableFoam, OneVolumeButNoOtherCoupling) {
  const Prepared law = crushable();
  StretchedPoint point(law);
  point.to(0.8, 0.7, 1);
  EXPECT_NEAR(point.solid.point.s[0], -yield(1 - 0.56), 1e-9);
  EXPECT_NEAR(point.solid.point.s[1], -yield(1 - 0.56), 1e-9);
  EXPECT_NEAR(point.solid.point.s[2], 0, 1e-12);
}

// Pure shear of a constant volume yields at principal stresses of opposite sign: compression by the curve,
// tension by TSC.
TEST(CrushableFoam, PrincipalStressesAreLimitedInAnyAxes) {
  const Prepared law = crushable({{"TSC", 0.3}});
  Solid<double> solid(law);
  solid.point.volume_ratio = 1;
  solid.step({0, 0, 0, 0.02, 0, 0});
  EXPECT_NEAR(solid.point.s[3], 0.5 * kSlope * 0.02, 1e-12);
  solid.steps(100, {0, 0, 0, 0.5, 0, 0});
  EXPECT_NEAR(solid.point.s[0], 0.5 * (0.3 - 0.1), 1e-9);
  EXPECT_NEAR(solid.point.s[3], 0.5 * (0.3 + 0.1), 1e-9);
  EXPECT_NEAR(solid.point.s[1], 0.5 * (0.3 - 0.1), 1e-9);
}

TEST(CrushableFoam, StableStepIsThatOfItsModulus) {
  EXPECT_DOUBLE_EQ(crushable().elastic.young, kSlope);
  EXPECT_DOUBLE_EQ(crushable({{"E", 20.0}}).elastic.young, 20);
  EXPECT_EQ(crushable({{"DAMP", 0.2}}).damping, 0.2);
}

TEST(CrushableFoam, RefusesWhatIsNotSupported) {
  for (const auto& [field, value] : {std::pair{"MODEL", 1.0},
                                     {"LCID", 6.0},
                                     {"LCID", 7.0},
                                     {"LCID", 9.0},
                                     {"E", 0.0},
                                     {"TSC", -1.0},
                                     {"DAMP", -1.0}})
    EXPECT_THROW(crushable({{field, value}}), Error) << field << ' ' << value;
}

}  // namespace
}  // namespace crumple::materials
