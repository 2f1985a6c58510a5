// Thick shells: patch tests, rigid rotation, every mode, bending with one element through the thickness,
// stable step.
#include <gtest/gtest.h>

#include <numeric>

#include "../elements_solid/meshes.hpp"
#include "base/error.hpp"
#include "elements/shell/state.hpp"
#include "elements/solid/layout.hpp"

namespace crumple::test {
namespace {

using elements::Isa;
using model::ElementKind;

constexpr double kYoung = 210.0, kPoisson = 0.3, kDensity = 7.8e-6;
constexpr int kOneColumn = model::kThickShells + 5, kFourColumns = model::kThickShells + 3;

template <class T = double>
Driver<T> make(int elform, int nip = 3,
               const model::Material& m = elastic_material(kYoung, kPoisson, kDensity)) {
  Driver<T> d(ElementKind::solid, elform, m);
  d.section.nip = nip;
  return d;
}

model::Material plastic(double yield) {
  model::Material m = elastic_material(kYoung, kPoisson, kDensity);
  m.law = 3;
  m.name = "MAT_PLASTIC_KINEMATIC";
  m.fields["SIGY"] = yield;
  m.fields["ETAN"] = 0;
  m.fields["BETA"] = 1;
  return m;
}

/// A plate of 3 x 3 elements whose inner columns of nodes are moved in the plane.
template <class T>
void add_distorted_plate(Driver<T>& d, double thickness) {
  add_solid_box(d, 1, 3, 3, 1, {3, 3, thickness}, 0.0, {-1.5, -1.5, -0.5 * thickness});
  for (std::size_t n = 0; n < d.nodes.size(); ++n) {
    Vec3& x = d.nodes.x[n];
    if (std::abs(x.x) > 1 || std::abs(x.y) > 1) continue;
    const double seed = 7.0 * static_cast<double>(n % 16);
    x += 0.25 * Vec3{std::sin(seed), std::sin(seed + 1), 0};
    d.nodes.x0[n] = x;
  }
}

bool is_inner(const Vec3& x) { return std::abs(x.x) < 1 && std::abs(x.y) < 1; }

class ThickShell : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Elform, ThickShell, testing::Values(kOneColumn, kFourColumns));

TEST_P(ThickShell, LinearFieldHasItsStrainInAnyShape) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 3, 3, 3, {3, 3, 3}, 0.15);
  d.start();
  const double l[3][3] = {{1e-3, 2e-4, -3e-4}, {5e-4, -4e-4, 1e-4}, {-2e-4, 6e-4, 7e-4}};
  const double dt = 1e-3;
  for (std::size_t n = 0; n < d.nodes.size(); ++n)
    for (int i = 0; i < 3; ++i)
      d.nodes.v[n][i] = l[i][0] * d.nodes.x[n].x + l[i][1] * d.nodes.x[n].y + l[i][2] * d.nodes.x[n].z;
  d.move(dt);
  const double lame = d.group.bulk - 2 * d.group.shear / 3, trace = l[0][0] + l[1][1] + l[2][2];
  for (int e = 0; e < d.n_elements(); ++e)
    for (int p = 0; p < d.layout.n_points; ++p) {
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(d.stress(e, i, p), dt * (lame * trace + 2 * d.group.shear * l[i][i]), 1e-9);
      EXPECT_NEAR(d.stress(e, 3, p), dt * d.group.shear * (l[0][1] + l[1][0]), 1e-9);
      EXPECT_NEAR(d.stress(e, 4, p), dt * d.group.shear * (l[1][2] + l[2][1]), 1e-9);
      EXPECT_NEAR(d.stress(e, 5, p), dt * d.group.shear * (l[2][0] + l[0][2]), 1e-9);
    }
}

/// Edges through the thickness are parallel: any uniform stress is in equilibrium.
TEST_P(ThickShell, PatchOfConstantStrainIsInEquilibrium) {
  Driver<double> d = make(GetParam());
  add_distorted_plate(d, 0.4);
  d.start();
  const double l[3][3] = {{1e-3, 2e-4, -3e-4}, {5e-4, -4e-4, 1e-4}, {-2e-4, 6e-4, 7e-4}};
  for (std::size_t n = 0; n < d.nodes.size(); ++n)
    for (int i = 0; i < 3; ++i)
      d.nodes.v[n][i] = l[i][0] * d.nodes.x[n].x + l[i][1] * d.nodes.x[n].y + l[i][2] * d.nodes.x[n].z;
  d.move(1e-3);
  int inner = 0;
  for (std::size_t n = 0; n + 16 < d.nodes.size(); ++n) {
    if (!is_inner(d.nodes.x0[n])) continue;
    ++inner;  // stresses on the faces act on the two nodes with opposite signs
    EXPECT_NEAR(
        norm(d.nodes.force_at(static_cast<LocalId>(n)) + d.nodes.force_at(static_cast<LocalId>(n + 16))), 0,
        1e-13);
  }
  EXPECT_EQ(inner, 4);
}

