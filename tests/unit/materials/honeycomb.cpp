// MAT_026 and MAT_126: yield by curves along each axis, moduli that grow with compaction, the compacted
// state, turned axes, rates and failure.
#include "materials/orthotropic/honeycomb.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stretched_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

constexpr double kE = 70, kNu = 0.3, kSigy = 0.2, kVf = 0.2;
constexpr double kModuli[6] = {1.0, 0.5, 0.6, 0.4, 0.3, 0.2};

model::Model honeycomb_model() {
  model::Model m;
  m.curves = {curve(1, {-0.1, 0.0, 0.5, 0.7, 0.8}, {2e-3, 2e-3, 2.5e-3, 6e-3, 3e-2}),
              curve(2, {0.0, 0.8}, {1e-4, 5e-4}),
              curve(3, {0.2, 0.3, 0.5, 1.0, 1.1}, {3e-2, 6e-3, 2.5e-3, 2e-3, 2e-3}),  // 1 over V
              curve(4, {0, 1, 10}, {1, 2, 3}),
              curve(5, {0.0, 0.8}, {2e-4, 1e-3}),
              curve(6, {-5, 0, 5}, {1, 2, 4}),
              curve(7, {0.0, 0.8}, {1e-4, -5e-4}),
              curve(8, {0.0, 0.5, 1.0}, {2e-3, 3e-3, 9e-3})};
  return m;
}
model::Material honeycomb_material(int law, Fields fields) {
  return with_fields(with_fields(material(law, {{"E", kE},
                                                {"PR", kNu},
                                                {"SIGY", kSigy},
                                                {"VF", kVf},
                                                {"LCA", 1.0},
                                                {"LCB", 2.0},
                                                {"LCS", 5.0}}),
                                 {{"EAAU", kModuli[0]},
                                  {"EBBU", kModuli[1]},
                                  {"ECCU", kModuli[2]},
                                  {"GABU", kModuli[3]},
                                  {"GBCU", kModuli[4]},
                                  {"GCAU", kModuli[5]}}),
                     fields);
}
Prepared honeycomb(Fields fields = {}, int law = 26) {
  return prepare(honeycomb_model(), honeycomb_material(law, fields));
}
double yield_of(int id, double x) { return honeycomb_model().curves[std::size_t(id - 1)](x); }
double modulus_at(int k, double pressed) {
  const double end = k < 3 ? kE : kE / (2 * (1 + kNu));
  return kModuli[k] + pressed / (1 - kVf) * (end - kModuli[k]);
}

TEST(Honeycomb, ElasticWithoutCouplingThenTheYieldStressOfItsAxis) {
  const Prepared law = honeycomb();
  StretchedPoint point(law);
  point.to(0.9999, 1, 1, 1, 1);
  EXPECT_NEAR(point.solid.point.s[0], modulus_at(0, 1e-4) * std::log(0.9999), 1e-15);
  for (const double l : {0.9, 0.5, 0.35, 0.22}) {
    point.to(l, 1, 1);
    EXPECT_NEAR(point.solid.point.s[0], -yield_of(1, 1 - l), 1e-12) << l;
    for (int k = 1; k < 6; ++k) EXPECT_EQ(point.solid.point.s[k], 0) << k;
  }
}

// LCC is LCA, LCAB, LCBC and LCCA are LCS.
TEST(Honeycomb, CurvesThatAreNotGiven) {
  const Prepared law = honeycomb();
  Solid<double> solid(law);
  solid.point.volume_ratio = 0.6;
  for (int k = 0; k < 10; ++k) solid.step({-0.1, 0.1, -0.1, 0.1, -0.1, 0.1});
  const double expected[6] = {-yield_of(1, 0.4), yield_of(2, 0.4),  -yield_of(1, 0.4),
                              yield_of(5, 0.4),  -yield_of(5, 0.4), yield_of(5, 0.4)};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(solid.point.s[k], expected[k], 1e-15) << k;
  const Prepared all = honeycomb({{"LCS", 0.0}, {"LCBC", 2.0}});
  Solid<double> other(all);
  other.point.volume_ratio = 0.6;
  for (int k = 0; k < 10; ++k) other.step({0, 0, 0, 0.1, -0.1, 0.1});
  EXPECT_NEAR(other.point.s[3], yield_of(1, 0.4), 1e-15);
  EXPECT_NEAR(other.point.s[4], -yield_of(2, 0.4), 1e-15);
}

