// Spot weld beams: stiffness and frequency of a short weld, yielding, and when each limit ends it.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "../elements_solid/driver.hpp"
#include "base/error.hpp"
#include "elements/beam/layout.hpp"

namespace crumple::test {
namespace {

using elements::beam::extra_offset;

constexpr double kYoung = 210.0, kPoisson = 0.3, kDensity = 7.8e-6, kDiameter = 6.0, kLength = 1.5;
constexpr double kArea = M_PI / 4 * kDiameter * kDiameter;
constexpr double kInertia = M_PI / 64 * kDiameter * kDiameter * kDiameter * kDiameter;
constexpr double kShear = kYoung / (2 * (1 + kPoisson));

using Fields = std::map<std::string, double>;

/// A round weld of 6 mm, 1.5 mm long, along a slanted axis; s is the first across, t the second.
struct Weld {
  Driver<double> d;
  Vec3 r{0.6, 0.8, 0}, s{0, 0, 1}, t;

  explicit Weld(const Fields& fields = {}) : d(model::ElementKind::beam, 9, material(fields), 1e10) {
    t = cross(r, s);
    d.section.cross_section = 1;
    d.section.ts = {kDiameter, kDiameter};
    d.section.nip = 2;
    d.section.shear_factor = 1;
    d.add_node({1, 2, 3});
    d.add_node(Vec3{1, 2, 3} + kLength * r);
    elements::ElementInput input;
    input.has_orientation = true;
    input.orientation = Vec3{1, 2, 3} + s;
    d.add_element({0, 1}, input);
    d.start();
  }
  static model::Material material(const Fields& fields) {
    model::Material m = elastic_material(kYoung, kPoisson, kDensity);
    m.law = 100;
    m.name = "MAT_SPOTWELD";
    m.fields["SIGY"] = 1e6;
    for (const auto& [name, value] : fields) m.fields[name] = value;
    return m;
  }
  double resultant(int k) const { return d.variable(0, d.layout.resultants + k); }
  double reached() const { return d.variable(0, extra_offset(d.group)); }
  double failure_time() const { return d.variable(0, extra_offset(d.group) + 1); }