/// Kirchhoff's bending and twisting of a distorted plate: uniform moments, no force on inner nodes.
TEST_P(ThickShell, PatchOfConstantCurvatureIsExact) {
  Driver<double> d = make(GetParam());
  add_distorted_plate(d, 0.1);
  d.start();
  const double xx = 2e-3, yy = -1e-3, xy = 7e-4, dt = 1e-5;  // terms of second order are below the tolerances
  for (std::size_t n = 0; n < d.nodes.size(); ++n) {
    const Vec3& x = d.nodes.x0[n];
    d.nodes.v[n] = {-x.z * (xx * x.x + xy * x.y), -x.z * (yy * x.y + xy * x.x),
                    0.5 * (xx * x.x * x.x + yy * x.y * x.y) + xy * x.x * x.y};
  }
  d.move(dt);
  const double plate = kYoung / (1 - kPoisson * kPoisson);
  const int nip = d.section.nip;
  for (int e = 0; e < d.n_elements(); ++e)
    for (int p = 0; p < d.layout.n_points; ++p) {
      const double strain = -0.05 * d.group.layers[static_cast<std::size_t>(p % nip)].zeta * dt;
      EXPECT_NEAR(d.stress(e, 0, p), strain * plate * (xx + kPoisson * yy), 1e-11);
      EXPECT_NEAR(d.stress(e, 1, p), strain * plate * (yy + kPoisson * xx), 1e-11);
      EXPECT_NEAR(d.stress(e, 3, p), strain * 2 * d.group.shear * xy, 1e-11);
      for (const int k : {2, 4, 5}) EXPECT_NEAR(d.stress(e, k, p), 0, 1e-11);
    }
  double edge = 0;
  for (std::size_t n = 0; n < d.nodes.size(); ++n) {
    const double force = norm(d.nodes.force_at(static_cast<LocalId>(n)));
    if (is_inner(d.nodes.x0[n])) {
      EXPECT_NEAR(force, 0, 5e-13);
    }
    edge = std::max(edge, force);
  }
  EXPECT_GT(edge, 1e-9);
}

TEST_P(ThickShell, FullTurnLeavesNoStress) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 2, 2, 2, {2, 2, 1}, 0.15);
  d.start();
  turn_rigidly(d, Vec3{1 / 3.0, 2 / 3.0, -2 / 3.0}, 1.0, 60, 1e-3);
  for (int e = 0; e < d.n_elements(); ++e)
    for (int p = 0; p < d.layout.n_points; ++p)
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(d.stress(e, k, p), 0, 2e-11);
  EXPECT_NEAR(d.total_energy(0) + d.total_energy(1), 0, 1e-13);
}

/// Bent and pressed, then turned: stresses and forces turn with it, and no energy is made.
TEST_P(ThickShell, StressTurnsWithTheElement) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 1, 1, 1, {2, 2, 0.2}, 0.0, {-1, -1, -0.1});
  d.start();
  for (std::size_t n = 0; n < 8; ++n) {
    const Vec3 x = d.nodes.x[n];
    d.nodes.v[n] = {1e-3 * x.x * (1 - 5 * x.z), 1e-3 * x.x * x.y * (0.2 + x.z), -1e-3 * x.z};
  }
  d.move(1.0);
  const double along = d.stress(0, 0, 2), thick = d.stress(0, 2, 2),
               energy = d.total_energy(0) + d.total_energy(1);
  const Vec3 force = d.nodes.force_at(6);
  turn_rigidly(d, Vec3{0, 1, 0}, 0.25, 9, 1.0);  // x becomes -z
  EXPECT_NEAR(d.stress(0, 2, 2), along, 1e-12);
  EXPECT_NEAR(d.stress(0, 0, 2), thick, 1e-12);
  EXPECT_NEAR(norm(d.nodes.force_at(6) - Vec3{force.z, force.y, -force.x}), 0, 1e-12);
  EXPECT_NEAR(d.total_energy(0) + d.total_energy(1), energy, 1e-15);
}

