// What every shell formulation must do: patch tests, rigid motions, balance, energy, erosion, widths.
#include <gtest/gtest.h>

#include "elements/explicit_driver.hpp"
#include "elements/shell/belytschko_tsay.hpp"
#include "elements/shell/belytschko_tsay_membrane.hpp"
#include "elements/shell/c0_triangle.hpp"
#include "elements/shell/fully_integrated.hpp"
#include "elements/shell/fully_integrated_membrane.hpp"
#include "elements/shell/kirchhoff_strains.hpp"
#include "elements/shell/selective_strains.hpp"
#include "mini_loop.hpp"

namespace crumple::test {
namespace {

using elements::Isa;

/// Scalar reference of a formulation.
template <class T>
elements::Kernel<T> reference_kernel(int elform) {
  using namespace elements::shell;
  switch (std::abs(elform)) {
    case 4:
      return elements::explicit_kernel<C0TriangleForm, T>;
    case 5:
      return elements::explicit_kernel<BelytschkoTsayMembraneForm, T>;
    case 6:
    case 7:
      return elements::explicit_kernel<SelectiveForm, T>;
    case 9:
      return elements::explicit_kernel<FullyIntegratedMembraneForm, T>;
    case 16:
    case 20:
      return elements::explicit_kernel<FullyIntegratedForm, T>;
    case 18:
      return elements::explicit_kernel<KirchhoffForm, T>;
    default:
      return elements::explicit_kernel<BelytschkoTsayForm, T>;
  }
}

struct Case {
  int elform;
  int hourglass = 0;
  int bwc = 2;
  double drilling = 0;
};

class EveryShell : public testing::TestWithParam<Case> {
 protected:
  bool triangles() const { return GetParam().elform == 4; }
  bool membrane() const { return GetParam().elform == 5 || GetParam().elform == 9; }