  /// Speeds of the ends that load component k of the resultants (axial, shears, moments, torsion) by about
  /// `force` in a unit of time, in symmetry about the middle.
  void load(int k, double force) {
    const double stiffness[6] = {kYoung * kArea,    kShear * kArea,    kShear * kArea,
                                 kYoung * kInertia, kYoung * kInertia, 2 * kShear * kInertia};
    const Vec3 axis[6] = {r, s, t, s, t, r};
    const Vec3 rate = (0.5 * force * kLength / stiffness[k]) * axis[k];
    auto& to = k < 3 ? d.nodes.v : d.nodes.w;
    to[0] -= rate;
    to[1] += rate;
  }
};

TEST(SpotWeld, StiffnessOfAShortBeamIsThatOfItsSection) {
  for (int k = 0; k < 6; ++k) {
    Weld weld;
    weld.load(k, 1e-3);
    weld.d.move(1.0);
    for (int c = 0; c < 6; ++c) EXPECT_NEAR(weld.resultant(c), c == k ? 1e-3 : 0.0, 1e-8) << k << " " << c;
    const double work = 0.5 * 1e-3 * 2 * (norm(weld.d.nodes.v[1]) + norm(weld.d.nodes.w[1]));
    EXPECT_NEAR(weld.d.total_energy(0) / work, 1, 1e-6);
  }
}

/// Half the mass at each end: omega^2 = 4 E A / (L rho A L), so the period is pi L / c.
TEST(SpotWeld, VibratesAlongItsAxisWithThePeriodOfTwoHalfMasses) {
  Weld weld;
  weld.load(0, 1e-3);
  const double period = M_PI * kLength / std::sqrt(kYoung / kDensity);
  const double dt = period / 400;
  double before = 0, first = 0, second = 0;
  for (int n = 0; n < 700 && second == 0; ++n) {
    weld.d.step(dt);
    const double now = weld.resultant(0);
    if (before != 0 && before * now < 0)
      (first == 0 ? first : second) = weld.d.time - dt * now / (now - before);
    before = now;
  }
  EXPECT_NEAR(2 * (second - first) / period, 1, 1e-4);
}

TEST(SpotWeld, AVeryShortOneIsStableAtItsLengthOverWaveSpeed) {
  Weld weld;
  EXPECT_NEAR(weld.d.smallest_step(), kLength / std::sqrt(kYoung / kDensity), 1e-12);
}

/// SIGY + EH p, with p the plastic strain; then EFAIL ends it.
TEST(SpotWeld, YieldsByThePlasticModulusAndFailsByPlasticStrain) {
  Weld weld({{"SIGY", 0.5}, {"EH", 2.0}, {"EFAIL", 0.1}});
  weld.d.nodes.v[1] = 1e-4 * kLength * weld.r;
  double strain = 0;
  for (int n = 0; n < 500; ++n) {
    weld.d.move(1.0);
    strain = std::log(1 + 1e-4 * (n + 1));
  }
  const double plastic = (strain - 0.5 / kYoung) / (1 + 2.0 / kYoung), stress = 0.5 + 2.0 * plastic;
  EXPECT_NEAR(weld.d.plastic_strain(0), plastic, 1e-7);
  EXPECT_NEAR(weld.resultant(0) / (kArea * stress), 1, 1e-6);
  while (weld.d.alive[0] > 0 && strain < 0.2) {
    weld.d.move(1.0);
    strain += 1e-4;
  }
  EXPECT_NEAR(weld.d.plastic_strain(0), 0.1, 1.5e-4);
  EXPECT_EQ(weld.failure_time(), weld.d.time);
  for (const parallel::LoadSum& sum : weld.d.nodes.loads) EXPECT_TRUE(sum.force.is_zero());
}

constexpr std::array<const char*, 6> kLimits{"NRR", "NRS", "NRT", "MSS", "MTT", "MRR"};

/// Loads in steps of 0.1 % of `scale` until it fails; the resultants of the steps before and at failure.
struct Ends {
  std::array<double, 6> before{}, at{};
  bool failed = false;
};
Ends pull(Weld& weld, int steps) {
  Ends ends;
  for (int n = 0; n < steps && !ends.failed; ++n) {
    ends.before = ends.at;
    weld.d.move(1e-3);
    ends.failed = weld.d.alive[0] == 0;
    for (int k = 0; k < 6; ++k) ends.at[static_cast<std::size_t>(k)] = weld.resultant(k);
  }
  return ends;
}

TEST(SpotWeld, EachLimitEndsItInTheStepThatReachesIt) {
  for (int k = 0; k < 6; ++k)
    for (const double sign : {1.0, -1.0}) {
      const double limit = 0.02;
      Weld weld({{kLimits[static_cast<std::size_t>(k)], limit}});
      weld.load(k, sign * limit);
      const Ends ends = pull(weld, 1100);
      if (k == 0 && sign < 0) {
        EXPECT_FALSE(ends.failed) << "compression";
        EXPECT_EQ(weld.reached(), 0);
        continue;
      }
      ASSERT_TRUE(ends.failed) << kLimits[static_cast<std::size_t>(k)];
      EXPECT_LT(sign * ends.before[static_cast<std::size_t>(k)], limit);
      EXPECT_GE(sign * ends.at[static_cast<std::size_t>(k)], limit * (1 - 1e-15));
      EXPECT_LT(sign * ends.at[static_cast<std::size_t>(k)], limit * 1.0011);
      EXPECT_GE(weld.reached(), 1);
      EXPECT_EQ(weld.failure_time(), weld.d.time);
    }
}

TEST(SpotWeld, TensionAndShearTogetherReachTheSumOfSquares) {
  // 0.6 and 0.8 of the limits at once: each alone would hold.
  Weld weld({{"NRR", 0.02}, {"NRS", 0.01}});
  weld.load(0, 0.6 * 0.02);
  weld.load(1, 0.8 * 0.01);
  const Ends ends = pull(weld, 1100);
  ASSERT_TRUE(ends.failed);
  EXPECT_NEAR(ends.at[0], 0.6 * 0.02, 0.0021 * 0.02);
  EXPECT_NEAR(ends.at[1], 0.8 * 0.01, 0.0021 * 0.01);
  const auto sum = [](const std::array<double, 6>& x) {
    return x[0] * x[0] / (0.02 * 0.02) + x[1] * x[1] / (0.01 * 0.01);
  };
  EXPECT_LT(sum(ends.before), 1);
  EXPECT_GE(sum(ends.at), 1 - 1e-12);

  // Compression does not count: shear must reach its limit alone.
  Weld pressed({{"NRR", 0.02}, {"NRS", 0.01}});
  pressed.load(0, -0.6 * 0.02);
  pressed.load(1, 0.8 * 0.01);
  EXPECT_FALSE(pull(pressed, 1100).failed);
}

TEST(SpotWeld, FailsAtItsTime) {
  Weld weld({{"TFAIL", 0.25}});
  for (int n = 0; n < 40; ++n) {
    weld.d.move(0.01);
    EXPECT_EQ(weld.d.alive[0] > 0, weld.d.time < 0.25) << weld.d.time;
  }
  EXPECT_NEAR(weld.failure_time(), 0.25, 0.0101);
}

TEST(SpotWeld, AnythingElseIsRefused) {
  Driver<double> d(model::ElementKind::beam, 9, elastic_material(kYoung, kPoisson, kDensity));
  d.section.cross_section = 1;
  d.section.ts = {1, 1};
  d.add_node({0, 0, 0});
  d.add_node({1, 0, 0});
  d.add_element({0, 1});
  EXPECT_THROW(d.start(), Error);
  for (const char* field : {"SIGY", "EH", "EFAIL", "TFAIL", "NRR", "MRR", "DT"})
    EXPECT_THROW(Weld({{field, -1.0}}), Error) << field;
}

}  // namespace
}  // namespace crumple::test