TEST_P(ThickShell, MassAndVolumeAreExact) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 3, 3, 1, {3, 3, 0.3}, 0.0, {1e4, 0, 0});
  d.start();
  EXPECT_NEAR(d.total_mass() / (2.7 * kDensity), 1, 1e-12);
}

/// Resistance to unit velocities; its rank is the number of modes that meet any.
TEST_P(ThickShell, OnlyRigidMotionIsFree) {
  Driver<double> d = make(GetParam(), 2);
  d.group.hourglass.qm = 0.1;
  add_solid_box(d, GetParam(), 1, 1, 1, {1, 1.1, 0.5}, 0.05, {}, 1);
  d.start();
  constexpr int n = 24;
  const auto initial = d.state;
  std::vector<std::vector<double>> k(n, std::vector<double>(n));
  const double dt = d.smallest_step();
  for (int j = 0; j < n; ++j) {
    d.state = initial;
    std::fill(d.nodes.v.begin(), d.nodes.v.end(), Vec3{});
    d.nodes.v[static_cast<std::size_t>(j / 3)][j % 3] = 1e-3;
    d.call(dt);
    for (int i = 0; i < n; ++i)
      k[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          -1e3 / dt * d.nodes.force_at(d.element(0)[static_cast<std::size_t>(i / 3)])[i % 3];
  }
  EXPECT_EQ(rank_of(k, 1e-4 * kYoung), n - 6);
}

/// A free plate or block excited at random must not gain energy at 0.9 of the smallest element's step.
TEST_P(ThickShell, StableAtItsOwnStep) {
  for (const double thickness : {0.05, 0.3, 3.0})
    for (const double nu : {0.0, 0.3, 0.49})
      for (const int layers : {1, 2}) {
        Driver<double> d = make(GetParam(), 2, elastic_material(kYoung, nu, kDensity));
        add_solid_box(d, GetParam(), 3, 3, layers, {3, 3, thickness}, std::min(0.1, 0.2 * thickness / layers),
                      {}, 1);
        d.start();
        for (std::size_t i = 0; i < d.nodes.size(); ++i) {
          const double seed = static_cast<double>(i);
          d.nodes.v[i] = 1e-5 * Vec3{std::sin(7 * seed + 1), std::sin(3 * seed + 2), std::sin(5 * seed + 3)};
        }
        const double start = d.kinetic_energy(), dt = 0.9 * d.smallest_step();
        double highest[2] = {0, 0};
        for (int s = 0; s < 2000 && std::isfinite(highest[0]); ++s) {
          d.step(dt);
          highest[s / 1000] = std::max(highest[s / 1000], d.kinetic_energy());
        }
        EXPECT_LT(highest[1], 1.3 * highest[0]) << thickness << " nu " << nu << " layers " << layers;
        EXPECT_LT(highest[0], 6 * start) << thickness << " nu " << nu << " layers " << layers;
      }
}

/// A wave through the thickness needs thickness / c; a step much shorter would make the element slow.
TEST_P(ThickShell, StepIsThicknessOverWaveSpeed) {
  Driver<double> d = make(GetParam(), 2, elastic_material(kYoung, 0.0, kDensity));
  add_solid_box(d, GetParam(), 3, 3, 1, {30, 30, 0.5}, 0.0);
  d.start();
  EXPECT_NEAR(d.smallest_step() / (0.5 / std::sqrt(kYoung / kDensity)), 1, 2e-3);
}

/// Uniform curvature of one element in plane strain: velocities are given, moments are those of the points.
struct BentStrip {
  Driver<double> d;
  double thickness, curvature = 0;

  BentStrip(int elform, int nip, const model::Material& m, double t) : d(make(elform, nip, m)), thickness(t) {
    add_solid_box(d, elform, 1, 1, 1, {2, 2, t}, 0.0, {-1, -1, -0.5 * t});
    d.start();
  }
  /// The ends turn about their middles and stay as they are: the curvature is the angle over the half
  /// length 1.
  void bend(double by, int steps) {
    for (int s = 0; s < steps; ++s) {
      curvature += by / steps;
      for (std::size_t n = 0; n < 8; ++n) {
        const Vec3& start = d.nodes.x0[n];
        const double angle = start.x * curvature;
        d.nodes.v[n] =
            Vec3{start.x - start.z * std::sin(angle), start.y, start.z * std::cos(angle)} - d.nodes.x[n];
      }
      d.move(1.0);
    }
  }
  /// Per width; positive with the curvature.
  double moment() const {
    double sum = 0;
    const int nip = d.section.nip, columns = d.layout.n_points / nip;
    for (int p = 0; p < d.layout.n_points; ++p) {
      const elements::Layer& layer = d.group.layers[static_cast<std::size_t>(p % nip)];
      sum -= 0.25 * thickness * thickness * layer.weight * layer.zeta * d.stress(0, 0, p) / columns;
    }
    return sum;
  }
  double largest_thickness_stress() const {
    double most = 0;
    for (int p = 0; p < d.layout.n_points; ++p) most = std::max(most, std::abs(d.stress(0, 2, p)));
    return most;
  }
};

TEST_P(ThickShell, BendsAsAPlateInTheElasticRange) {
  for (const double nu : {0.0, 0.3, 0.499}) {
    BentStrip strip(GetParam(), 3, elastic_material(kYoung, nu, kDensity), 0.2);
    strip.bend(1e-5, 10);
    const double exact = kYoung / (1 - nu * nu) * 0.008 / 12 * 1e-5;
    EXPECT_NEAR(strip.moment() / exact, 1, 1e-6) << nu;
    EXPECT_NEAR(strip.d.total_energy(0) / (0.5 * exact * 1e-5 * 4), 1, 1e-5) << nu;
    EXPECT_NEAR(strip.largest_thickness_stress(), 0, 1e-9);
  }
}

/// Perfect plasticity in plane strain: the moment 2 / sqrt(3) sigma_y t^2 / 4, after elastic unloading too.
TEST_P(ThickShell, BendsAsAPlateInThePlasticRange) {
  const double yield = 0.3, t = 0.2;
  BentStrip strip(GetParam(), 10, plastic(yield), t);
  strip.bend(0.1, 1000);
  const double limit = 2 / std::sqrt(3.0) * yield * t * t / 4;
  EXPECT_NEAR(strip.moment() / limit, 1, 0.015);  // ten points give 1.008 of it, an elastic core takes 0.007
  EXPECT_LT(strip.largest_thickness_stress(), 0.01 * yield);
  const double before = strip.moment(), back = 0.005;
  strip.bend(-back, 50);
  EXPECT_NEAR((before - strip.moment()) / (kYoung / (1 - kPoisson * kPoisson) * t * t * t / 12 * back), 1,
              0.01);
}

/// A sheet that is pulled in its plane is in plane stress once its thickness is free; here it is held, and
/// its stress is that of uniaxial strain, also where it yields: K ln(lambda) + 2/3 of the flow stress.
TEST_P(ThickShell, PlasticUniaxialStrainByHand) {
  Driver<double> d = make(GetParam(), 3, plastic(0.3));
  add_solid_box(d, GetParam(), 2, 2, 1, {2, 2, 0.5}, 0.0);
  d.start();
  const int steps = 200;
  for (int s = 0; s < steps; ++s) {
    for (std::size_t n = 0; n < d.nodes.size(); ++n) d.nodes.v[n] = {d.nodes.x0[n].x, 0, 0};
    d.move(0.1 / steps);
  }
  const double log_strain = std::log(1.1), k = d.group.bulk, g = d.group.shear;
  for (int e = 0; e < d.n_elements(); ++e)
    for (int p = 0; p < d.layout.n_points; ++p) {
      EXPECT_NEAR(d.stress(e, 0, p) / (k * log_strain + 2.0 / 3 * 0.3), 1, 1e-6);
      EXPECT_NEAR(d.stress(e, 2, p) / (k * log_strain - 0.3 / 3), 1, 1e-6);
      EXPECT_NEAR(d.plastic_strain(e, p) / (2.0 / 3 * (log_strain - 0.3 / (2 * g))), 1, 1e-6);
      EXPECT_NEAR(1 + d.variable(e, d.layout.history + p * d.layout.point_stride + d.group.n_history - 1),
                  1.1, 1e-6);
    }
}

/// A thin ring's piece whose edges turn against each other: its thickness is not stretched (R / t = 100, 0.1
/// rad).
TEST_P(ThickShell, CurvedElementBendsWithoutThicknessStress) {
  const double radius = 100, half_angle = 0.05;
  Driver<double> d = make(GetParam(), 2);
  for (const double r : {radius - 0.5, radius + 0.5})
    for (const int corner : {0, 1, 2, 3}) {
      const double angle = (corner == 1 || corner == 2 ? 1 : -1) * half_angle, y = corner > 1 ? 5 : -5;
      d.add_node({r * std::sin(angle), y, r * std::cos(angle)});
    }
  d.add_element({0, 1, 2, 3, 4, 5, 6, 7});
  d.start();
  const double turn = 1e-6;  // of each end about its middle
  for (std::size_t n = 0; n < 8; ++n) {
    const double side = d.nodes.x0[n].x > 0 ? 1 : -1, angle = side * half_angle;
    const Vec3 middle{radius * std::sin(angle), d.nodes.x0[n].y, radius * std::cos(angle)};
    d.nodes.v[n] = cross(Vec3{0, side * turn, 0}, d.nodes.x0[n] - middle);
  }
  d.move(1.0);
  const double length = 2 * radius * half_angle, curvature = 2 * turn / length;
  const double exact = 0.5 * kYoung / (1 - kPoisson * kPoisson) / 12 * curvature * curvature * length * 10;
  EXPECT_NEAR(d.total_energy(0) / exact, 1, 0.02);
  EXPECT_LT(d.total_energy(1), 1e-3 * exact);
}

/// The parabola gives 5/6 of the shear stiffness by any rule, a constant strain SHRF of it.
TEST_P(ThickShell, TransverseShearHasItsFactor) {
  const auto stiffness = [&](bool parabolic, double factor, model::Quadrature rule, int nip) {
    Driver<double> d = make(GetParam(), nip);
    d.section.parabolic_shear = parabolic;
    d.section.shear_factor = factor;
    d.section.quadrature = rule;
    add_solid_box(d, GetParam(), 1, 1, 1, {2, 2, 0.5}, 0.0, {-1, -1, -0.25});
    d.start();
    for (std::size_t n = 0; n < 8; ++n) d.nodes.v[n] = {1e-4 * d.nodes.x0[n].z, 0, 0};
    d.move(1.0);
    return d.total_energy(0) / (0.5 * d.group.shear * 1e-8 * 2);
  };
  using enum model::Quadrature;
  for (const int nip : {2, 3, 5}) EXPECT_NEAR(stiffness(true, 1, gauss, nip), 5.0 / 6, 1e-6);
  EXPECT_NEAR(stiffness(true, 1, lobatto, 5), 5.0 / 6, 1e-6);
  EXPECT_NEAR(stiffness(false, 1, gauss, 3), 1, 1e-6);
  EXPECT_NEAR(stiffness(false, 0.7, gauss, 3), 0.7, 1e-6);
}

/// The work of the nodal forces is the energy of the points and of hourglass control.
TEST_P(ThickShell, EnergyIsTheWorkOfTheForces) {
  Driver<double> d = make(GetParam(), 3, plastic(0.3));
  add_distorted_plate(d, 0.3);
  d.start();
  double work = 0;
  std::vector<Vec3> before(d.nodes.size());
  for (int s = 0; s < 400; ++s) {
    for (std::size_t n = 0; n < d.nodes.size(); ++n) {
      const Vec3& x = d.nodes.x0[n];
      before[n] = d.nodes.force_at(static_cast<LocalId>(n));
      d.nodes.v[n] = {-x.z * x.x + 0.01 * x.x * x.y, 0.1 * x.y * x.z, 0.5 * x.x * x.x + 0.05 * x.z * x.y};
    }
    d.move(1e-4);
    for (std::size_t n = 0; n < d.nodes.size(); ++n)
      work -= 0.5e-4 * dot(before[n] + d.nodes.force_at(static_cast<LocalId>(n)), d.nodes.v[n]);
  }
  EXPECT_GT(d.plastic_strain(0, 0), 1e-3);
  EXPECT_NEAR((d.total_energy(0) + d.total_energy(1)) / work, 1, 2e-3);
}

TEST_P(ThickShell, FailureDeletesTheElement) {
  model::Material m = plastic(0.3);
  m.fields["FS"] = 0.02;
  Driver<double> d = make(GetParam(), 2, m);
  add_solid_box(d, GetParam(), 1, 1, 1, {1, 1, 0.3}, 0);
  d.start();
  double strain = 0;
  while (d.alive[0] > 0 && strain < 0.1) {
    for (std::size_t n = 0; n < d.nodes.size(); ++n) d.nodes.v[n] = {d.nodes.x0[n].x, 0, 0};
    d.move(1e-4);
    strain += 1e-4;
  }
  EXPECT_EQ(d.alive[0], 0);
  EXPECT_NEAR(std::log(1 + strain), 0.03 + 0.3 / (2 * d.group.shear), 2e-4);
  for (const parallel::LoadSum& sum : d.nodes.loads) EXPECT_TRUE(sum.force.is_zero());
}

/// Six nodes: a triangular plate by repeated nodes has its mass, and a uniform bending moment.
TEST_P(ThickShell, WedgeBendsAsAPlate) {
  Driver<double> d = make(GetParam());
  const double t = 0.2;
  for (const double z : {-0.5 * t, 0.5 * t})
    for (const Vec3& x : {Vec3{0, 0, z}, Vec3{2, 0.2, z}, Vec3{0.5, 1.8, z}}) d.add_node(x);
  d.add_element({0, 1, 2, 2, 3, 4, 5, 5});
  d.start();
  EXPECT_NEAR(d.total_mass() / (kDensity * t * 0.5 * (2 * 1.8 - 0.2 * 0.5)), 1, 1e-12);
  const double xx = 2e-3, dt = 1e-4;
  for (std::size_t n = 0; n < 6; ++n) {
    const Vec3& x = d.nodes.x0[n];
    d.nodes.v[n] = {-x.z * xx * x.x, 0, 0.5 * xx * x.x * x.x};
  }
  d.move(dt);
  const double plate = kYoung / (1 - kPoisson * kPoisson);
  for (int p = 0; p < d.layout.n_points; ++p) {
    const double strain = -0.5 * t * d.group.layers[static_cast<std::size_t>(p % 3)].zeta * dt;
    EXPECT_NEAR(d.stress(0, 0, p), strain * plate * xx, 1e-9);
    EXPECT_NEAR(d.stress(0, 1, p), strain * plate * xx * kPoisson, 1e-9);
    for (const int k : {2, 4, 5}) EXPECT_NEAR(d.stress(0, k, p), 0, 1e-9);
  }
}

TEST_P(ThickShell, InstructionSetsAgree) {
  for (int isa = 0; isa <= static_cast<int>(elements::best_isa()); ++isa) {
    const auto set = static_cast<Isa>(isa);
    if (isa > 0)
      compare_with_baseline(make<double>(GetParam()), make<double>(GetParam()), GetParam(), set, kYoung,
                            1e-11);
    compare_with_baseline(make<float>(GetParam()), make<double>(GetParam()), GetParam(), set, kYoung, 2e-4);
  }
}

TEST_P(ThickShell, DeletedElementsStandStill) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 1, 1, 1, {1, 1, 0.2}, 0);
  d.start();
  for (std::size_t n = 0; n < 8; ++n) d.nodes.v[n] = 1e-3 * d.nodes.x[n];
  d.move(1e-3);
  const auto state = d.state;
  std::fill(d.alive.begin(), d.alive.end(), 0.0);
  for (Vec3& x : d.nodes.x) x = {NAN, 0, 0};
  d.move(1e-3);
  for (std::size_t k = 0; k < state.size(); k += elements::kLanes) EXPECT_EQ(d.state[k], state[k]);
  for (const parallel::LoadSum& sum : d.nodes.loads) EXPECT_TRUE(sum.force.is_zero());
}

