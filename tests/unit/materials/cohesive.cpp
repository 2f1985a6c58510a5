// Cohesive laws: the energy of modes alone and mixed against closed forms, unloading, compression, failure,
// the derivatives and the lanes of vectors, what is refused.
#include "unit/every_law.hpp"
//
#include <gtest/gtest.h>

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

/// A point led along a path of separations.
template <class V = double>
class Layer {
 public:
  Layer(const Prepared& law, double size = 1) : law_(law), history_(64, simd::scalar_t<V>(0)) {
    point.damage = V(0);
    point.size = V(size);
    point.dt = V(1e-3);
    point.history = {history_.data(), simd::width_v<V>};
  }
  void to(V a, V b, V c) {
    const V d[3] = {a, b, c};
    for (int k = 0; k < 3; ++k) point.d[k] = d[k];
    update_here(law_.law, point);
  }
  void keep(int variable, V value) { point.history.store(variable, value); }
  CohesivePoint<V> point{};

 private:
  const Prepared& law_;
  std::vector<simd::scalar_t<V>> history_;
};

/// Energies of mode I and II taken on a straight path to complete failure.
struct Energies {
  double one = 0, two = 0, at_failure = 0;
};
Energies energies(const Prepared& law, double angle, double size = 1, double turned = 0.7) {
  Layer<> layer(law, size);
  const double along = std::sin(angle), across = std::cos(angle);
  Energies sum;
  double before[3] = {0, 0, 0};
  constexpr double step = 2e-6;
  for (int k = 1; !layer.point.failed && k < 200000; ++k) {
    const double u = k * step;
    layer.to(u * along * std::cos(turned), u * along * std::sin(turned), u * across);
    const double(&s)[3] = layer.point.s;
    sum.two +=
        0.5 * step * along * ((before[0] + s[0]) * std::cos(turned) + (before[1] + s[1]) * std::sin(turned));
    sum.one += 0.5 * step * across * (before[2] + s[2]);
    for (int i = 0; i < 3; ++i) before[i] = s[i];
    sum.at_failure = u;
  }
  EXPECT_TRUE(layer.point.failed) << angle;
  return sum;
}

/// GPa and mm: peaks of 30 and 50 MPa.
constexpr double kGic = 0.5e-3, kGiic = 2e-3, kT = 0.03, kS = 0.05, kEn = 100, kEt = 60;
model::Material mixed_mode(Fields fields = {}) {
  return with_fields(
      material(
          138,
          {{"EN", kEn}, {"ET", kEt}, {"GIC", kGic}, {"GIIC", kGiic}, {"T", kT}, {"S", kS}, {"XMU", 1.0}}),
      fields);
}
model::Material tvergaard(Fields fields = {}) {
  return with_fields(material(185, {{"SIGMAX", 0.03},
                                    {"NLS", 0.04},
                                    {"TLS", 0.05},
                                    {"LAMDA1", 0.01},
                                    {"LAMDA2", 0.5},
                                    {"LAMDAF", 1.0},
                                    {"STFSF", 2.0}}),
                     fields);
}
model::Material general(double type, Fields fields = {}) {
  return with_fields(
      material(
          186,
          {{"TES", type}, {"TSLC", 3.0}, {"GIC", kGic}, {"GIIC", kGiic}, {"XMU", 1.5}, {"T", kT}, {"S", kS}}),
      fields);
}
model::Material elastic(Fields fields = {}) {
  return with_fields(material(184, {{"ET", kEt}, {"EN", kEn}}), fields);
}
/// A layer of the thickness 0.2 with the stiffnesses of the others.
constexpr double kThick = 0.2, kShare1 = 0.4, kShare2 = 0.6;
model::Material elastoplastic(Fields fields = {}) {
  return with_fields(material(240, {{"EMOD", kThick * kEn},
                                    {"GMOD", kThick * kEt},
                                    {"THICK", kThick},
                                    {"G1C_0", kGic},
                                    {"T0", kT},
                                    {"FG1", kShare1},
                                    {"G2C_0", kGiic},
                                    {"S0", kS},
                                    {"FG2", kShare2}}),
                     fields);
}
model::Model curves() {
  model::Model m;
  m.curves = {curve(3, {0, 0.02, 0.4, 1}, {0, 1, 1, 0}), curve(4, {1, 3}, {0.02, 0.04}),
              curve(5, {0, 0.5, 1}, {0, 1, 0.2})};
  return m;
}

