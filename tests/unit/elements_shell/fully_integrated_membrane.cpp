// Fully integrated membrane against closed forms of taut membranes, and its warping, which ELFORM 5 leaves to
// hourglass control.
#include "elements/shell/fully_integrated_membrane.hpp"

#include <gtest/gtest.h>

#include "elements/explicit_driver.hpp"
#include "mini_loop.hpp"

namespace crumple::test {
namespace {

using elements::shell::FullyIntegratedMembraneForm;

/// An elastic membrane of n x n elements on a square, under a biaxial tension.
MiniLoop<double> taut_square(int n, double side, double tension, double density = 7.8e-6) {
  MiniLoop<double> m;
  m.section = shell_section(9, 1.0, 3);
  use_elastic(m, density, 210, 0.0);
  add_strip(m, n, n, side, side);
  m.prepare(elements::explicit_kernel<FullyIntegratedMembraneForm, double>);
  for (std::size_t e = 0; e < m.n_elements(); ++e)
    for (int p = 0; p < 4; ++p)
      for (int k = 0; k < 2; ++k) m.state[m.at(e, m.layout.stress + p * m.layout.point_stride + k)] = tension;
  return m;
}

TEST(FullyIntegratedMembrane, HasOneLayerOfFourPoints) {
  const auto m = taut_square(1, 10, 0);
  EXPECT_EQ(m.layout.n_points, 4);
  EXPECT_EQ(m.group.layers.size(), 1u);
}

// Corners at +-d: z = d xi eta, and the energy of the tension is N / 2 times the integral of its gradient
// squared, 4 N d^2 / 3. So the force on each corner is 2 N d / 3, with sign.
TEST(FullyIntegratedMembrane, TensionResistsWarping) {
  constexpr double tension = 0.2, d = 1e-3;
  auto m = taut_square(1, 10, tension);
  m.call_kernel();
  m.dt = 1e-3;
  const double sign[4] = {1, -1, -1, 1};
  for (int i = 0; i < 4; ++i) m.nodes.x[i].z = d * sign[i], m.nodes.v[i].z = d * sign[i] / m.dt;
  m.time = m.dt;
  m.call_kernel();
  for (LocalId i = 0; i < 4; ++i)
    EXPECT_NEAR(m.nodes.force_at(i).z, -sign[i] * 2 * tension * d / 3, 1e-3 * tension * d);
}

// A square membrane under pressure p and tension N deflects by 0.07367 p L^2 / N in the middle.
TEST(FullyIntegratedMembrane, SquareUnderPressure) {
  constexpr int n = 10;
  constexpr double side = 100, tension = 0.2, pressure = 1e-7;
  auto m = taut_square(n, side, tension);
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) m.fixed[i + (n + 1) * j] = i == 0 || j == 0 || i == n || j == n ? 7 : 3;
  m.loads = [&](MiniLoop<double>& loop) {
    for (std::size_t i = 0; i < loop.nodes.size(); ++i)
      loop.nodes.add_force(LocalId(i), {0, 0, pressure * side * side / (n * n)});
  };
  const double w = 0.07367 * pressure * side * side / tension;
  m.motion = [](MiniLoop<double>& loop) {
    for (Vec3& v : loop.nodes.v) v *= 0.995;
  };
  m.call_kernel();
  for (int k = 0; k < 4000; ++k) m.step(0.9 * m.smallest_step());
  EXPECT_NEAR(m.nodes.x[(n + 1) * (n / 2) + n / 2].z, w, 0.01 * w);
}

// A strip under the tension s vibrates as a string: frequency sqrt(s / rho) / (2 L).
TEST(FullyIntegratedMembrane, TautStripVibratesAsAString) {
  constexpr int n = 20;
  constexpr double length = 100, tension = 0.2, density = 7.8e-6;
  MiniLoop<double> m;
  m.section = shell_section(9, 1.0, 1);
  use_elastic(m, density, 210, 0.0);
  add_strip(m, n, 1, length, 5);
  m.prepare(elements::explicit_kernel<FullyIntegratedMembraneForm, double>);
  for (std::size_t e = 0; e < m.n_elements(); ++e)
    for (int p = 0; p < 4; ++p) m.state[m.at(e, m.layout.stress + p * m.layout.point_stride)] = tension;
  for (const int end : {0, n, n + 1, 2 * n + 1}) m.fixed[end] = 7;
  for (std::size_t i = 0; i < m.nodes.size(); ++i)
    m.nodes.v[i].z = 1e-3 * std::sin(M_PI * m.nodes.x[i].x / length);
  const double frequency = std::sqrt(tension / density) / (2 * length);
  double crossing = 0, last = 0;
  m.call_kernel();
  while (crossing == 0 && m.time < 2 / frequency) {
    m.step(0.9 * m.smallest_step());
    const double z = m.nodes.x[n / 2].z;
    if (last > 0 && z <= 0) crossing = m.time - m.dt * -z / (last - z);
    last = z;
  }
  EXPECT_NEAR(0.5 / crossing, frequency, 0.003 * frequency);
}

}  // namespace
}  // namespace crumple::test