  template <class T>
  MiniLoop<T> empty(int nip, double thickness = 1.0) const {
    MiniLoop<T> m;
    m.section = shell_section(GetParam().elform, thickness, nip);
    m.control.bwc = GetParam().bwc;
    const bool linear = GetParam().elform == 18 || GetParam().elform == 20;
    m.control.implicit.active = m.control.implicit.whole = linear;
    m.group.hourglass.type = GetParam().hourglass;
    m.group.drilling = GetParam().drilling;
    use_elastic(m);
    return m;
  }
  template <class T>
  void prepare(MiniLoop<T>& m) const {
    if (triangles()) split(m);
    m.prepare(reference_kernel<T>(GetParam().elform));
  }
  /// Every quad becomes two triangles.
  template <class T>
  static void split(MiniLoop<T>& m) {
    const auto quads = m.elements;
    m.elements.clear();
    for (const auto& q : quads) {
      m.elements.push_back({q[0], q[1], q[2], q[2]});
      m.elements.push_back({q[0], q[2], q[3], q[3]});
    }
  }
  /// One warped quad (or two triangles at an angle).
  MiniLoop<double> warped(int nip = 3) const {
    auto m = empty<double>(nip);
    for (const Vec3& p : {Vec3{0, 0, 0.5}, {11, 1, -0.5}, {10, 9, 0.7}, {-1, 8, -0.4}}) m.add_node(p);
    m.elements.push_back({0, 1, 2, 3});
    prepare(m);
    return m;
  }
  MiniLoop<double> square(int nip = 2) const {
    auto m = empty<double>(nip);
    add_strip(m, 1, 1, 10, 10);
    prepare(m);
    return m;
  }
  /// Patch of MacNeal and Harder (1985): distorted elements in a rectangle of 24 x 12; 4-7 are inside.
  MiniLoop<double> patch() const {
    auto m = empty<double>(4, 0.5);
    for (const Vec3& p :
         {Vec3{0, 0, 0}, {24, 0, 0}, {24, 12, 0}, {0, 12, 0}, {4, 2, 0}, {18, 3, 0}, {16, 8, 0}, {8, 8, 0}})
      m.add_node(p);
    m.elements = {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};
    prepare(m);
    return m;
  }
  template <class T>
  static std::array<double, 6> global_stress(const MiniLoop<T>& m, std::size_t e, int point) {
    std::array<double, 6> local, global;
    Vec3 x[4];
    for (int i = 0; i < 4; ++i) x[i] = m.nodes.x[m.elements[e][i]];
    for (int k = 0; k < 6; ++k) local[k] = m.stress(e, point, k);
    m.formulation->to_global(x, local.data(), global.data());
    return global;
  }
};

TEST_P(EveryShell, MassIsLumpedAndComplete) {
  const auto m = square();
  double mass = 0;
  for (int i = 0; i < 4; ++i) {
    mass += m.nodes.mass[i];
    EXPECT_GT(m.nodes.inertia[i], 0);
    if (!triangles()) {
      EXPECT_NEAR(m.nodes.inertia[i], 7.8e-6 * 25 * 100 / 8, 1e-15);
    }
  }
  EXPECT_NEAR(mass, 7.8e-6 * 100, 1e-15);
}

TEST_P(EveryShell, DegenerateElementIsRefused) {
  auto m = empty<double>(2);
  for (int i = 0; i < 4; ++i) m.add_node({double(i), 0, 0});
  m.elements.push_back({0, 1, 2, 3});
  EXPECT_THROW(prepare(m), Error);
}

TEST_P(EveryShell, MembranePatchHasConstantStressAndInnerBalance) {
  auto m = patch();
  m.dt = 1e-3;
  const double a = 1e-6, b = 0.5e-6, c = -0.3e-6;  // displacement gradients in one step
  for (std::size_t i = 0; i < 8; ++i) {
    const Vec3 x = m.nodes.x[i];
    const Vec3 u{a * x.x + b * x.y, c * x.x - 0.2 * a * x.y, 0};
    m.nodes.v[i] = (1 / m.dt) * u;
    m.nodes.x[i] += u;
    m.nodes.w[i].z = 0.5 * (c - b) / m.dt;  // turning with the material, no drilling
  }
  m.call_kernel();
  const double exx = a, eyy = -0.2 * a, gxy = b + c, plane = 210 / 0.91, scale = plane * a;
  for (std::size_t e = 0; e < m.n_elements(); ++e) {
    for (int p = 0; p < m.layout.n_points; ++p) {
      const auto stress = global_stress(m, e, p);
      EXPECT_NEAR(stress[0], plane * (exx + 0.3 * eyy), 1e-5 * scale);
      EXPECT_NEAR(stress[1], plane * (eyy + 0.3 * exx), 1e-5 * scale);
      EXPECT_NEAR(stress[3], 210 / 2.6 * gxy, 1e-5 * scale);
      EXPECT_NEAR(stress[2], 0, 1e-12 * scale);
    }
  }
  for (LocalId i = 4; i < 8; ++i) EXPECT_LT(norm(m.nodes.force_at(i)), 1e-5 * scale * 6);
  EXPECT_GT(norm(m.nodes.force_at(1)), 0.1 * scale * 6);  // the outer nodes do carry the stress
  EXPECT_NEAR(m.hourglass_energy(), 0, 1e-9 * m.internal_energy());
}

TEST_P(EveryShell, BendingPatchOfKirchhoffField) {
  // w = k (x^2 + x y + y^2) / 2 with rotations (w,y, -w,x): constant curvature, no shear wherever the
  // element finds it from edges. MacNeal and Harder (1985), out-of-plane patch.
  auto m = patch();
  m.dt = 1e-3;
  const double k = 1e-10;  // slopes so small that their squares vanish
  m.nodes.loads = parallel::zero_loads(8, std::exp2(70), std::exp2(70));
  for (std::size_t i = 0; i < 8; ++i) {
    const Vec3 x = m.nodes.x[i];
    m.nodes.v[i] = (k / m.dt) * Vec3{0, 0, 0.5 * (x.x * x.x + x.x * x.y + x.y * x.y)};
    m.nodes.w[i] = (k / m.dt) * Vec3{0.5 * x.x + x.y, -x.x - 0.5 * x.y, 0};
  }
  m.call_kernel();
  const double plane = 210 / 0.91, t = 0.5;
  for (std::size_t e = 0; e < m.n_elements(); ++e) {
    for (int p = 0; p < m.layout.n_points; ++p) {
      const auto stress = global_stress(m, e, p);
      const double z = membrane() ? 0 : 0.5 * t * m.group.layers[p % 4].zeta;
      EXPECT_NEAR(stress[0], -plane * 1.3 * k * z, 1e-6 * plane * k);
      EXPECT_NEAR(stress[1], -plane * 1.3 * k * z, 1e-6 * plane * k);
      EXPECT_NEAR(stress[3], -210 / 2.6 * k * z, 1e-6 * plane * k);
    }
  }
  if (membrane()) return;  // its layer is in the middle, where the stress is zero
  const int elform = GetParam().elform;
  if (elform == 1 || elform == 2 || elform == 10 || elform == 11 || elform == 6 || elform == 7)
    return;  // one point sees the shear of the distorted element
  for (LocalId i = 4; i < 8; ++i) {
    EXPECT_LT(norm(m.nodes.force_at(i)), 1e-6 * plane * k);
    EXPECT_LT(norm(m.nodes.moment_at(i)), 1e-6 * plane * k);
  }
  const double rigidity = plane * t * t * t / 12;
  const double energy = 0.5 * rigidity * (2 * 1.3 + 0.5 * 0.7) * k * k * 24 * 12;
  EXPECT_NEAR(m.internal_energy(), energy, 1e-6 * energy);
}

/// Turn about `axis` by a full circle in n steps with exact positions and central difference velocities.
void full_turn(MiniLoop<double>& m, Vec3 axis, int n) {
  axis = (1 / norm(axis)) * axis;
  const double angle = 2 * M_PI / n;
  m.dt = 1e-4;
  for (int i = 1; i <= n; ++i) {
    for (std::size_t j = 0; j < m.nodes.size(); ++j) {
      const Vec3 r = m.nodes.x0[j];
      const double c = std::cos(i * angle), s = std::sin(i * angle);
      const Vec3 to = c * r + s * cross(axis, r) + (1 - c) * dot(axis, r) * axis;
      m.nodes.v[j] = (1 / m.dt) * (to - m.nodes.x[j]);
      m.nodes.x[j] = to;
      m.nodes.w[j] = (angle / m.dt) * axis;
    }
    m.time += m.dt;
    m.call_kernel();
  }
}

TEST_P(EveryShell, RigidTurnLeavesNoStressAndNoHourglassEnergy) {
  for (const Vec3 axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{1, 2, -0.5}}) {
    auto m = warped(2);
    full_turn(m, axis, 8000);
    for (std::size_t e = 0; e < m.n_elements(); ++e)
      for (int p = 0; p < m.layout.n_points; ++p)
        for (int c = 0; c < 6; ++c) EXPECT_LT(std::abs(m.stress(e, p, c)), 1e-6 * 210);
    EXPECT_LT(m.internal_energy(), 1e-12 * 210 * 100);
    EXPECT_LT(std::abs(m.hourglass_energy()), 1e-12 * 210 * 100);
  }
}

TEST_P(EveryShell, StressTurnsWithTheElement) {
  // Edge shears of finite turns, of the third order in their angle, bend the Kirchhoff shell.
  const double near = GetParam().elform == 18 ? 1e-5 : 1e-7;
  auto m = square();
  for (std::size_t e = 0; e < m.n_elements(); ++e)
    for (int p = 0; p < m.layout.n_points; ++p)
      m.state[m.at(e, m.layout.stress + p * m.layout.point_stride)] = 0.2;  // sxx
  full_turn(m, {0, 0, 1}, 8001);
  full_turn(m, {1, 0, 0}, 8001);
  EXPECT_NEAR(m.stress(0, 0, 0), 0.2, near);
  // Quarter turn about z: the traction is along y now.
  for (Vec3& x : m.nodes.x) x = {-x.y, x.x, 0};
  const auto turned = global_stress(m, 0, 0);
  EXPECT_NEAR(turned[1], 0.2, near);
  EXPECT_NEAR(turned[0], 0, near);
}

/// A motion that is neither small nor symmetric.
void stir(MiniLoop<double>& m, double s) {
  for (std::size_t i = 0; i < m.nodes.size(); ++i) {
    m.nodes.v[i] = {2e-3 * i * s, -1e-3 * i * i * s, 2e-3 * (i % 2)};
    m.nodes.w[i] = {2e-4 * i, 3e-4 * (i % 3) * s, 1e-4};
    m.nodes.x[i] += m.dt * m.nodes.v[i];
  }
}

TEST_P(EveryShell, ForcesBalance) {
  auto m = warped(3);
  m.dt = 1e-2;
  stir(m, 1.5);
  for (parallel::LoadSum& sum : m.nodes.loads) sum.clear();
  m.call_kernel();
  Vec3 force, moment;
  double size = 0;
  for (LocalId i = 0; i < 4; ++i) {
    force += m.nodes.force_at(i);
    moment += m.nodes.moment_at(i) + cross(m.nodes.x[i], m.nodes.force_at(i));
    size += norm(m.nodes.force_at(i));
  }
  EXPECT_GT(size, 1e-4);
  EXPECT_LT(norm(force), 1e-9 * size);
  EXPECT_LT(norm(moment), 1e-8 * size);
}

TEST_P(EveryShell, EnergyEqualsWorkOfNodalForces) {
  auto m = warped(5);
  m.dt = 2e-3;
  double work = 0;
  std::array<Vec3, 4> f{}, c{};
  for (int step = 0; step < 2000; ++step) {
    stir(m, std::sin(2e-3 * step));
    for (parallel::LoadSum& sum : m.nodes.loads) sum.clear();
    m.call_kernel();
    for (LocalId i = 0; i < 4; ++i) {
      const Vec3 f1 = -m.nodes.force_at(i), c1 = -m.nodes.moment_at(i);
      work += 0.5 * m.dt * (dot(f[i] + f1, m.nodes.v[i]) + dot(c[i] + c1, m.nodes.w[i]));
      f[i] = f1, c[i] = c1;
    }
  }
  EXPECT_GT(work, 1e-6);
  EXPECT_NEAR(m.internal_energy() + m.hourglass_energy(), work, 2e-4 * work);
}

TEST_P(EveryShell, FreeFallKeepsTheGivenAcceleration) {
  auto m = warped();
  m.loads = [](auto& s) {
    for (LocalId i = 0; i < 4; ++i) s.nodes.add_force(i, {0, 0, -0.00981 * s.nodes.mass[i]});
  };
  m.run(1.0);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(m.nodes.v[i].z, -0.00981 * 1.0, 0.00981 * 2e-3);  // velocity lags half a step
    EXPECT_NEAR(m.nodes.v[i].x, 0, 1e-9);  // a unit of the fixed-point sums is 1e-12 kN
  }
  EXPECT_NEAR(m.internal_energy(), 0, 1e-15);
}