double power_law(const Energies& e, double x) {
  return std::pow(e.one / kGic, x) + std::pow(e.two / kGiic, x);
}
double benzeggagh_kenane(const Energies& e, double x) {
  return (e.one + e.two) / (kGic + (kGiic - kGic) * std::pow(e.two / (e.one + e.two), x));
}

TEST(CohesiveMixedMode, EachModeTakesItsEnergy) {
  for (const double xmu : {1.0, 2.3, -1.45}) {
    const Prepared law = prepare(curves(), mixed_mode({{"XMU", xmu}}));
    EXPECT_NEAR(energies(law, 0).one / kGic, 1, 1e-4);
    EXPECT_NEAR(energies(law, 0).two, 0, 1e-15);
    EXPECT_NEAR(energies(law, M_PI / 2).two / kGiic, 1, 1e-4);
    EXPECT_NEAR(energies(law, 0).at_failure, 2 * kGic / kT, 3e-6);
    EXPECT_NEAR(energies(law, M_PI / 2).at_failure, 2 * kGiic / kS, 3e-6);
  }
}

TEST(CohesiveMixedMode, MixedModesMeetTheCriterion) {
  for (const double x : {1.0, 2.0, 1.7}) {
    const Prepared power = prepare(curves(), mixed_mode({{"XMU", x}}));
    const Prepared kenane = prepare(curves(), mixed_mode({{"XMU", -x}}));
    for (const double angle : {0.3, 0.8, 1.2}) {
      EXPECT_NEAR(power_law(energies(power, angle), x), 1, 1e-3) << x << ' ' << angle;
      EXPECT_NEAR(benzeggagh_kenane(energies(kenane, angle), x), 1, 1e-3) << x << ' ' << angle;
    }
  }
}

TEST(CohesiveMixedMode, GammaChangesTheStiffnessOfTheMixedMode) {
  const double gamma = 2, angle = 0.8, c = std::pow(std::cos(angle), 2), s = std::pow(std::sin(angle), 2);
  const Prepared law = prepare(curves(), mixed_mode({{"XMU", -1.4}, {"GAMMA", gamma}}));
  const double stiffness = std::pow(c * std::pow(kEn, gamma) + s * std::pow(kEt, gamma), 1 / gamma);
  const double onset = 1 / std::sqrt(c * std::pow(kEn / kT, 2) + s * std::pow(kEt / kS, 2));
  const double energy = kGic + (kGiic - kGic) * std::pow(kEt * s / (kEn * c + kEt * s), 1.4);
  EXPECT_NEAR(energies(law, angle).at_failure, 2 * energy / (onset * stiffness), 3e-6);
}

TEST(CohesiveMixedMode, IsElasticToItsPeakAndUnloadsToTheOrigin) {
  const Prepared law = prepare(curves(), mixed_mode());
  Layer<> layer(law);
  const double onset = kT / kEn, ultimate = 2 * kGic / kT, at = 0.01;
  layer.to(0, 0, 0.999 * onset);
  EXPECT_NEAR(layer.point.s[2], 0.999 * kT, 1e-12);
  EXPECT_EQ(layer.point.damage, 0);
  layer.to(0, 0, at);
  const double traction = kT * (ultimate - at) / (ultimate - onset);
  EXPECT_NEAR(layer.point.s[2], traction, 1e-12);
  for (const double part : {0.5, 0.0, 0.8}) {
    layer.to(0, 0, part * at);
    EXPECT_NEAR(layer.point.s[2], part * traction, 1e-12);
  }
  layer.to(0.5 * at, 0, 0);  // the damage is that of both modes
  EXPECT_NEAR(layer.point.s[0], 0.5 * at * kEt * (1 - layer.point.damage), 1e-12);
  EXPECT_NEAR(layer.point.damage, 1 - traction / (kEn * at), 1e-12);
}

