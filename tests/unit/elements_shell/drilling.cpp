// Drilling stiffness (DRCPSID): its moments, its indifference to rigid rotation, its step.
#include "elements/shell/drilling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "elements/explicit_driver.hpp"
#include "elements/shell/belytschko_tsay.hpp"
#include "elements/shell/c0_triangle.hpp"
#include "elements/shell/fully_integrated.hpp"
#include "mini_loop.hpp"

namespace crumple::test {
namespace {

class Drilling : public testing::TestWithParam<int> {
 protected:
  int corners() const { return GetParam() == 4 ? 3 : 4; }
  /// One element of side 10 and thickness 1.
  MiniLoop<double> square(double scale) const {
    using namespace elements::shell;
    MiniLoop<double> m;
    m.section = shell_section(GetParam(), 1.0, 2);
    m.group.hourglass.type = 4;
    m.group.drilling = scale;
    use_elastic(m);
    for (const Vec3& p : {Vec3{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {0, 10, 0}}) m.add_node(p);
    m.elements.push_back({0, 1, 2, corners() == 3 ? 2 : 3});
    if (corners() == 3) m.nodes.mass[3] = m.nodes.inertia[3] = 1;
    m.prepare(GetParam() == 4              ? elements::explicit_kernel<C0TriangleForm, double>
              : std::abs(GetParam()) == 16 ? elements::explicit_kernel<FullyIntegratedForm, double>
                                           : elements::explicit_kernel<BelytschkoTsayForm, double>);
    return m;
  }
};

TEST_P(Drilling, HoldsNothingWhereItIsNotAskedFor) {
  auto without = square(0), with = square(1);
  EXPECT_EQ(without.layout.n_vars + 4, with.layout.n_vars);
  without.dt = 1e-3;
  for (int i = 0; i < corners(); ++i) without.nodes.w[i] = {0, 0, 0.2};
  without.call_kernel();
  for (const parallel::LoadSum& sum : without.nodes.loads) EXPECT_TRUE(sum.moment.is_zero());
}

TEST_P(Drilling, TurnsBackTheNodesWithTheStiffnessOfTwisting) {
  auto m = square(2.0);
  m.dt = 1e-3;
  const double angle = 1e-4;
  for (int i = 0; i < corners(); ++i) m.nodes.w[i] = {0, 0, angle / m.dt};
  m.call_kernel();
  const double stiffness = 2.0 * (210 / 2.6) / (12 * corners());
  double work = 0;
  Vec3 couple;
  for (int i = 0; i < corners(); ++i) {
    // A triangle's second and third corner of 45 degrees: the sine is in the rate and in the moment.
    const double sine = corners() == 3 && i != 1 ? std::sqrt(0.5) : 1.0;
    const double moment = -stiffness * sine * sine * angle;
    EXPECT_NEAR(m.nodes.moment_at(i).z, moment, 1e-9 * stiffness * angle + 1e-11);
    work -= 0.5 * moment * angle;
    couple += m.nodes.moment_at(i) + cross(m.nodes.x[i], m.nodes.force_at(i));
  }
  EXPECT_NEAR(m.internal_energy(), work, 1e-9 * work);
  EXPECT_LT(norm(couple), 1e-9 * stiffness * angle + 1e-10);
}

TEST_P(Drilling, DoesNotSeeTwelveLargeTurns) {
  auto m = square(1e3);
  const int n = 12 * 500;
  const double step = 12 * 2 * M_PI / n;
  const Vec3 axis = (1 / norm(Vec3{1, -2, 3})) * Vec3{1, -2, 3};
  m.dt = 1e-3;
  for (int i = 1; i <= n; ++i) {
    for (int j = 0; j < corners(); ++j) {
      const Vec3 r = m.nodes.x0[j];
      const double c = std::cos(i * step), s = std::sin(i * step);
      const Vec3 to = c * r + s * cross(axis, r) + (1 - c) * dot(axis, r) * axis;
      m.nodes.v[j] = (1 / m.dt) * (to - m.nodes.x[j]);
      m.nodes.x[j] = to;
      m.nodes.w[j] = (step / m.dt) * axis;
    }
    m.call_kernel();
  }
  const double unit = 1e3 * (210 / 2.6) / (12 * corners());  // moment of a radian
  for (int k = 0; k < corners(); ++k)
    EXPECT_LT(std::abs(m.state[m.at(0, m.layout.n_vars - 4 + k)]), 1e-7 * unit);
}

TEST_P(Drilling, IsStableAtTheStepItAsksFor) {
  // So stiff that drilling alone sets the step.
  auto m = square(1e5), plain = square(0);
  m.call_kernel();
  plain.call_kernel();
  EXPECT_LT(m.smallest_step(), 0.3 * plain.smallest_step());
  for (int i = 0; i < corners(); ++i) {
    m.nodes.w[i] = {0, 0, i == 1 ? 0.1 : -0.05};
    m.nodes.v[i] = {i == 0 ? -1e-2 : 1e-2, i == 2 ? -1e-2 : 1e-2, 0};
  }
  const double before = m.kinetic_energy();
  for (int i = 0; i < 20000; ++i) {
    m.step(m.smallest_step());
    ASSERT_LT(m.kinetic_energy(), 100 * before) << "step " << i;  // 1 / (1 - (omega dt / 2)^2) of it
  }
}

INSTANTIATE_TEST_SUITE_P(Shells, Drilling, testing::Values(2, 4, 10, 16, -16));

}  // namespace
}  // namespace crumple::test