TEST_P(ThickShell, RefusesWhatItCannotDo) {
  Driver<double> inverted = make(GetParam());
  add_solid_box(inverted, GetParam(), 1, 1, 1, {1, 1, -1}, 0);
  EXPECT_THROW(inverted.start(), Error);
  Driver<double> membrane = make(GetParam(), 1);
  add_solid_box(membrane, GetParam(), 1, 1, 1, {1, 1, 1}, 0);
  EXPECT_THROW(membrane.start(), Error);
}

/// With QM = 1 a box has beam theory's stiffness in in-plane bending: E width^3 t / 12.
TEST(OneColumnThickShell, InPlaneBendingHasItsStiffness) {
  Driver<double> d = make(kOneColumn);
  d.group.hourglass.qm = 1;
  add_solid_box(d, kOneColumn, 1, 1, 1, {2, 1, 0.2}, 0.0, {-1, -0.5, -0.1});
  d.start();
  const double curvature = 1e-5;
  for (std::size_t n = 0; n < 8; ++n) d.nodes.v[n] = {-curvature * d.nodes.x0[n].x * d.nodes.x0[n].y, 0, 0};
  d.move(1.0);
  EXPECT_NEAR(d.total_energy(1) / (0.5 * kYoung * 0.2 / 12 * curvature * curvature * 2), 1, 1e-4);
}

}  // namespace
}  // namespace crumple::test
