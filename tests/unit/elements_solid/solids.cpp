// What every solid formulation must do: patch test, rigid rotation, exact mass, resistance of every mode,
// stability at its own step, the same result in lanes of every instruction set.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "elements/solid/hexahedron.hpp"
#include "meshes.hpp"

namespace crumple::test {
namespace {

using elements::Isa;
using model::ElementKind;

constexpr double kYoung = 210.0, kPoisson = 0.3, kDensity = 7.8e-6;

template <class T = double>
Driver<T> make(int elform) {
  return Driver<T>(ElementKind::solid, elform, elastic_material(kYoung, kPoisson, kDensity));
}

/// Only the first element is there: the others' masses go, too.
void keep_mass_of_first(Driver<double>& d) {
  const std::vector<int>& corners = d.element(0);
  const double mass = kDensity * d.variable(0, elements::solid::kVolume0);
  std::fill(d.nodes.mass.begin(), d.nodes.mass.end(), 0.0);
  for (std::size_t a = 0; a < corners.size(); ++a)
    d.nodes.mass[static_cast<std::size_t>(corners[a])] =
        mass * (corners.size() != 10 ? 1 / static_cast<double>(corners.size())
                : a < 4              ? 1.0 / 36
                                     : 4.0 / 27);
}

class Solid : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Elform, Solid, testing::Values(1, 2, -1, 10, 15, 16));

TEST_P(Solid, PatchOfConstantStrainIsExact) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 3, 3, 3, {3, 3, 3}, 0.15);
  d.start();
  const double l[3][3] = {{1e-3, 2e-4, -3e-4}, {5e-4, -4e-4, 1e-4}, {-2e-4, 6e-4, 7e-4}};
  const double dt = 1e-3;
  d.group.hourglass.q1 = d.group.hourglass.q2 = 0;
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
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(d.stress(e, k, p), d.stress(0, k), 1e-15);
    }
  int inner = 0;
  for (std::size_t n = 0; n < d.nodes.size(); ++n) {
    if (!is_inside(d.nodes.x0[n], {3, 3, 3})) continue;
    ++inner;
    EXPECT_NEAR(norm(d.nodes.force_at(static_cast<LocalId>(n))), 0, 1e-13);
  }
  EXPECT_EQ(inner, GetParam() == 16 ? 8 + 117 : 8);
}

TEST_P(Solid, FullTurnLeavesNoStress) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 2, 2, 2, {2, 2, 2}, 0.15);
  d.start();
  turn_rigidly(d, Vec3{1 / 3.0, 2 / 3.0, -2 / 3.0}, 1.0, 60, 1e-3);
  for (int e = 0; e < d.n_elements(); ++e)
    for (int p = 0; p < d.layout.n_points; ++p)
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(d.stress(e, k, p), 0, 2e-11);
  EXPECT_NEAR(d.total_energy(0) + d.total_energy(1), 0, 1e-13);
}

TEST_P(Solid, StressTurnsWithTheElement) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 1, 1, 1, {1, 1, 1}, 0.0);
  d.start();
  for (std::size_t n = 0; n < d.nodes.size(); ++n) d.nodes.v[n] = {1e-3 * d.nodes.x[n].x, 0, 0};
  d.move(1.0);
  const double along = d.stress(0, 0), across = d.stress(0, 1);
  turn_rigidly(d, Vec3{0, 0, 1}, 0.25, 7, 1.0);
  EXPECT_NEAR(d.stress(0, 1), along, 3e-13);
  EXPECT_NEAR(d.stress(0, 0), across, 3e-13);
}

TEST_P(Solid, MassAndVolumeAreExact) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 3, 3, 3, {3, 3, 3}, 0.15, {1e4, 0, 0});
  d.start();
  EXPECT_NEAR(d.total_mass() / (27 * kDensity), 1, 1e-12);
  double volume = 0;
  for (int e = 0; e < d.n_elements(); ++e) volume += d.variable(e, elements::solid::kVolume0);
  EXPECT_NEAR(volume, 27, 1e-10);
}