TEST_P(EveryShell, UniaxialStretchThinsTheShell) {
  auto m = empty<double>(2);
  m.control.istupd = 1;
  add_strip(m, 1, 1, 10, 10);
  prepare(m);
  const int n = 1000;
  m.dt = 1e-3;
  for (int i = 0; i < n; ++i) {
    const double rate = 0.1 / n;  // lateral strain chosen so that syy stays 0
    for (std::size_t j = 0; j < 4; ++j) {
      const Vec3 x = m.nodes.x[j];
      const Vec3 to{x.x * std::exp(rate), x.y * std::exp(-0.3 * rate), 0};
      m.nodes.v[j] = (1 / m.dt) * (to - x);
      m.nodes.x[j] = to;
    }
    m.call_kernel();
  }
  const double tension = 210 * 0.1;  // Hencky strain
  for (int p = 0; p < m.layout.n_points; ++p) {
    if (triangles()) continue;  // their frames lean with the sides; see the energy below
    EXPECT_NEAR(m.stress(0, p, 0), tension, tension * 1e-6);
    EXPECT_NEAR(m.stress(0, p, 1), 0, tension * 1e-6);
  }
  EXPECT_NEAR(m.thickness(0), std::exp(-0.3 * 0.1), 2e-6);
  // Internal energy: integral of s de times the current volume, whose thickness lags a step (1.5e-5).
  double expected = 0;  // 100 * 210 * integral of e exp(0.4 e), midpoint rule
  for (int i = 0; i < 10000; ++i) {
    const double strain = 1e-5 * (i + 0.5);
    expected += 100 * 210 * strain * std::exp(0.4 * strain) * 1e-5;
  }
  EXPECT_NEAR(m.internal_energy(), expected, (triangles() ? 2e-3 : 2e-5) * expected);
}

