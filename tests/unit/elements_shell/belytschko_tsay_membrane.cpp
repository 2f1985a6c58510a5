// Belytschko-Tsay membrane against the shell's plane part, closed forms of taut membranes, and what it leaves
// out.
#include "elements/shell/belytschko_tsay_membrane.hpp"

#include <gtest/gtest.h>

#include "elements/explicit_driver.hpp"
#include "elements/shell/belytschko_tsay.hpp"
#include "mini_loop.hpp"

namespace crumple::test {
namespace {

using elements::shell::BelytschkoTsayForm;
using elements::shell::BelytschkoTsayMembraneForm;

/// An elastic element of unit thickness; ELFORM 2 has one layer, too.
MiniLoop<double> one_quad(int elform, const std::vector<Vec3>& x, int hourglass = 0) {
  MiniLoop<double> m;
  m.section = shell_section(elform, 1.0, elform == 5 ? 3 : 1);
  m.group.hourglass.type = hourglass;
  use_elastic(m);
  for (const Vec3& p : x) m.add_node(p);
  const LocalId last = static_cast<LocalId>(x.size()) - 1;
  m.elements.push_back({0, 1, 2, last});
  m.prepare(elform == 5 ? elements::explicit_kernel<BelytschkoTsayMembraneForm, double>
                        : elements::explicit_kernel<BelytschkoTsayForm, double>);
  m.dt = 1e-3;
  return m;
}

const std::vector<Vec3> kSquare{{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {0, 10, 0}};

/// One step with velocities v of the nodes.
void move(MiniLoop<double>& m, const std::vector<Vec3>& v) {
  for (std::size_t i = 0; i < m.nodes.size(); ++i) {
    m.nodes.v[i] = v[i];
    m.nodes.x[i] += m.dt * v[i];
  }
  for (parallel::LoadSum& sum : m.nodes.loads) sum.clear();
  m.call_kernel();
}

TEST(BelytschkoTsayMembrane, HasOneLayerAndNoOffset) {
  const auto m = one_quad(5, kSquare);  // NIP = 3
  EXPECT_EQ(m.layout.n_points, 1);
  EXPECT_EQ(m.group.layers.size(), 1U);
  EXPECT_EQ(m.group.layers[0].zeta, 0);
  EXPECT_EQ(m.group.layers[0].weight, 2);
  MiniLoop<double> offset;
  offset.section = shell_section(5, 1.0, 1);
  offset.section.nloc = 1;
  use_elastic(offset);
  for (const Vec3& p : kSquare) offset.add_node(p);
  offset.elements.push_back({0, 1, 2, 3});
  EXPECT_THROW(offset.prepare(elements::explicit_kernel<BelytschkoTsayMembraneForm, double>), Error);
}

TEST(BelytschkoTsayMembrane, StableStepIsAreaOverLongestSideByPlateSpeed) {
  auto m = one_quad(5, {{0, 0, 0}, {12, 0, 0}, {12, 4, 0}, {0, 5, 0}});
  m.dt = 0;
  m.call_kernel();
  EXPECT_NEAR(m.smallest_step(), 54 / std::sqrt(145.0) / std::sqrt(210 / (7.8e-6 * 0.91)), 1e-14);
}

/// Any motion in the plane, also of the hourglass modes, gives the forces of the shell.
TEST(BelytschkoTsayMembrane, IsTheShellInItsPlane) {
  for (const int hourglass : {0, 4}) {
    const std::vector<Vec3> corners{{0, 0, 0}, {11, 1, 0}, {10, 9, 0}, {-1, 8, 0}};
    auto shell = one_quad(2, corners, hourglass), membrane = one_quad(5, corners, hourglass);
    const std::vector<Vec3> v{{0.1, 0, 0}, {0.3, -0.2, 0}, {-0.1, 0.4, 0}, {0.2, 0.2, 0}};
    for (int step = 0; step < 5; ++step) {
      move(shell, v);
      move(membrane, v);
    }
    double size = 0;
    for (LocalId i = 0; i < 4; ++i) {
      EXPECT_LT(norm(membrane.nodes.force_at(i) - shell.nodes.force_at(i)), 1e-12) << hourglass;
      size = std::max(size, norm(shell.nodes.force_at(i)));
    }
    EXPECT_GT(size, 1e-3);
    EXPECT_NEAR(membrane.internal_energy(), shell.internal_energy(), 1e-12 * shell.internal_energy());
    EXPECT_NEAR(membrane.hourglass_energy(), shell.hourglass_energy(), 1e-12 * shell.hourglass_energy());
    EXPECT_GT(membrane.hourglass_energy(), 0);
  }
}

// Velocities out of the plane turn and bend the element, of which the strain is of second order in the step.
TEST(BelytschkoTsayMembrane, DoesNotResistBendingOrRotations) {
  auto m = one_quad(5, kSquare);
  for (Vec3& w : m.nodes.w) w = {0.3, -0.2, 0.1};
  m.nodes.w[1] = {-0.1, 0.2, 0.5};
  move(m, std::vector<Vec3>(4));
  for (LocalId i = 0; i < 4; ++i) {
    EXPECT_EQ(norm(m.nodes.force_at(i)), 0);
    EXPECT_EQ(norm(m.nodes.moment_at(i)), 0);
  }
  const double dt = m.dt, rate = 1e-6;
  move(m, {{0, 0, 0}, {0, 0, 0}, {0, 0, rate}, {0, 0, rate}});  // lifted on one side: shear of a shell
  for (LocalId i = 0; i < 4; ++i) EXPECT_LT(norm(m.nodes.force_at(i)), 1e-6 * 210 * rate * dt);
  for (int c = 0; c < 6; ++c) EXPECT_LT(std::abs(m.stress(0, 0, c)), 1e-6 * 210 * rate * dt) << c;
  EXPECT_EQ(m.nodes.moment_at(0).x, 0);
}

TEST(BelytschkoTsayMembrane, WarpingModeIsControlledAsInTheShell) {
  for (const int hourglass : {0, 4}) {
    auto shell = one_quad(2, kSquare, hourglass), membrane = one_quad(5, kSquare, hourglass);
    const std::vector<Vec3> v{{0, 0, 1e-3}, {0, 0, -1e-3}, {0, 0, 1e-3}, {0, 0, -1e-3}};
    move(shell, v);
    move(membrane, v);
    for (LocalId i = 0; i < 4; ++i) {
      EXPECT_LT(membrane.nodes.force_at(i).z * v[i].z, 0) << hourglass;
      EXPECT_NEAR(membrane.nodes.force_at(i).z, shell.nodes.force_at(i).z,
                  1e-9 * std::abs(shell.nodes.force_at(i).z));
    }
  }
}

/// With two equal nodes: the constant strain triangle, forces half the stress times the opposite side's
/// normal.
TEST(BelytschkoTsayMembrane, IsTheConstantStrainTriangle) {
  const std::vector<Vec3> corners{{0, 0, 0}, {8, 1, 0}, {2, 6, 0}};
  auto m = one_quad(5, corners);
  const double e = 1e-6;
  std::vector<Vec3> v;
  for (const Vec3& x : corners) v.push_back((1 / m.dt) * Vec3{e * x.x + 0.4 * e * x.y, -0.2 * e * x.y, 0});
  move(m, v);
  const double plane = 210 / 0.91, shear = 210 / 2.6;
  const double xx = plane * (e - 0.3 * 0.2 * e), yy = plane * (0.3 * e - 0.2 * e), xy = shear * 0.4 * e;
  for (LocalId i = 0; i < 3; ++i) {
    const Vec3 side = corners[(i + 2) % 3] - corners[(i + 1) % 3];
    const Vec3 outward = 0.5 * Vec3{side.y, -side.x, 0};
    const Vec3 resists{xx * outward.x + xy * outward.y, xy * outward.x + yy * outward.y, 0};
    EXPECT_LT(norm(m.nodes.force_at(i) - resists), 1e-4 * plane * e) << i;
  }
  EXPECT_NEAR(m.hourglass_energy(), 0, 1e-12 * m.internal_energy());
}

// A strip under the tension s vibrates as a string: frequency sqrt(s / rho) / (2 L).
TEST(BelytschkoTsayMembrane, TautStripVibratesAsAString) {
  constexpr int n = 20;
  constexpr double length = 100, tension = 0.2, density = 7.8e-6;
  MiniLoop<double> m;
  m.section = shell_section(5, 1.0, 1);
  use_elastic(m, density, 210, 0.0);
  add_strip(m, n, 1, length, 5);
  m.prepare(elements::explicit_kernel<BelytschkoTsayMembraneForm, double>);
  for (std::size_t e = 0; e < m.n_elements(); ++e) m.state[m.at(e, m.layout.stress)] = tension;
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
