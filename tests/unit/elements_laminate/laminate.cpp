// Shells whose layers differ in material and angle, against classical laminate theory: Jones 1975, Mechanics
// of Composite Materials, eq. 2.80 (stiffness of a ply off its axes) and 4.23 to 4.24 (A, B and D).
#include "unit/every_law.hpp"
//
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "elements/shell/lamina.hpp"
#include "materials/prepare.hpp"
#include "unit/elements_shell/mini_loop.hpp"

namespace crumple::test {
namespace {

/// Stiffness of a ply along its axes.
struct Ply {
  double q11 = 0, q12 = 0, q22 = 0, q66 = 0, g23 = 0, g13 = 0;
};

/// *MAT_ORTHOTROPIC_ELASTIC.
model::Material orthotropic(double e1, double e2, double nu12, double g12, double g13, double g23) {
  model::Material m;
  m.law = 2;
  m.density = 1;
  m.fields = {{"EA", e1},   {"EB", e2},   {"EC", e2},  {"PRBA", nu12 * e2 / e1}, {"PRCA", 0.0}, {"PRCB", 0.0},
              {"GAB", g12}, {"GBC", g23}, {"GCA", g13}};
  return m;
}

Ply ply(double e1, double e2, double nu12, double g12, double g13, double g23) {
  const double d = 1 - nu12 * nu12 * e2 / e1;
  return {e1 / d, nu12 * e2 / d, e2 / d, g12, g23, g13};
}

constexpr double kThickness = 2.0;
using Matrix = std::array<std::array<double, 3>, 3>;

/// Eq. 2.80: stiffness of a ply, xx yy xy, turned by `angle`.
Matrix off_axis(const Ply& q, double angle) {
  const double c = std::cos(angle), s = std::sin(angle), c2 = c * c, s2 = s * s;
  const double a = q.q11 - q.q12 - 2 * q.q66, b = q.q12 - q.q22 + 2 * q.q66;
  Matrix m;
  m[0][0] = q.q11 * c2 * c2 + 2 * (q.q12 + 2 * q.q66) * s2 * c2 + q.q22 * s2 * s2;
  m[0][1] = m[1][0] = (q.q11 + q.q22 - 4 * q.q66) * s2 * c2 + q.q12 * (s2 * s2 + c2 * c2);
  m[1][1] = q.q11 * s2 * s2 + 2 * (q.q12 + 2 * q.q66) * s2 * c2 + q.q22 * c2 * c2;
  m[0][2] = m[2][0] = a * s * c2 * c + b * s2 * s * c;
  m[1][2] = m[2][1] = a * s2 * s * c + b * s * c2 * c;
  m[2][2] = (q.q11 + q.q22 - 2 * q.q12 - 2 * q.q66) * s2 * c2 + q.q66 * (s2 * s2 + c2 * c2);
  return m;
}

/// Plies from the lower surface up: two of fibres and one of metal, of different thickness.
struct Laminate {
  Ply fibres = ply(140, 10, 0.3, 5, 5, 3), metal = ply(70, 70, 0.33, 70 / 2.66, 70 / 2.66, 70 / 2.66);
  materials::Prepared composite = materials::prepare({}, orthotropic(140, 10, 0.3, 5, 5, 3)),
                      aluminium =
                          materials::prepare({}, orthotropic(70, 70, 0.33, 70 / 2.66, 70 / 2.66, 70 / 2.66));
  std::array<double, 3> angle{0.25 * std::numbers::pi, -std::numbers::pi / 6, 0.0};
  std::array<double, 4> side{-0.5, -0.1, 0.2, 0.5};  ///< of the plies, over the thickness
  elements::GroupParameters group;

  Laminate() {
    group.laminated = true;
    group.shear_factor = 1;
    group.n_history = composite.n_history;
    for (std::size_t k = 0; k < 3; ++k)
      for (const double at : {-1.0, 1.0}) {  // two points of Gauss a ply: exact for D
        const double half = 0.5 * (side[k + 1] - side[k]), middle = 0.5 * (side[k + 1] + side[k]);
        group.layers.push_back({k == 2 ? aluminium.law : composite.law,
                                2 * (middle + at * half / std::sqrt(3.0)), 2 * half, angle[k]});
      }
    group.law = composite.law;
    group.n_points = static_cast<int>(group.layers.size());
  }
  /// The state of one element with the axes of its layers.
  std::vector<double> state() const {
    std::vector<double> all(elements::kLanes * elements::shell::shell_variables(group), 0.0);
    for (int p = 0; p < group.n_points; ++p) {
      const int at =
          elements::shell::kFirstPoint + p * elements::shell::point_stride(group) + elements::shell::kHistory;
      const double a = group.layers[std::size_t(p)].angle;
      all[std::size_t(at) * elements::kLanes] = std::cos(a) - 1;
      all[std::size_t(at + 1) * elements::kLanes] = std::sin(a);
    }
    return all;
  }
  const Ply& of(int k) const { return k == 2 ? metal : fibres; }