TEST_P(EveryShell, StepFallsWithTheElement) {
  auto m = square();
  m.call_kernel();
  const double speed = std::sqrt(210 / (7.8e-6 * 0.91));
  // Area over the longest side; twice the area for a triangle.
  const double length = triangles() ? 100 / std::sqrt(200.0) : 10;
  const double step = length / speed;
  if (GetParam().drilling == 0) {
    EXPECT_NEAR(m.smallest_step(), step, 1e-14);
  } else {
    EXPECT_LT(m.smallest_step(), step);
    EXPECT_GT(m.smallest_step(), 0.99 * step);  // t^2 / A is 1 %
  }
}

TEST_P(EveryShell, VectorWidthsAgreeWithTheScalarReference) {
  const auto run = [&](elements::Kernel<double> kernel) {
    auto m = empty<double>(3);
    add_strip(m, 7, 5, 70, 50, [](double x, double y) { return Vec3{x, y, 0.01 * x * y / 10}; });
    prepare(m);  // 35 quads: three blocks, the last with padding
    m.kernel = kernel;
    for (std::size_t i = 0; i < m.nodes.size(); ++i)
      m.nodes.v[i] = {0.5 * std::sin(0.1 * i), 0.3 * std::cos(0.3 * i), std::sin(0.2 * i)};
    m.run(0.1);
    return m;
  };
  const auto reference = run(reference_kernel<double>(GetParam().elform));
  for (int isa = 0; isa <= static_cast<int>(elements::best_isa()); ++isa) {
    const auto kernel =
        elements::find_kernel<double>(static_cast<Isa>(isa), model::ElementKind::shell, GetParam().elform);
    if (!kernel) continue;
    const auto m = run(kernel);
    for (std::size_t i = 0; i < m.nodes.size(); ++i)
      EXPECT_LT(norm(m.nodes.x[i] - reference.nodes.x[i]), 1e-10) << elements::isa_name(Isa(isa));
    EXPECT_NEAR(m.internal_energy(), reference.internal_energy(), 1e-9 * reference.internal_energy());
  }
}