TEST(CohesiveMixedMode, CompressionHasNoDamage) {
  const Prepared law = prepare(curves(), mixed_mode());
  Layer<> layer(law);
  layer.to(0, 0, -0.5);
  EXPECT_NEAR(layer.point.s[2], -0.5 * kEn, 1e-12);
  EXPECT_EQ(layer.point.damage, 0);
  layer.to(0, 0, 1);
  EXPECT_TRUE(layer.point.failed);
  EXPECT_EQ(layer.point.s[2], 0);
  layer.to(0.1, 0.1, -0.01);
  EXPECT_TRUE(layer.point.failed);
  EXPECT_NEAR(layer.point.s[2], -0.01 * kEn, 1e-12);
  EXPECT_EQ(layer.point.s[0], 0);
  // Sliding under pressure is mode II alone.
  Layer<> pressed(law);
  pressed.to(0.999 * kS / kEt, 0, -0.01);
  EXPECT_EQ(pressed.point.damage, 0);
  pressed.to(1.001 * kS / kEt, 0, -0.01);
  EXPECT_GT(pressed.point.damage, 0);
}

TEST(CohesiveMixedMode, PeaksFollowFromSeparationsOrTheSize) {
  const Prepared given =
      prepare(curves(), mixed_mode({{"T", 0.0}, {"UND", 0.04}, {"S", 0.0}, {"UTD", 0.08}}));
  EXPECT_NEAR(energies(given, 0).at_failure, 0.04, 3e-6);
  EXPECT_NEAR(energies(given, M_PI / 2).at_failure, 0.08, 3e-6);
  const Prepared sized = prepare(curves(), mixed_mode({{"T", -4.0}}));
  for (const auto& [size, peak] : {std::pair{0.5, 0.02}, {2.0, 0.03}, {5.0, 0.04}}) {
    EXPECT_NEAR(energies(sized, 0, size).at_failure, 2 * kGic / peak, 3e-6) << size;
    EXPECT_NEAR(energies(sized, 0, size).one / kGic, 1, 1e-4);
  }
}

TEST(CohesiveElastic, FollowsTheSeparationToItsLimits) {
  const Prepared law = prepare(curves(), elastic({{"FN_FAIL", 0.03}, {"FT_FAIL", 0.05}}));
  Layer<> layer(law);
  layer.to(1e-4, -2e-4, 2e-4);
  EXPECT_NEAR(layer.point.s[0], 1e-4 * kEt, 1e-15);
  EXPECT_NEAR(layer.point.s[1], -2e-4 * kEt, 1e-15);
  EXPECT_NEAR(layer.point.s[2], 2e-4 * kEn, 1e-15);
  layer.to(0, 0, -1);  // compression is no failure
  EXPECT_FALSE(layer.point.failed);
  layer.to(0, 0, 3.01e-4);
  EXPECT_TRUE(layer.point.failed);
  layer.to(1e-4, 0, 1e-4);
  EXPECT_TRUE(layer.point.failed);
  EXPECT_EQ(layer.point.s[0], 0);
  EXPECT_EQ(layer.point.s[2], 0);
  layer.to(1e-4, 0, -1e-4);
  EXPECT_NEAR(layer.point.s[2], -1e-4 * kEn, 1e-15);
  Layer<> sheared(law);
  sheared.to(0.99 * 0.05 / kEt, 0, 0);
  EXPECT_FALSE(sheared.point.failed);
  sheared.to(0, 1.01 * 0.05 / kEt, 0);
  EXPECT_TRUE(sheared.point.failed);
  const Prepared endless = prepare(curves(), elastic());
  Layer<> strong(endless);
  strong.to(5, 5, 5);
  EXPECT_FALSE(strong.point.failed);
}