TEST(Honeycomb, CurvesOverTheRelativeVolume) {
  const Prepared strain = honeycomb(), volume = honeycomb({{"LCA", 3.0}});
  StretchedPoint one(strain), other(volume);
  for (const double l : {1.02, 0.8, 0.4, 0.21}) {
    one.to(l, 1, 1);
    other.to(l, 1, 1);
    EXPECT_NEAR(one.solid.point.s[0], other.solid.point.s[0], 1e-12) << l;
  }
}

// The modulus of unloading is that of the smallest volume.
TEST(Honeycomb, UnloadsByTheModulusOfItsCompaction) {
  const Prepared law = honeycomb();
  StretchedPoint point(law);
  point.to(0.6, 1, 1);
  const double before = point.solid.point.s[0], modulus = modulus_at(0, 0.4);
  const double rise = 1e-3 / modulus;
  point.to(0.6 * std::exp(rise), 1, 1);
  EXPECT_NEAR(point.solid.point.s[0], before + 1e-3, 1e-12);
  point.to(0.6 * std::exp(0.5 * rise), 1, 1);
  EXPECT_NEAR(point.solid.point.s[0], before + 0.5e-3, 1e-12);
  point.to(0.75, 1, 1);  // pulled, to the curve of the volume that it has now
  EXPECT_NEAR(point.solid.point.s[0], yield_of(1, 0.25), 1e-12);
}

// Beyond VF: Hooke's law from the stress there, then von Mises; the pressure stays elastic.
TEST(Honeycomb, CompactedIsIsotropicAndIdeallyPlastic) {
  const Prepared law = honeycomb();
  const double bulk = kE / (3 * (1 - 2 * kNu));
  StretchedPoint point(law);
  point.to(0.2 * (1 + 1e-9), 1, 1, 1, 20000);
  const double start = point.solid.point.s[0];
  EXPECT_NEAR(start, -3e-2, 1e-9);
  const double small = 1e-3;
  point.to(0.2 * std::exp(-small), 1, 1, 1, 1);
  const double lame = bulk - 2.0 / 3 * kE / (2 * (1 + kNu));
  EXPECT_NEAR(point.solid.point.s[0] - start, -(lame + kE / (1 + kNu)) * small, 1e-7);
  EXPECT_NEAR(point.solid.point.s[1], -lame * small, 1e-7);
  point.to(0.18, 1, 1);
  const auto& s = point.solid.point.s;
  EXPECT_NEAR(mises(s), kSigy, 1e-12);
  EXPECT_NEAR((s[0] + s[1] + s[2]) / 3, start / 3 + bulk * std::log(0.18 / 0.2), 1e-6);
  point.to(0.25, 1, 1);  // opens again: its curves
  EXPECT_NEAR(s[0], yield_of(1, 0.75), 1e-12);
  EXPECT_NEAR(s[1], -yield_of(2, 0.75), 1e-12) << "pressed still, as this side was not moved";
}