TEST_P(EveryShell, SinglePrecisionFollowsDouble) {
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    auto m = empty<T>(3);
    // Far from the origin and fast as a whole: the kernel must not see either.
    add_strip(m, 10, 1, 100, 10, [](double x, double y) { return Vec3{x + 1e5, y - 2e5, 3e4}; });
    prepare(m);
    const double along = membrane() ? 1e-5 : 0;  // membranes do not bend
    for (std::size_t i = 0; i < m.nodes.size(); ++i) {
      const double square = (m.nodes.x[i].x - 1e5) * (m.nodes.x[i].x - 1e5);
      m.nodes.v[i] = {15 + along * square, 0, 1e-4 * square};
    }
    m.run(1.0, 0.8);
    return m.internal_energy();
  };
  const double twice = run(double{});
  EXPECT_GT(twice, 1e-9);
  EXPECT_NEAR(run(float{}), twice, 2e-3 * twice);
}

TEST_P(EveryShell, DeadAndPaddingLanesAddNothing) {
  auto m = square();
  m.alive[0] = m.alive[1] = 0;
  for (Vec3& x : m.nodes.x) x = {};  // geometry of NaNs
  m.nodes.v[1] = {5, 0, 0};
  m.dt = 1e-3;
  m.stable_step[0] = 42;
  const auto before = m.state;
  m.call_kernel();
  for (const parallel::LoadSum& sum : m.nodes.loads) EXPECT_TRUE(sum.force.is_zero());
  EXPECT_EQ(m.stable_step[0], 42);
  EXPECT_EQ(m.internal_energy(), 0);
  EXPECT_EQ(m.state, before);  // a NaN would differ from itself

  // One element of a block dead, its neighbour alive: the same.
  auto pair = empty<double>(2);
  add_strip(pair, 2, 1, 20, 10);
  prepare(pair);
  for (std::size_t e = pair.n_elements() / 2; e < pair.n_elements(); ++e) pair.alive[e] = 0;
  pair.nodes.x[5] = {10, 0, 0};
  pair.nodes.x[2] = {10, 0, 0};
  pair.nodes.v[0] = {0.1, 0, 0};
  pair.dt = 1e-3;
  pair.call_kernel();
  for (const double s : pair.state) EXPECT_EQ(s, s);
  EXPECT_EQ(norm(pair.nodes.force_at(5)), 0);
  EXPECT_GT(norm(pair.nodes.force_at(0)), 0);
}

TEST_P(EveryShell, NullShellsCarryNothing) {
  auto m = square();
  use_material(m, 9, 7.8e-6, {{"YM", 210.0}, {"PR", 0.3}});
  m.nodes.v[1] = {5, 0, 0};
  m.dt = 1e-3;
  m.call_kernel();
  for (const parallel::LoadSum& sum : m.nodes.loads) EXPECT_TRUE(sum.force.is_zero());
  EXPECT_GE(m.smallest_step(), 1e29);
}

std::string name(const testing::TestParamInfo<Case>& info) {
  const std::string sign = info.param.elform < 0 ? "minus" : "";
  return "elform" + sign + std::to_string(std::abs(info.param.elform)) + "_hourglass" +
         std::to_string(info.param.hourglass) + "_bwc" + std::to_string(info.param.bwc) +
         (info.param.drilling > 0 ? "_drilling" : "");
}

INSTANTIATE_TEST_SUITE_P(Shells, EveryShell,
                         testing::Values(Case{2}, Case{2, 4}, Case{2, 0, 1}, Case{2, 4, 1}, Case{10}, Case{1},
                                         Case{11}, Case{-16}, Case{4}, Case{6}, Case{7}, Case{18}, Case{20},
                                         Case{5}, Case{5, 4}, Case{9}, Case{16}, Case{16, 8},
                                         Case{2, 4, 2, 1}, Case{2, 4, 1, 1}, Case{4, 0, 2, 1},
                                         Case{16, 8, 2, 1}),
                         name);

}  // namespace
}  // namespace crumple::test
