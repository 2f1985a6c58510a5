// Static limits by damped motion: twisted beam, Scordelis-Lo roof, bending in the plane (MacNeal and Harder
// 1985; Belytschko et al. 1985).
#include <gtest/gtest.h>

#include "elements/explicit_driver.hpp"
#include "elements/shell/belytschko_tsay.hpp"
#include "elements/shell/c0_triangle.hpp"
#include "elements/shell/fully_integrated.hpp"
#include "mini_loop.hpp"

namespace crumple::test {
namespace {

/// The widest kernel this processor has, else the scalar reference.
elements::Kernel<double> fastest(int elform) {
  using namespace elements::shell;
  if (const auto k = elements::find_kernel<double>(elements::best_isa(), model::ElementKind::shell, elform))
    return k;
  return elform == 2   ? elements::explicit_kernel<BelytschkoTsayForm, double>
         : elform == 4 ? elements::explicit_kernel<C0TriangleForm, double>
                       : elements::explicit_kernel<FullyIntegratedForm, double>;
}

/// Settle under `load` with mass proportional damping of `rate`; `value` must come to rest within 1e-5.
double settle(MiniLoop<double>& m, double rate, const std::function<void(MiniLoop<double>&)>& load,
              const std::function<double(const MiniLoop<double>&)>& value) {
  m.loads = [&](MiniLoop<double>& s) {
    load(s);
    for (std::size_t i = 0; i < s.nodes.size(); ++i) {
      const LocalId n = static_cast<LocalId>(i);
      s.nodes.add_force(n, -rate * s.nodes.mass[i] * s.nodes.v[i]);
      s.nodes.add_moment(n, -rate * s.nodes.inertia[i] * s.nodes.w[i]);
    }
  };
  m.call_kernel();
  double last = 0;
  for (int n = 1; n <= 60000; ++n) {
    m.step(0.8 * m.smallest_step());
    if (n % 2000) continue;
    if (std::abs(value(m) - last) < 1e-5 * std::abs(value(m))) return value(m);
    last = value(m);
  }
  ADD_FAILURE() << "did not settle";
  return value(m);
}

void split(MiniLoop<double>& m) {
  const auto quads = m.elements;
  m.elements.clear();
  for (const auto& q : quads) {
    m.elements.push_back({q[0], q[1], q[2], q[2]});
    m.elements.push_back({q[0], q[2], q[3], q[3]});
  }
}

/// Tip deflection of the twisted beam, 6 ny x ny elements, 90 degrees over its length of 12.
double twisted_beam(int elform, int ny, int hourglass, int bwc, int direction) {
  const int nx = 6 * ny;
  MiniLoop<double> m;
  m.section = shell_section(elform, 0.32, 2);
  m.control.bwc = bwc;
  m.group.hourglass = {.type = hourglass, .qm = 0.05, .qb = 0.05, .qw = 0.05};
  use_elastic(m, 1e-4, 29e6, 0.22);
  add_strip(m, nx, ny, 12, 1.1, [](double x, double y) {
    const double a = M_PI / 2 * x / 12, s = y - 0.55;
    return Vec3{x, s * std::cos(a), s * std::sin(a)};
  });
  m.prepare(fastest(elform));
  for (int j = 0; j <= ny; ++j) m.fixed[j * (nx + 1)] = 63;
  return settle(
      m, 7 / 144.0 * std::sqrt(29e6 * 0.32 * 0.32 / 12 / 1e-4),
      [&](MiniLoop<double>& s) {
        for (int j = 0; j <= ny; ++j) {
          Vec3 f;
          f[direction] = (j == 0 || j == ny ? 0.5 : 1.0) / ny;
          s.nodes.add_force(j * (nx + 1) + nx, f);
        }
      },
      [&](const MiniLoop<double>& s) {
        const std::size_t i = static_cast<std::size_t>(ny / 2 * (nx + 1) + nx);
        return (s.nodes.x[i] - s.nodes.x0[i])[direction];
      });
}

TEST(ShellStatics, TwistedBeam) {
  // At the tip the width points along z: a load in z bends in the plane there.
  // One-point elements, n of them over the width, have 1 - 1 / n^2 of its stiffness in their plane.
  EXPECT_NEAR(twisted_beam(2, 4, 4, 1, 2), 5.424e-3, 0.01 * 5.424e-3);
  EXPECT_NEAR(twisted_beam(2, 4, 4, 1, 1), 1.754e-3, 0.02 * 1.754e-3);
  EXPECT_NEAR(twisted_beam(16, 2, 8, 2, 2), 5.424e-3, 0.01 * 5.424e-3);
  EXPECT_NEAR(twisted_beam(16, 2, 8, 2, 1), 1.754e-3, 0.02 * 1.754e-3);
}

/// Deflection of the middle of the free edge of a quarter of the Scordelis-Lo roof, n x n elements.
double roof(int elform, int n) {
  constexpr double small = 1e-4;  // of the load, to stay linear
  MiniLoop<double> m;
  m.section = shell_section(elform, 0.25, 2);
  use_elastic(m, 1e-4, 4.32e8, 0.0);
  add_strip(m, n, n, 25, 40, [](double x, double y) {
    const double a = y * M_PI / 180;
    return Vec3{x, 25 * std::sin(a), 25 * std::cos(a)};
  });
  if (elform == 4) split(m);
  m.prepare(fastest(elform));
  for (int i = 0; i <= n; ++i) {
    m.fixed[i * (n + 1)] |= 2 | 4;            // diaphragm
    m.fixed[i * (n + 1) + n] |= 1 | 16 | 32;  // symmetry in x
    m.fixed[i] |= 2 | 8 | 32;                 // symmetry in y
  }
  return settle(
             m, 2e4,
             [&](MiniLoop<double>& s) {
               for (std::size_t i = 0; i < s.nodes.size(); ++i)
                 s.nodes.add_force(LocalId(i), {0, 0, -90 * small * s.nodes.mass[i] / (1e-4 * 0.25)});
             },
             [](const MiniLoop<double>& s) { return (s.nodes.x0.back() - s.nodes.x.back()).z; }) /
         small;
}

TEST(ShellStatics, ScordelisLoRoof) {
  EXPECT_NEAR(roof(16, 8), 0.3024, 0.02 * 0.3024);
  // Flat triangles are stiffer, and converge: 0.264 with 8 divisions, 0.292 with 16.
  const double coarse = roof(4, 6), fine = roof(4, 10);
  EXPECT_LT(coarse, fine);
  EXPECT_NEAR(fine, 0.3024, 0.12 * 0.3024);
}

TEST(ShellStatics, FullyIntegratedBendsInItsPlane) {
  // One element over the depth of a cantilever: an end moment, exact with the assumed strains. Deflection
  // M L^2 / (2 E I), I = t h^3 / 12; a full bilinear membrane would lock at 2/3 or less of it.
  constexpr int n = 10;
  constexpr double length = 100, depth = 10, force = 1e-3;
  MiniLoop<double> m;
  m.section = shell_section(16, 1.0, 2);
  use_elastic(m);
  add_strip(m, n, 1, length, depth);
  m.prepare(fastest(16));
  m.fixed[0] = 63;
  m.fixed[n + 1] = 63 & ~2;  // free to contract in y, as in pure bending
  const double inertia = depth * depth * depth / 12;
  const double deflection = settle(
      m, 2 * 3.5 / (length * length) * std::sqrt(210 * inertia / (7.8e-6 * depth)),
      [](MiniLoop<double>& s) {
        s.nodes.add_force(n, {force, 0, 0});
        s.nodes.add_force(2 * n + 1, {-force, 0, 0});
      },
      [](const MiniLoop<double>& s) { return s.nodes.x[n].y - s.nodes.x0[n].y; });
  const double expected = force * depth * length * length / (2 * 210 * inertia);
  EXPECT_NEAR(deflection, expected, 0.005 * expected);
}

}  // namespace
}  // namespace crumple::test