TEST(CohesiveTh, BothModesTakeTheSameEnergy) {
  const Prepared law = prepare(curves(), tvergaard());
  const double energy = 0.03 * 0.04 * 0.5 * (1 - 0.01 + 0.5);
  EXPECT_NEAR(energies(law, 0).one / energy, 1, 1e-4);
  EXPECT_NEAR(energies(law, M_PI / 2).two / energy, 1, 1e-4);
  for (const double angle : {0.4, 1.0}) {
    const Energies mixed = energies(law, angle);
    EXPECT_NEAR((mixed.one + mixed.two) / energy, 1, 1e-4);
  }
}

TEST(CohesiveTh, ReturnsOnItsPathAndIsStiffInCompression) {
  const Prepared law = prepare(curves(), tvergaard());
  Layer<> layer(law);
  layer.to(0, 0, 0.03);
  const double far = layer.point.s[2];
  EXPECT_NEAR(far, 0.03 * (1 - 0.75) / 0.5, 1e-12);
  layer.to(0, 0, 0.01);
  EXPECT_NEAR(layer.point.s[2], 0.03, 1e-12);
  layer.to(0, 0, 0.0002);
  EXPECT_NEAR(layer.point.s[2], 0.03 * 0.5, 1e-12);
  layer.to(0, 0, -0.001);
  EXPECT_NEAR(layer.point.s[2], -0.001 * 2 * 0.03 / (0.04 * 0.01), 1e-12);
  layer.to(0.02, 0, 0);  // the shear traction of the potential
  EXPECT_NEAR(layer.point.s[0], 0.03 * 0.04 / 0.05, 1e-12);
}

TEST(CohesiveGeneral, EachModeTakesItsEnergyAndMixedModesMeetTheCriterion) {
  for (const double type : {0.0, 1.0, 2.0}) {
    const Prepared law = prepare(curves(), general(type));
    EXPECT_NEAR(energies(law, 0).one / kGic, 1, 1e-3) << type;
    EXPECT_NEAR(energies(law, M_PI / 2).two / kGiic, 1, 1e-3) << type;
    for (const double angle : {0.3, 0.8, 1.2}) {
      const Energies e = energies(law, angle);
      EXPECT_NEAR(type == 1 ? benzeggagh_kenane(e, 1.5) : power_law(e, type == 0 ? 1.5 : 1.0), 1, 2e-3)
          << type << ' ' << angle;
    }
  }
}

TEST(CohesiveGeneral, UnloadsToTheOriginAndIsStiffInCompression) {
  const double ultimate = kGic / (0.69 * kT);  // the area below the curve is 0.69
  for (const double type : {0.0, 1.0, 2.0}) {
    const Prepared law = prepare(curves(), general(type, {{"STFSF", 0.5}}));
    Layer<> layer(law);
    layer.to(0, 0, 0.7 * ultimate);
    EXPECT_NEAR(layer.point.s[2], 0.5 * kT, 1e-9);
    layer.to(0, 0, 0.35 * ultimate);
    EXPECT_NEAR(layer.point.s[2], 0.25 * kT, 1e-9);
    layer.to(0, 0, -1e-3);
    EXPECT_NEAR(layer.point.s[2], -1e-3 * 1.5 * kT / (0.02 * ultimate), 1e-9);
    layer.to(0, 0, 0.7 * ultimate);
    EXPECT_NEAR(layer.point.s[2], 0.5 * kT, 1e-9);
    EXPECT_FALSE(layer.point.failed);
    layer.to(0, 0, 1.01 * ultimate);
    EXPECT_TRUE(layer.point.failed);
    EXPECT_EQ(layer.point.s[2], 0);
  }
}

