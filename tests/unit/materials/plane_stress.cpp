// The plane stress and fibre returns against three-dimensional returns that are iterated to zero stress on
// the free faces: agreement to 1e-10 of the flow stress, on random paths with all kinds of hardening.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "one_point.hpp"

namespace crumple::materials {
namespace {

using namespace testing_;

/// A solid point whose free normal strains follow from zero stress; found by Newton with differences on
/// copies of the point.
class FreeFaces {
 public:
  /// `free`: indices of the normal components without stress (shear among them is left at zero stress by
  /// isotropy only if its strain is zero too).
  FreeFaces(const Prepared& law, std::vector<int> free) : law_(law), solid_(law), free_(std::move(free)) {}

  void step(std::array<double, 6> d, double dt) {
    const int n = static_cast<int>(free_.size());
    for (int iteration = 0; iteration < 60; ++iteration) {
      const auto residual = faces(d, dt);
      double size = 0;
      for (const double r : residual) size = std::max(size, std::abs(r));
      if (size < 1e-14) break;
      // Two unknowns at most: differences and Cramer's rule.
      double jacobian[2][2] = {{1, 0}, {0, 1}};
      for (int j = 0; j < n; ++j) {
        auto moved = d;
        moved[free_[j]] += 1e-9;
        const auto other = faces(moved, dt);
        for (int i = 0; i < n; ++i) jacobian[i][j] = (other[i] - residual[i]) / 1e-9;
      }
      const double det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
      const double r0 = residual[0], r1 = n > 1 ? residual[1] : 0;
      d[free_[0]] -= (jacobian[1][1] * r0 - jacobian[0][1] * r1) / det;
      if (n > 1) d[free_[1]] -= (jacobian[0][0] * r1 - jacobian[1][0] * r0) / det;
    }
    advance(solid_, d, dt);
    strain = d;
  }

  const SolidPoint<double>& point() const { return solid_.point; }
  std::array<double, 6> strain{};

 private:
  static void advance(Solid<double>& p, const std::array<double, 6>& d, double dt) {
    p.step({d[0], d[1], d[2], d[3], d[4], d[5]}, dt);
  }
  std::vector<double> faces(const std::array<double, 6>& d, double dt) const {
    Solid<double> copy(law_);
    copy.point.plastic_strain = solid_.point.plastic_strain;
    for (int i = 0; i < 6; ++i) copy.point.s[i] = solid_.point.s[i];
    copy.copy_history(solid_);
    advance(copy, d, dt);
    std::vector<double> s;
    for (const int k : free_) s.push_back(copy.point.s[k]);
    return s;
  }

  const Prepared& law_;
  Solid<double> solid_;
  std::vector<int> free_;
};

model::Model curves() {
  model::Model m;
  m.curves = {curve(5, {0, 0.01, 0.03, 0.08, 0.2}, {0.3, 0.36, 0.4, 0.42, 0.52}),
              curve(6, {0, 0.01, 0.2}, {0.45, 0.5, 0.6})};
  m.tables = {{50, {1.0, 1000.0}, {0, 1}}};
  return m;
}

struct Case {
  std::string name;
  model::Material material;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class PlaneStress : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Laws, PlaneStress,
    testing::Values(Case{"perfect", material(24, {{"SIGY", 0.3}})},
                    Case{"bilinear", material(24, {{"SIGY", 0.3}, {"ETAN", 10.0}})},
                    Case{"steep", material(24, {{"SIGY", 0.3}, {"ETAN", 150.0}})},
                    Case{"curve", material(24, {{"LCSS", 5.0}})},
                    Case{"viscoplastic",
                         material(24, {{"LCSS", 5.0}, {"SIGY", 0.2}, {"C", 40.0}, {"P", 5.0}, {"VP", 1.0}})},
                    Case{"viscoplastic_table", material(24, {{"LCSS", 50.0}, {"VP", 1.0}})},
                    Case{"kinematic", material(3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 0.0}})},
                    Case{"mixed", material(3, {{"SIGY", 0.3}, {"ETAN", 10.0}, {"BETA", 0.4}})},
                    Case{"nearly_incompressible",
                         material(3, {{"PR", 0.48}, {"SIGY", 0.3}, {"ETAN", 1.0}, {"BETA", 0.4}})}),
    [](const auto& info) { return info.param.name; });