TEST(Honeycomb, TurnedAxes) {
  const Prepared law = honeycomb();
  const double angle = 0.6, c = std::cos(angle), s = std::sin(angle);
  Solid<double> straight(law), turned(law);
  const double axes[9] = {c, s, 0, -s, c, 0, 0, 0, 1};
  for (int k = 0; k < 9; ++k) turned.point.history.store(k, axes[k] - (k % 4 == 0 ? 1 : 0));
  for (auto* of : {&straight, &turned}) of->point.volume_ratio = 0.9;
  const double e[6] = {-1e-3, 2e-4, 0, 4e-4, 1e-4, -2e-4};
  straight.step({e[0], e[1], e[2], e[3], e[4], e[5]});
  const double ab = 0.5 * e[3];
  turned.step({c * c * e[0] + s * s * e[1] - 2 * s * c * ab, s * s * e[0] + c * c * e[1] + 2 * s * c * ab,
               e[2], 2 * (s * c * (e[0] - e[1]) + (c * c - s * s) * ab), s * e[5] + c * e[4],
               c * e[5] - s * e[4]});
  const auto& a = straight.point.s;
  const double expected[6] = {c * c * a[0] + s * s * a[1] - 2 * s * c * a[3],
                              s * s * a[0] + c * c * a[1] + 2 * s * c * a[3],
                              a[2],
                              s * c * (a[0] - a[1]) + (c * c - s * s) * a[3],
                              s * a[5] + c * a[4],
                              c * a[5] - s * a[4]};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(turned.point.s[k], expected[k], 1e-16) << k;
  EXPECT_NE(a[0], 0);
}