/// Separations of a mode of MAT_240 alone at yield, at the begin of damage, and at failure.
struct Trilinear {
  double yield, damage, failure;
};
Trilinear trilinear(double stiffness, double strength, double energy, double plateau) {
  const double yield = strength / stiffness, of_energy = 2 * energy / strength;
  const double damage =
      plateau < 0 ? (yield - plateau * of_energy) / (1 - plateau) : yield + plateau * energy / strength;
  return {yield, damage, of_energy + yield - damage};
}

TEST(CohesiveElastoplasticRate, EachModeTakesItsEnergy) {
  for (const double sign : {1.0, -1.0}) {
    const Prepared law = prepare(curves(), elastoplastic({{"FG1", sign * kShare1}, {"FG2", sign * kShare2}}));
    EXPECT_NEAR(energies(law, 0).one / kGic, 1, 1e-4);
    EXPECT_NEAR(energies(law, 0).two, 0, 1e-15);
    EXPECT_NEAR(energies(law, M_PI / 2).two / kGiic, 1, 1e-4);
    const Trilinear one = trilinear(kEn, kT, kGic, sign * kShare1);
    EXPECT_NEAR(energies(law, 0).at_failure, one.failure, 3e-6);
    EXPECT_NEAR(energies(law, M_PI / 2).at_failure, trilinear(kEt, kS, kGiic, sign * kShare2).failure, 3e-6);
    const double share = sign < 0 ? (one.damage - one.yield) / (one.failure - one.yield)
                                  : (one.damage - one.yield) * kT / kGic;
    EXPECT_NEAR(share, kShare1, 1e-12);
  }
}

TEST(CohesiveElastoplasticRate, MixedModesMeetTheCriteria) {
  for (const double criterion : {0.0, 1.0, -3.0}) {
    const Prepared law = prepare(curves(), elastoplastic({{"INICRT", criterion}}));
    for (const double angle : {0.3, 0.8, 1.2}) {
      EXPECT_NEAR(power_law(energies(law, angle), 1), 1, 1e-3) << criterion << ' ' << angle;
      Layer<> layer(law);
      const double u = 0.003;  // on the plateau
      layer.to(0, u * std::sin(angle), u * std::cos(angle));
      EXPECT_EQ(layer.point.damage, 0);
      const double one = layer.point.s[2] / kT, two = layer.point.s[1] / kS;
      const double m = criterion == 0 ? 2 : 3;
      const double reached = criterion == 1 ? std::max(one, two) : std::pow(one, m) + std::pow(two, m);
      EXPECT_NEAR(reached, 1, 1e-9) << criterion << ' ' << angle;
    }
  }
}

TEST(CohesiveElastoplasticRate, OpeningIsPlasticThenSoftens) {
  const Prepared law = prepare(curves(), elastoplastic());
  const Trilinear of = trilinear(kEn, kT, kGic, kShare1);
  Layer<> layer(law);
  layer.to(0, 0, 0.99 * of.yield);
  EXPECT_NEAR(layer.point.s[2], 0.99 * kT, 1e-12);
  layer.to(0, 0, 0.005);
  EXPECT_NEAR(layer.point.s[2], kT, 1e-12);
  layer.to(0, 0, 0.0049);
  EXPECT_NEAR(layer.point.s[2], kT - kEn * 1e-4, 1e-12);
  layer.to(0, 0, 0.0040);  // pressed back against what has flowed
  EXPECT_NEAR(layer.point.s[2], -kEn * (0.001 - of.yield), 1e-12);
  layer.to(0, 0, 0.01);
  const double left = (of.failure - 0.01) / (of.failure - of.damage);
  EXPECT_NEAR(layer.point.s[2], kT * left, 1e-12);
  EXPECT_NEAR(layer.point.damage, 1 - left, 1e-12);
  layer.to(0, 0, 0.0099);
  EXPECT_NEAR(layer.point.s[2], left * (kT - kEn * 1e-4), 1e-12);
  layer.to(0, 0, 0.0090);
  EXPECT_NEAR(layer.point.s[2], -kEn * (0.001 - of.yield), 1e-12);
  layer.to(0, 0, 1.001 * of.failure);
  EXPECT_TRUE(layer.point.failed);
  EXPECT_EQ(layer.point.s[2], 0);
  layer.to(0, 0, -0.001);
  EXPECT_TRUE(layer.point.failed);
  EXPECT_LT(layer.point.s[2], 0);
}