/// Stiffness by unit velocities; its rank is the number of modes that meet resistance.
TEST_P(Solid, OnlyRigidMotionIsFree) {
  Driver<double> d = make(GetParam());
  d.group.hourglass.type = GetParam() == 1 ? 6 : 0;
  add_solid_box(d, GetParam(), 1, 1, 1, {1, 1.1, 0.9}, 0.1, {}, 1);
  d.start();
  d.group.hourglass.q1 = d.group.hourglass.q2 = 0;
  const int nodes = static_cast<int>(d.element(0).size()), n = 3 * nodes;
  for (int e = 1; e < d.n_elements(); ++e) d.alive[static_cast<std::size_t>(e)] = 0;
  const std::vector<int> corner = d.element(0);
  const auto initial = d.state;
  std::vector<std::vector<double>> k(static_cast<std::size_t>(n),
                                     std::vector<double>(static_cast<std::size_t>(n)));
  for (int j = 0; j < n; ++j) {
    d.state = initial;
    std::fill(d.nodes.v.begin(), d.nodes.v.end(), Vec3{});
    d.nodes.v[static_cast<std::size_t>(corner[static_cast<std::size_t>(j / 3)])][j % 3] = 1.0;
    d.call(1e-6);
    for (int i = 0; i < n; ++i)
      k[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          -1e6 * d.nodes.force_at(corner[static_cast<std::size_t>(i / 3)])[i % 3];
  }
  // The wedge's ends may turn against each other about the axis that its two points lie on.
  EXPECT_EQ(rank_of(k, 1e-4 * kYoung), GetParam() == 15 ? n - 7 : n - 6);
}

/// A free block excited at random must not gain energy at 0.9 of the smallest element's step.
TEST_P(Solid, StableAtItsOwnStep) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 3, 3, 3, {3, 3, 3}, 0.1);
  d.start();
  d.group.hourglass.q1 = d.group.hourglass.q2 = 0;
  for (std::size_t n = 0; n < d.nodes.size(); ++n)
    for (int i = 0; i < 3; ++i)
      d.nodes.v[n][i] = 1e-3 * std::sin(static_cast<double>(7 * n + static_cast<std::size_t>(i) * 3 + 1));
  const double start = d.kinetic_energy();
  double highest = 0;
  for (int s = 0; s < 2000; ++s) {
    d.step(0.9 * d.smallest_step());
    highest = std::max(highest, d.kinetic_energy());
  }
  EXPECT_LT(highest, 1.5 * start);
}

/// Single elements, rows, plates and blocks, also nearly incompressible, whose free nodes vibrate fastest.
TEST_P(Solid, FreeElementsAreStable) {
  const int shapes[][3] = {{1, 1, 1}, {1, 1, 5}, {1, 3, 3}, {3, 3, 3}};
  for (const auto& n : shapes)
    for (const double nu : {0.0, 0.3, 0.49}) {
      Driver<double> d(ElementKind::solid, GetParam(), elastic_material(kYoung, nu, kDensity));
      add_solid_box(d, GetParam(), n[0], n[1], n[2], {double(n[0]), double(n[1]), double(n[2])}, 0.1, {}, 1);
      d.start();
      if (n[2] == 1)  // alone, whatever the form
        for (int e = 1; e < d.n_elements(); ++e) d.alive[static_cast<std::size_t>(e)] = 0;
      if (n[2] == 1) keep_mass_of_first(d);
      for (std::size_t i = 0; i < d.nodes.size(); ++i) {
        const double seed = static_cast<double>(i);
        d.nodes.v[i] = 1e-5 * Vec3{std::sin(7 * seed + 1), std::sin(3 * seed + 2), std::sin(5 * seed + 3)};
      }
      // Leapfrog shows up to 1 / (1 - 0.81) times the energy at 0.9 of the limit, but no more as time goes.
      d.group.hourglass.q1 = d.group.hourglass.q2 = 0;
      const double start = d.kinetic_energy(), dt = 0.9 * d.smallest_step();
      double highest[2] = {0, 0};
      for (int s = 0; s < 1000 && std::isfinite(highest[0]); ++s) {
        d.step(dt);
        highest[s / 500] = std::max(highest[s / 500], d.kinetic_energy());
      }
      EXPECT_LT(highest[1], 1.3 * highest[0]) << n[0] << n[1] << n[2] << " nu " << nu;
      EXPECT_LT(highest[0], 6 * start) << n[0] << n[1] << n[2] << " nu " << nu;
    }
}

TEST_P(Solid, InstructionSetsAgree) {
  for (int isa = 0; isa <= static_cast<int>(elements::best_isa()); ++isa) {
    const auto set = static_cast<Isa>(isa);
    if (isa > 0)
      compare_with_baseline(make<double>(GetParam()), make<double>(GetParam()), GetParam(), set, kYoung,
                            1e-11);
    compare_with_baseline(make<float>(GetParam()), make<double>(GetParam()), GetParam(), set, kYoung, 2e-4);
  }
}