  /// Sum over the plies of Q (z_k+1^n - z_k^n) / n: A, B, D for n = 1, 2, 3.
  double stiffness(int n, int i, int j) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
      sum += off_axis(of(k), angle[k])[i][j] *
             (std::pow(kThickness * side[k + 1], n) - std::pow(kThickness * side[k], n)) / n;
    return sum;
  }
};

/// The state of one element's points, and what they come to after steps of one increment.
elements::shell::Resultants<double> after(const Laminate& laminate,
                                          const elements::shell::Increment<double>& increment, int steps) {
  std::vector<double> state = laminate.state();
  const elements::shell::Laminate<double> at{kThickness, 0.0, 1.0, 0.0};
  elements::shell::Resultants<double> last;
  for (int k = 0; k < steps; ++k) {
    elements::shell::Column<double> column[1] = {{increment, {}}};
    double n_failed = 0;
    elements::shell::integrate_columns(
        laminate.group, laminate.group.n_points, elements::shell::point_stride(laminate.group),
        state.data() + elements::shell::kFirstPoint * elements::kLanes, at, column, n_failed);
    last = column[0].resultants;
  }
  return last;
}

TEST(Laminate, HasTheStiffnessesOfClassicalTheory) {
  const Laminate laminate;
  constexpr int kSteps = 3;
  const double strain = 1e-3 / kSteps;
  for (int j = 0; j < 3; ++j) {
    elements::shell::Increment<double> stretch{}, bend{};
    stretch.membrane[j] = strain;
    bend.curvature[j] = strain;
    const auto stretched = after(laminate, stretch, kSteps), bent = after(laminate, bend, kSteps);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(stretched.force[i] / 1e-3, laminate.stiffness(1, i, j), 1e-10 * 140) << "A " << i << j;
      EXPECT_NEAR(stretched.moment[i] / 1e-3, laminate.stiffness(2, i, j), 1e-10 * 140) << "B " << i << j;
      EXPECT_NEAR(bent.force[i] / 1e-3, laminate.stiffness(2, i, j), 1e-10 * 140) << "B " << i << j;
      EXPECT_NEAR(bent.moment[i] / 1e-3, laminate.stiffness(3, i, j), 1e-10 * 140) << "D " << i << j;
    }
  }
}

// Transverse shear turns as a vector: sum of t (G13 c^2 + G23 s^2) on its own side.
TEST(Laminate, TurnsTransverseShear) {
  const Laminate laminate;
  elements::shell::Increment<double> shear{};
  shear.shear[1] = 1e-3;  // zx
  double along = 0, across = 0;
  for (int k = 0; k < 3; ++k) {
    const double c = std::cos(laminate.angle[k]), s = std::sin(laminate.angle[k]);
    const double t = kThickness * (laminate.side[k + 1] - laminate.side[k]);
    along += t * (laminate.of(k).g13 * c * c + laminate.of(k).g23 * s * s);
    across += t * (laminate.of(k).g13 - laminate.of(k).g23) * c * s;
  }
  const auto r = after(laminate, shear, 1);
  EXPECT_NEAR(r.shear[1] / 1e-3, along, 1e-11);
  EXPECT_NEAR(r.shear[0] / 1e-3, across, 1e-11);
}

// Work is the same in all axes.
TEST(Laminate, WorkIsThatOfTheResultants) {
  const Laminate laminate;
  const elements::shell::Increment<double> d{{1e-3, -4e-4, 7e-4}, {2e-4, 3e-4, -5e-4}, {6e-4, -2e-4}};
  const auto r = after(laminate, d, 1);
  double work = 0;
  for (int i = 0; i < 3; ++i) work += r.force[i] * d.membrane[i] + r.moment[i] * d.curvature[i];
  for (int i = 0; i < 2; ++i) work += r.shear[i] * d.shear[i];
  EXPECT_NEAR(r.work, 0.5 * work, 1e-15);
}

/// Nodal forces of one warped and bent plastic shell after some steps, by the kernel.
template <class T>
std::vector<Vec3> forces(int elform, int layers,
                         const std::function<void(elements::GroupParameters&)>& change) {
  MiniLoop<T> m;
  use_material(m, 24, 7.8e-6, {{"E", 210.0}, {"PR", 0.3}, {"SIGY", 0.3}, {"ETAN", 2.0}});
  add_strip(m, 1, 1, 10, 8, [](double x, double y) { return Vec3{x, y, 0.01 * x * y}; });
  m.section = shell_section(elform, 1.2, layers);
  m.prepare(elements::find_kernel<T>(elements::best_isa(), model::ElementKind::shell, elform));
  change(m.group);
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3& x = m.nodes.x[i];
    m.nodes.v[i] = {0.4 * x.x + 0.1 * x.y, -0.2 * x.y, 0.05 * x.x * x.y};
    m.nodes.w[i] = {0.02 * x.y, 0.3 * x.x, 0};
  }
  m.dt = 1e-3;
  for (int k = 0; k < 20; ++k) {
    for (parallel::LoadSum& sum : m.nodes.loads) sum.clear();
    m.call_kernel();
  }
  std::vector<Vec3> all;
  for (LocalId i = 0; i < 4; ++i) all.push_back(m.nodes.force_at(i));
  return all;
}

// Layers one by one are what pairs of layers are.
TEST(Laminate, LayersOneByOneAreAsPairs) {
  for (const int elform : {2, 16})
    for (const int layers : {3, 4}) {
      const auto plain = forces<double>(elform, layers, [](auto&) {});
      const auto one_by_one =
          forces<double>(elform, layers, [](elements::GroupParameters& g) { g.laminated = true; });
      double size = 0;
      for (const Vec3& f : plain) size = std::max(size, norm(f));
      EXPECT_GT(size, 0.1);
      for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(norm(plain[i] - one_by_one[i]), 1e-9 * size) << elform;
    }
}

}  // namespace
}  // namespace crumple::test