TEST(CohesiveElastoplasticRate, ReversedSlidingYieldsAndTurns) {
  const Prepared law = prepare(curves(), elastoplastic());
  const double yield = kS / kEt;
  Layer<> layer(law);
  layer.to(0.004, 0, 0);
  EXPECT_NEAR(layer.point.s[0], kS, 1e-12);
  layer.to(0.004 - yield, 0, 0);
  EXPECT_NEAR(layer.point.s[0], 0, 1e-12);
  layer.to(0.004 - 2.5 * yield, 0, 0);
  EXPECT_NEAR(layer.point.s[0], -kS, 1e-12);
  EXPECT_EQ(layer.point.damage, 0);
  for (int k = 1; k <= 2000; ++k) layer.to(0.004 - 2.5 * yield, 5e-6 * k, 0);
  EXPECT_NEAR(layer.point.s[1], kS, 1e-3 * kS);  // the traction follows the sliding
  EXPECT_NEAR(std::hypot(layer.point.s[0], layer.point.s[1]), kS, 1e-9);
}

TEST(CohesiveElastoplasticRate, StrengthsAndEnergiesFollowTheRateAtYield) {
  const double rate = 2e-6 / (1e-3 * kThick);  // of energies()
  for (const double growth : {0.004, -0.004}) {
    const Prepared law = prepare(curves(), elastoplastic({{"T0", -kT},
                                                          {"T1", growth},
                                                          {"EDOT_T", 0.1 * rate},
                                                          {"G1C_0", -kGic},
                                                          {"G1C_INF", 3 * kGic},
                                                          {"EDOT_G1", 0.7 * rate}}));
    const double decade = std::log(10.0), strength = kT + 0.004 * (growth > 0 ? decade * decade : decade);
    const double energy = kGic + 2 * kGic * std::exp(-0.7);
    const Energies taken = energies(law, 0);
    EXPECT_NEAR(taken.one / energy, 1, 1e-4);
    EXPECT_NEAR(taken.at_failure, trilinear(kEn, strength, energy, kShare1).failure, 3e-6);
    Layer<> layer(law);
    for (int k = 1; k <= 1000; ++k) layer.to(0, 0, 2e-6 * k);
    EXPECT_NEAR(layer.point.s[2], strength, 1e-9);
    for (int k = 0; k < 10; ++k) layer.to(0, 0, 0.002 + 1e-9 * k);  // slower, but it has yielded
    EXPECT_NEAR(layer.point.s[2], strength, 1e-9);
    Layer<> slow(law);
    for (int k = 1; k <= 2000; ++k) slow.to(0, 0, 0.05 * 2e-6 * k);  // below EDOT_T
    for (int k = 1; k <= 2000; ++k) slow.to(0, 0, 2e-4 + 0.05 * 2e-6 * k);
    EXPECT_NEAR(slow.point.s[2], kT, 1e-9);
  }
}