// The axes turn with the material: after a quarter turn about z the axis a is along y.
TEST(Honeycomb, AxesTurn) {
  const Prepared law = honeycomb();
  Solid<double> solid(law);
  solid.point.volume_ratio = 0.9;
  const double c = std::cos(M_PI / 30), s = std::sin(M_PI / 30);
  const double turn[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
  solid.point.rotation = turn;
  for (int k = 0; k < 15; ++k) solid.step({0, 0, 0, 0, 0, 0});
  solid.point.rotation = nullptr;
  for (int k = 0; k < 10; ++k) solid.step({-0.1, -0.1, 0, 0, 0, 0});
  EXPECT_NEAR(solid.point.s[1], -yield_of(1, 0.1), 1e-12);
  EXPECT_NEAR(solid.point.s[0], -yield_of(2, 0.1), 1e-12);
  EXPECT_NEAR(solid.point.s[3], 0, 1e-12);
}

// Pulled at the rate r of e_aa: the effective rate of the deviator is 2/3 r.
TEST(Honeycomb, RateScalesYieldStresses) {
  const Prepared law = honeycomb({{"LCSR", 4.0}});
  for (const double rate : {0.0, 0.75, 6.0, 100.0}) {
    StretchedPoint point(law);
    point.to(0.7, 1, 1, rate > 0 ? -std::log(0.7) / rate : 1e9, 100);
    const double factor = honeycomb_model().curves[3](2.0 / 3 * rate);
    EXPECT_NEAR(point.solid.point.s[0], -factor * yield_of(1, 0.3), 1e-9) << rate;
  }
}

TEST(Honeycomb, FailsByStrainsOfItsAxes) {
  const Prepared law = honeycomb({{"TSEF", 0.1}, {"SSEF", 0.2}});
  for (int k = 0; k < 6; ++k) {
    const double limit = k < 3 ? 0.1 : 0.2;
    Solid<double> solid(law);
    solid.point.volume_ratio = 1;
    double d[6] = {};
    d[k] = k < 3 ? 0.99 * limit : -0.99 * limit;
    solid.step(d);
    EXPECT_FALSE(solid.point.failed) << k;
    EXPECT_NE(solid.point.s[k], 0) << k;
    d[k] *= 0.02;
    solid.step(d);
    EXPECT_TRUE(solid.point.failed) << k;
    EXPECT_EQ(solid.point.s[k], 0) << k;
    d[k] *= -10;
    solid.step(d);
    EXPECT_TRUE(solid.point.failed) << "stays failed " << k;
    EXPECT_EQ(solid.point.s[k], 0) << k;
  }
  Solid<double> pressed(law);
  pressed.point.volume_ratio = 0.5;
  pressed.step({-0.7, 0, 0, 0, 0, 0});
  EXPECT_FALSE(pressed.point.failed) << "TSEF is of tension";
}

// Two sides are pressed, but each axis has its own strain.
TEST(ModifiedHoneycomb, CurvesOverTheStrainOfEachAxis) {
  const Prepared law = honeycomb({{"LCA", 8.0}, {"LCB", 8.0}}, 126);
  StretchedPoint point(law);
  point.to(0.7, 0.9, 1);
  EXPECT_NEAR(point.solid.point.s[0], -yield_of(8, -std::log(0.7)), 1e-12);
  EXPECT_NEAR(point.solid.point.s[1], -yield_of(8, -std::log(0.9)), 1e-12);
  Solid<double> solid(law);
  solid.point.volume_ratio = 1;
  solid.steps(100, {0, 0, 0, 0, 0, -0.6});
  EXPECT_NEAR(solid.point.s[5], -yield_of(5, 0.6), 1e-12);
  solid.steps(100, {0, 0, 0, 0, 0, 1.4});
  EXPECT_NEAR(solid.point.s[5], yield_of(5, 0.8), 1e-12);
}

TEST(ModifiedHoneycomb, RatesOfEachComponent) {
  const Prepared law = honeycomb({{"LCSR", -1.0}, {"LCSRA", 6.0}, {"LCSRCA", 6.0}}, 126);
  const double rate = std::exp(2.5) * 1.5;  // of e_aa; 2/3 is that of its deviator
  StretchedPoint point(law);
  point.to(0.7, 1, 1, -std::log(0.7) / rate, 100);
  EXPECT_NEAR(point.solid.point.s[0], -3 * yield_of(1, -std::log(0.7)), 1e-12);
  Solid<double> solid(law);
  solid.point.volume_ratio = 1;
  solid.steps(10, {0, 0, 0, 0, 0.4, 0.4}, 0.1);  // gamma at the rate 4, tensor strain 2
  EXPECT_NEAR(solid.point.s[5], (2 + 2 * std::log(2.0) / 5) * yield_of(5, 0.4), 1e-12);
  EXPECT_NEAR(solid.point.s[4], yield_of(5, 0.4), 1e-12) << "no curve of its own";
}

TEST(Honeycomb, StableStepIsThatOfTheStiffestState) {
  const Prepared law = honeycomb(), stiff = honeycomb({{"EAAU", 500.0}});
  EXPECT_DOUBLE_EQ(law.elastic.young, kE);
  EXPECT_NEAR(stiff.elastic.bulk + 4 * stiff.elastic.shear / 3, 500, 1e-9);
  EXPECT_FALSE(law.bulk_viscosity);
  EXPECT_TRUE(honeycomb({{"BULK", 1.0}}).bulk_viscosity);
}

TEST(Honeycomb, RefusesWhatIsNotSupported) {
  const auto id = [](int law, Fields fields) -> std::string {
    try {
      honeycomb(fields, law);
    } catch (const Error& error) {
      return error.id();
    }
    return "";
  };
  for (const int law : {26, 126}) {
    EXPECT_EQ(id(law, {}), "");
    EXPECT_EQ(id(law, {{"LCA", 0.0}}), "CR-M103");
    EXPECT_EQ(id(law, {{"LCB", 99.0}}), "CR-M106");
    EXPECT_EQ(id(law, {{"LCC", 7.0}}), "CR-M107");
    EXPECT_EQ(id(law, {{"LCSR", 99.0}}), "CR-M106");
    EXPECT_EQ(id(law, {{"VF", 1.0}}), "CR-M108");
    EXPECT_EQ(id(law, {{"SIGY", 0.0}}), "CR-M103");
    EXPECT_EQ(id(law, {{"GBCU", 0.0}}), "CR-M103");
    EXPECT_EQ(id(law, {{"TSEF", -1.0}}), "CR-M108");
  }
  EXPECT_EQ(id(126, {{"LCA", -1.0}}), "CR-M105");
  EXPECT_EQ(id(126, {{"ECCU", -1.0}}), "CR-M105");
  EXPECT_EQ(id(126, {{"VREF", 0.5}}), "CR-M105");
  EXPECT_EQ(id(126, {{"TREF", 0.5}}), "CR-M105");
  EXPECT_EQ(id(26, {{"LCSR", -1.0}}), "CR-M106");
}

}  // namespace
}  // namespace crumple::materials