TEST_P(PlaneStress, ShellEqualsASolidWithAFreeFace) {
  const Prepared law = prepare(curves(), GetParam().material);
  std::mt19937 engine(11);
  std::normal_distribution<double> draw(0, 1);
  for (const double size : {3e-4, 1e-3, 1e-2}) {
    for (int path = 0; path < 10; ++path) {
      Shell<double> shell(law);
      FreeFaces solid(law, {2});
      std::array<double, 6> direction{};
      for (int k = 0; k < 40; ++k) {
        if (k % 8 == 0) direction = {draw(engine), draw(engine), 0, draw(engine), draw(engine), draw(engine)};
        double d[6];
        for (int i = 0; i < 6; ++i) d[i] = size * direction[i];
        shell.step(d, 1e-2);
        solid.step({d[0], d[1], d[2], d[3], d[4], d[5]}, 1e-2);
        const double scale = std::max(mises(shell.point.s), 0.3);
        for (int i = 0; i < 6; ++i)
          ASSERT_NEAR(shell.point.s[i], solid.point().s[i], 1e-10 * scale) << "step " << k << " s" << i;
        ASSERT_NEAR(shell.point.plastic_strain, solid.point().plastic_strain, 1e-11);
        ASSERT_NEAR(shell.point.d[2], solid.strain[2], 1e-11);
      }
      EXPECT_GT(shell.point.plastic_strain, 0) << size;
    }
  }
}

TEST_P(PlaneStress, FibreEqualsASolidWithTwoFreeFaces) {
  const Prepared law = prepare(curves(), GetParam().material);
  std::mt19937 engine(12);
  std::normal_distribution<double> draw(0, 1);
  for (const double size : {3e-4, 1e-3, 1e-2}) {
    for (int path = 0; path < 10; ++path) {
      Beam<double> beam(law);
      FreeFaces solid(law, {1, 2});
      double direction[3] = {};
      for (int k = 0; k < 40; ++k) {
        if (k % 8 == 0)
          for (double& c : direction) c = draw(engine);
        const double d[3] = {size * direction[0], size * direction[1], size * direction[2]};
        beam.step(d, 1e-2);
        solid.step({d[0], 0, 0, d[1], 0, d[2]}, 1e-2);
        const double scale = std::max(std::abs(beam.point.s[0]), 0.3);
        ASSERT_NEAR(beam.point.s[0], solid.point().s[0], 1e-10 * scale) << k;
        ASSERT_NEAR(beam.point.s[1], solid.point().s[3], 1e-10 * scale) << k;
        ASSERT_NEAR(beam.point.s[2], solid.point().s[5], 1e-10 * scale) << k;
        ASSERT_NEAR(beam.point.plastic_strain, solid.point().plastic_strain, 1e-11);
      }
      EXPECT_GT(beam.point.plastic_strain, 0) << size;
    }
  }
}

TEST(PlaneStress, WorkGoesIntoElasticEnergyAndDissipation) {
  // With isotropic hardening dissipation is the integral of flow stress over plastic strain; in small
  // steps the work of the stresses must be the sum of both.
  const Prepared law = prepare(curves(), material(24, {{"LCSS", 5.0}}));
  Shell<double> p(law);
  const int n = 4000;
  double work = 0;
  for (int k = 0; k < n; ++k) {
    const double before[6] = {p.point.s[0], p.point.s[1], 0, p.point.s[3], p.point.s[4], p.point.s[5]};
    const double turn = 6.28 * k / n;
    const double d[6] = {1e-5 * std::cos(turn), 0.8e-5 * std::sin(turn), 0, 0.5e-5, 0.2e-5, 0};
    p.step(d);
    for (int i = 0; i < 6; ++i)
      if (i != 2) work += 0.5 * (before[i] + p.point.s[i]) * d[i];
  }
  const double(&s)[6] = p.point.s;
  const double elastic = (s[0] * s[0] + s[1] * s[1] - 2 * 0.3 * s[0] * s[1]) / (2 * 210) +
                         (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]) / (2 * 210 / 2.6);
  const model::Curve c = curves().curves[0];
  double dissipated = 0;
  const int m = 100000;
  for (int k = 0; k < m; ++k)
    dissipated += c((k + 0.5) / m * p.point.plastic_strain) * p.point.plastic_strain / m;
  EXPECT_GT(dissipated, 0.005);
  EXPECT_NEAR(work, elastic + dissipated, 1e-4 * work);
}

}  // namespace
}  // namespace crumple::materials
