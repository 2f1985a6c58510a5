// Failure of points and deletion of elements with MAT_024, and its elastoplastic response in a shell.
#include <gtest/gtest.h>

#include "elements/explicit_driver.hpp"
#include "elements/shell/belytschko_tsay.hpp"
#include "elements/shell/c0_triangle.hpp"
#include "elements/shell/fully_integrated.hpp"
#include "mini_loop.hpp"

namespace crumple::test {
namespace {

constexpr double kYield = 0.3, kTangent = 1.0, kFail = 0.05;

class Erosion : public testing::TestWithParam<int> {
 protected:
  MiniLoop<double> square(int nip, double fraction = 0) const {
    using namespace elements::shell;
    MiniLoop<double> m;
    m.section = shell_section(GetParam(), 1.0, nip);
    m.group.failed_points_to_delete = fraction;
    use_material(m, 24, 7.8e-6,
                 {{"E", 210}, {"PR", 0.3}, {"SIGY", kYield}, {"ETAN", kTangent}, {"FAIL", kFail}});
    if (GetParam() == 4) {
      for (const Vec3& x : {Vec3{0, 0, 0}, {10, 0, 0}, {0, 10, 0}}) m.add_node(x);
      m.elements.push_back({0, 1, 2, 2});
    } else {
      add_strip(m, 1, 1, 10, 10);
    }
    m.prepare(GetParam() == 2   ? elements::explicit_kernel<BelytschkoTsayForm, double>
              : GetParam() == 4 ? elements::explicit_kernel<C0TriangleForm, double>
                                : elements::explicit_kernel<FullyIntegratedForm, double>);
    m.dt = 1e-3;
    return m;
  }
  /// One step of stretch e in x, free to contract in y as plastic flow does, and curvature k about y.
  static void stretch(MiniLoop<double>& m, double e, double k) {
    for (std::size_t i = 0; i < m.nodes.size(); ++i) {
      const Vec3 u{e * m.nodes.x[i].x, 0, 0};
      m.nodes.v[i] = (1 / m.dt) * u;
      m.nodes.w[i] = {0, k / m.dt * (m.nodes.x[i].x - 5), 0};
      m.nodes.x[i] += u;
    }
    for (parallel::LoadSum& sum : m.nodes.loads) sum.clear();
    m.call_kernel();
  }
};

TEST_P(Erosion, ElementGoesWhenAllPointsHaveFailed) {
  auto m = square(3);
  double strain = 0;
  while (m.lives(0) && strain < 0.2) {
    stretch(m, 1e-4, 0);
    strain += 1e-4;
  }
  // Plane strain in y: plastic strain is 2/sqrt(3) of the plastic part of the stretch.
  EXPECT_NEAR(strain, kFail * std::sqrt(3.0) / 2 + kYield / 210, 2e-3);
  EXPECT_FALSE(m.lives(0));
  for (int p = 0; p < m.layout.n_points; ++p)
    for (int c = 0; c < 6; ++c) EXPECT_EQ(m.stress(0, p, c), 0);
  for (const parallel::LoadSum& sum : m.nodes.loads)
    EXPECT_TRUE(sum.force.is_zero());  // of the very step it went
  const double kept = m.internal_energy();
  // Energy is about flow stress times volume times strain, and stays with the dead element.
  EXPECT_NEAR(
      kept,
      2 / std::sqrt(3.0) * (kYield + kTangent * 0.5 * kFail) * strain * 100 * (GetParam() == 4 ? 0.5 : 1),
      0.05 * kept);
  stretch(m, 1e-4, 0);
  EXPECT_EQ(m.internal_energy(), kept);
  for (const parallel::LoadSum& sum : m.nodes.loads) EXPECT_TRUE(sum.force.is_zero());
}

TEST_P(Erosion, OuterPointsFailFirstInBendingAndStayFailed) {
  auto m = square(5);
  const auto outer_failed = [&](int p) { return m.stress(0, p, 0) == 0; };
  stretch(m, 0, 1e-4);  // from here on no stress is 0 but by failure
  int steps = 0;
  while (!outer_failed(4) && steps++ < 4000) stretch(m, 0, 1e-4);
  EXPECT_TRUE(outer_failed(0));
  EXPECT_NEAR(steps * 1e-4 * 0.5 * m.group.layers[4].zeta, kFail * std::sqrt(3.0) / 2 + kYield / 210, 2e-3);
  EXPECT_TRUE(outer_failed(4));
  EXPECT_FALSE(outer_failed(1));
  EXPECT_TRUE(m.lives(0));
  for (int i = 0; i < 10; ++i) stretch(m, 0, -1e-4);  // back: what failed does not carry again
  EXPECT_TRUE(outer_failed(4));
  EXPECT_TRUE(m.lives(0));
  // The element remembers, whatever the law says of the point later.
  m.state[m.at(0, m.layout.plastic_strain + 4 * m.layout.point_stride)] = 0;
  stretch(m, 0, -1e-4);
  EXPECT_TRUE(outer_failed(4));
}

TEST_P(Erosion, FractionOfFailedPointsDeletes) {
  auto m = square(5, 0.4);  // two of five
  int steps = 0;
  while (m.lives(0) && steps++ < 4000) stretch(m, 0, 1e-4);
  EXPECT_FALSE(m.lives(0));
  EXPECT_NE(m.stress(0, 1, 0), 0);  // the others had not failed
}

INSTANTIATE_TEST_SUITE_P(Shells, Erosion, testing::Values(2, 4, 16));

}  // namespace
}  // namespace crumple::test