TEST(CohesiveElastoplasticRate, TakesTheThicknessOfTheElementOrACurveOverIt) {
  const Prepared given = prepare(curves(), elastoplastic()),
                 measured = prepare(curves(), elastoplastic({{"THICK", 0.0}}));
  EXPECT_NEAR(given.cohesive.stiffness, kEn, 1e-12);
  EXPECT_FALSE(given.cohesive.by_thickness);
  EXPECT_NEAR(measured.cohesive.stiffness, kThick * kEn, 1e-12);
  EXPECT_TRUE(measured.cohesive.by_thickness);
  Layer<> one(given), other(measured);
  other.keep(0, kThick);
  for (int k = 1; k < 30; ++k) {
    one.to(0.0004 * k, 0, 0.0005 * k);
    other.to(0.0004 * k, 0, 0.0005 * k);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(one.point.s[i], other.point.s[i], 1e-15);
  }
  model::Model m = curves();
  m.curves.push_back(curve(6, {0.1, 0.3}, {0.5 * kGic, 1.5 * kGic}));
  const Prepared by_curve = prepare(m, elastoplastic({{"LCG1C", 6.0}, {"G1C_0", 7.0}, {"THICK", 0.25}}));
  EXPECT_NEAR(energies(by_curve, 0).one / (1.25 * kGic), 1, 1e-4);
}

std::vector<model::Material> all() {
  return {mixed_mode(),
          mixed_mode({{"XMU", -1.3}, {"GAMMA", 2.0}}),
          mixed_mode({{"XMU", 1.6}, {"T", -4.0}}),
          tvergaard(),
          elastic(),
          general(0),
          general(1),
          general(2),
          elastoplastic(),
          elastoplastic({{"INICRT", 1.0}, {"FG1", -0.3}, {"FG2", 0.0}}),
          elastoplastic({{"INICRT", -1.5}})};
}

/// The stiffness that the step assumes is not exceeded anywhere.
TEST(Cohesive, StiffnessIsTheLargest) {
  for (const model::Material& m : all()) {
    const Prepared law = prepare(curves(), m);
    double most = 0;
    for (double angle = 0; angle < 3.1; angle += 0.05) {
      Layer<> layer(law);
      double before[3] = {0, 0, 0};
      constexpr double step = 1e-6;
      for (int k = 1; k < 2000; ++k) {
        layer.to(k * step * std::sin(angle), 0, k * step * std::cos(angle));
        for (const int i : {0, 2}) most = std::max(most, (layer.point.s[i] - before[i]) / step);
        for (int i = 0; i < 3; ++i) before[i] = layer.point.s[i];
      }
    }
    EXPECT_LE(most, 1.001 * law.cohesive.stiffness) << m.law;
  }
}

TEST(Cohesive, LanesAndSinglesAgreeWithDoubles) {
  using Many = simd::Vec<double, 2>;
  using Few = simd::Vec<float, 4>;
  for (const model::Material& m : all()) {
    const Prepared law = prepare(curves(), m);
    Layer<> one(law), other(law);
    Layer<Many> many(law);
    Layer<Few> few(law);
    for (int k = 0; k < 50; ++k) {
      const double a = 0.01 * std::sin(0.7 * k), b = 0.008 * std::cos(0.4 * k), c = 0.01 * std::sin(1.1 * k);
      one.to(a, b, c);
      other.to(0.2 * a, 0.1 * b, -c);
      const auto both = [](double x, double y) {
        Many v(x);
        simd::set_lane(v, 1, y);
        return v;
      };
      many.to(both(a, 0.2 * a), both(b, 0.1 * b), both(c, -c));
      few.to(Few(float(a)), Few(float(b)), Few(float(c)));
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(simd::lane(many.point.s[i], 0), one.point.s[i], 1e-14) << m.law;
        EXPECT_NEAR(simd::lane(many.point.s[i], 1), other.point.s[i], 1e-14) << m.law;
        EXPECT_NEAR(simd::lane(few.point.s[i], 0), one.point.s[i], 1e-4 * (0.1 + std::abs(one.point.s[i])))
            << m.law;
      }
    }
  }
}

std::string refusal(const model::Material& m) {
  try {
    prepare(curves(), m);
  } catch (const Error& error) {
    return error.id();
  }
  return {};
}