TEST_P(Solid, DeletedElementsStandStill) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 1, 1, 1, {1, 1, 1}, 0);
  d.start();
  for (std::size_t n = 0; n < d.nodes.size(); ++n) d.nodes.v[n] = 1e-3 * d.nodes.x[n];
  d.move(1e-3);
  const auto state = d.state;
  std::fill(d.alive.begin(), d.alive.end(), 0.0);
  d.alive[1] = d.n_elements() > 1 ? 1.0 : 0.0;  // keeps the lanes busy where there is a neighbour
  for (Vec3& x : d.nodes.x) x = {NAN, 0, 0};
  d.move(1e-3);
  for (int k = 0; k < 6; ++k)
    EXPECT_EQ(d.stress(0, k),
              static_cast<double>(state[static_cast<std::size_t>(d.layout.stress + k) * elements::kLanes]));
  if (d.n_elements() == 1) {
    for (const parallel::LoadSum& sum : d.nodes.loads) EXPECT_TRUE(sum.force.is_zero());
  }
}

TEST_P(Solid, InvertedElementsAreRefused) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 1, 1, 1, {1, 1, -1}, 0);
  EXPECT_THROW(d.start(), Error);
}

/// Stretching in x with the sides held: K ln(lambda) + 2/3 of the flow stress, for perfect plasticity.
TEST_P(Solid, PlasticUniaxialStrainByHand) {
  model::Material m = elastic_material(kYoung, kPoisson, kDensity);
  m.law = 3;
  m.name = "MAT_PLASTIC_KINEMATIC";
  m.fields["SIGY"] = 0.3;
  m.fields["ETAN"] = 0;
  m.fields["BETA"] = 1;
  Driver<double> d(ElementKind::solid, GetParam(), m);
  add_solid_box(d, GetParam(), 2, 2, 2, {2, 2, 2}, 0.1);
  d.start();
  const int steps = 200;
  for (int s = 0; s < steps; ++s) {
    for (std::size_t n = 0; n < d.nodes.size(); ++n) d.nodes.v[n] = {d.nodes.x0[n].x, 0, 0};
    d.move(0.1 / steps);
  }
  const double log_strain = std::log(1.1), k = d.group.bulk, g = d.group.shear;
  const double yield = 0.3 / (2 * g);  // axial strain at first yield
  for (int e = 0; e < d.n_elements(); ++e)
    for (int p = 0; p < d.layout.n_points; ++p) {
      EXPECT_NEAR(d.stress(e, 0, p) / (k * log_strain + 2.0 / 3 * 0.3), 1, 1e-6);
      EXPECT_NEAR(d.stress(e, 1, p) / (k * log_strain - 0.3 / 3), 1, 1e-6);
      EXPECT_NEAR(d.plastic_strain(e, p) / (2.0 / 3 * (log_strain - yield)), 1, 1e-6);
    }
}

TEST_P(Solid, FailureDeletesTheElement) {
  model::Material m = elastic_material(kYoung, kPoisson, kDensity);
  m.law = 3;
  m.name = "MAT_PLASTIC_KINEMATIC";
  m.fields["SIGY"] = 0.3;
  m.fields["BETA"] = 1;
  m.fields["FS"] = 0.02;
  Driver<double> d(ElementKind::solid, GetParam(), m);
  add_solid_box(d, GetParam(), 1, 1, 1, {1, 1, 1}, 0);
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

TEST(Tetrahedron, StepIsAtMostTheSmallestAltitude) {
  // A flat one; nu = 0.
  Driver<double> d(ElementKind::solid, 10, elastic_material(kYoung, 0, kDensity));
  for (const Vec3& x : {Vec3{0, 0, 0}, Vec3{3, 0, 0}, Vec3{0, 4, 0}, Vec3{1, 1, 0.1}}) d.add_node(x);
  d.add_element({0, 1, 2, 3});
  d.start();
  const double c = std::sqrt((d.group.bulk + 4.0 / 3 * d.group.shear) / kDensity);
  EXPECT_LE(d.smallest_step(), 0.1 / c * (1 + 1e-12));  // base 6, volume 0.2
  EXPECT_GT(d.smallest_step(), 0.8 * 0.1 / c);
}

TEST(FullHexahedron, DoesNotLockWhenIncompressible) {
  // Bending pattern u_x = -z x, as an incompressible material would answer to: a locking element resists
  // with its bulk modulus (K >> G), one with mean dilatation only with the shear modulus.
  Driver<double> d(ElementKind::solid, 2, elastic_material(1.0, 0.4999, 1.0));
  add_cube(d, 2);
  d.start();
  for (std::size_t n = 0; n < 8; ++n) {
    const Vec3 x = d.nodes.x[n] - Vec3{1, 1, 1};
    d.nodes.v[n] = {-1e-4 * x.x * x.z, 0, 0};
  }
  d.move(1.0);
  EXPECT_LT(d.total_energy(0), 4.0 * d.group.shear * 1e-8 * 8);
  EXPECT_GT(d.total_energy(0), 0);
}

}  // namespace
}  // namespace crumple::test