TEST(Cohesive, RefusesWhatMeansNothing) {
  EXPECT_EQ(refusal(mixed_mode({{"ROFLG", 2.0}})), "CR-M108");
  EXPECT_EQ(refusal(mixed_mode({{"INTFAIL", 5.0}})), "CR-M108");
  EXPECT_EQ(refusal(mixed_mode({{"INTFAIL", 0.5}})), "CR-M108");
  EXPECT_EQ(refusal(mixed_mode({{"XMU", 0.0}})), "CR-M103");
  EXPECT_EQ(refusal(mixed_mode({{"T", 0.0}})), "CR-M103");
  EXPECT_EQ(refusal(mixed_mode({{"T", -9.0}})), "CR-M106");
  EXPECT_EQ(refusal(mixed_mode({{"GIC", 1e-6}})), "CR-M108");  // less than stored at the peak
  EXPECT_EQ(refusal(mixed_mode({{"EN", 0.0}})), "CR-M103");
  EXPECT_EQ(refusal(tvergaard({{"LAMDA2", 0.001}})), "CR-M108");
  EXPECT_EQ(refusal(tvergaard({{"LAMDAF", 0.4}})), "CR-M108");
  EXPECT_EQ(refusal(general(3)), "CR-M108");
  EXPECT_EQ(refusal(general(0, {{"TSLC", 5.0}})), "CR-M107");
  EXPECT_EQ(refusal(general(0, {{"TSLC", 8.0}})), "CR-M106");
  EXPECT_EQ(refusal(general(0, {{"TSLC2", 3.0}})), "CR-M105");
  EXPECT_EQ(refusal(elastic({{"EN", 0.0}})), "CR-M103");
  EXPECT_EQ(refusal(elastic({{"FN_FAIL", -1.0}})), "CR-M108");
  EXPECT_EQ(refusal(elastic({{"EROSION.EXCL", 1.0}, {"EROSION.MNPRES", 1.0}})), "CR-M105");
  EXPECT_EQ(refusal(elastoplastic({{"EMOD", 0.0}})), "CR-M103");
  EXPECT_EQ(refusal(elastoplastic({{"T0", 0.0}})), "CR-M103");
  EXPECT_EQ(refusal(elastoplastic({{"G2C_0", 0.0}})), "CR-M103");
  EXPECT_EQ(refusal(elastoplastic({{"G2C_0", -kGiic}})), "CR-M103");  // no bound, no rate
  EXPECT_EQ(refusal(elastoplastic({{"S0", -kS}, {"S1", 0.01}})), "CR-M103");
  EXPECT_EQ(refusal(elastoplastic({{"FG1", 0.995}})), "CR-M108");  // nothing is left to soften with
  EXPECT_EQ(refusal(elastoplastic({{"FG1", -1.0}})), "CR-M108");
  EXPECT_EQ(refusal(elastoplastic({{"G1C_0", 1e-6}})), "CR-M108");
  EXPECT_EQ(refusal(elastoplastic({{"INICRT", 3.0}})), "CR-M108");
  EXPECT_EQ(refusal(elastoplastic({{"LCG2C", 9.0}})), "CR-M106");
  EXPECT_EQ(refusal(elastoplastic()), "");
  EXPECT_EQ(refusal(mixed_mode()), "");
}

TEST(Cohesive, PassesOnItsOptions) {
  const Cohesive gauss = prepare(curves(), elastic({{"INTFAIL", 2.0}, {"ROFLG", 1.0}})).cohesive;
  EXPECT_TRUE(gauss.per_area);
  EXPECT_FALSE(gauss.at_corners);
  EXPECT_EQ(gauss.points_to_delete, 2);
  const Cohesive never = prepare(curves(), elastic()).cohesive;
  EXPECT_FALSE(never.per_area);
  EXPECT_TRUE(never.at_corners);
  EXPECT_EQ(never.points_to_delete, 0);
  EXPECT_EQ(prepare(curves(), elastic({{"INTFAIL", -3.0}})).cohesive.points_to_delete, 3);
  EXPECT_EQ(never.stiffness, kEn);
}

}  // namespace
}  // namespace crumple::materials
