// The ten-node tetrahedron: its masses, quadratic fields, curved edges, and its step beside the exact one.
#include "elements/solid/quadratic_tetrahedron.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "meshes.hpp"

namespace crumple::test {
namespace {

using model::ElementKind;

constexpr double kYoung = 210.0, kDensity = 7.8e-6;

/// One element with corners at random and edges that are bent by up to `bend`.
void add_tetrahedron(Driver<double>& d, std::mt19937& engine, double stretch, double bend) {
  std::uniform_real_distribution<double> move(-1, 1);
  const Vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, stretch}};
  for (const Vec3& x : corners)
    d.add_node(x + 0.15 * Vec3{move(engine), move(engine), stretch * move(engine)});
  std::vector<int> nodes{0, 1, 2, 3};
  MiddleOfEdges<double>(d).add_to(nodes);
  for (std::size_t n = 4; n < 10; ++n) {
    const Vec3 by = bend * Vec3{move(engine), move(engine), stretch * move(engine)};
    d.nodes.x[n] += by;
    d.nodes.x0[n] += by;
  }
  d.add_element(nodes);
}

/// The largest frequency of the free element, squared, by iteration with forces of unit steps.
double largest_frequency_squared(Driver<double>& d) {
  const auto initial = d.state;
  const auto x = d.nodes.x;
  std::vector<Vec3> u(10);
  for (std::size_t n = 0; n < 10; ++n) u[n] = {std::sin(3.0 * double(n)), std::cos(5.0 * double(n)), 0.3};
  double value = 0;
  for (int step = 0; step < 300; ++step) {
    double size = 0;
    for (std::size_t n = 0; n < 10; ++n) size += d.nodes.mass[n] * dot(u[n], u[n]);
    for (Vec3& v : u) v *= 1 / std::sqrt(size);
    d.state = initial;
    constexpr double small = 1e-8;
    for (std::size_t n = 0; n < 10; ++n) {
      d.nodes.x[n] = x[n] + small * u[n];
      d.nodes.v[n] = small * u[n];
    }
    d.call(1.0);
    value = 0;
    for (std::size_t n = 0; n < 10; ++n) {
      const Vec3 a = (-1 / (small * d.nodes.mass[n])) * d.nodes.force_at(static_cast<LocalId>(n));
      value += d.nodes.mass[n] * dot(a, u[n]);
      u[n] = a;
    }
  }
  d.nodes.x = x;
  d.state = initial;
  return value;
}

/// Never longer than the exact limit of the free element, and not much shorter.
TEST(QuadraticTetrahedron, StepIsBelowThatOfTheHighestFrequency) {
  std::mt19937 engine(5);
  for (const double nu : {0.0, 0.3, 0.49})
    for (const double stretch : {1.0, 0.1, 10.0})
      for (const double bend : {0.0, 0.05})
        for (int k = 0; k < 4; ++k) {
          Driver<double> d(ElementKind::solid, 16, elastic_material(kYoung, nu, kDensity));
          add_tetrahedron(d, engine, stretch, bend);
          d.start();
          d.group.hourglass.q1 = d.group.hourglass.q2 = 0;
          const double limit = 2 / std::sqrt(largest_frequency_squared(d));
          EXPECT_LT(d.smallest_step(), 1.0005 * limit) << nu << " " << stretch << " " << bend;
          EXPECT_GT(d.smallest_step(), (bend == 0 ? 0.7 : 0.6) * limit)
              << nu << " " << stretch << " " << bend;
        }
}

TEST(QuadraticTetrahedron, MassesArePositiveAndExact) {
  std::mt19937 engine(3);
  Driver<double> d(ElementKind::solid, 16, elastic_material(kYoung, 0.3, kDensity));
  add_tetrahedron(d, engine, 1.0, 0.0);
  d.start();
  const double mass = kDensity * d.variable(0, elements::solid::kVolume0);
  EXPECT_NEAR(d.total_mass() / mass, 1, 1e-13);
  for (std::size_t n = 0; n < 10; ++n)
    EXPECT_NEAR(d.nodes.mass[n] / mass, n < 4 ? 1.0 / 36 : 4.0 / 27, 1e-13);
}

/// Bending of a box of straight elements: the strain xx = -kappa z is linear, so that forces are exact inside
/// and the energy is E I kappa^2 / 2 per length.
TEST(QuadraticTetrahedron, BendingIsExact) {
  constexpr double nu = 0.3, kappa = 1e-4;
  Driver<double> d(ElementKind::solid, 16, elastic_material(kYoung, nu, kDensity));
  add_solid_box(d, 16, 2, 2, 2, {2, 1, 1}, 0.08, {0, -0.5, -0.5});
  d.start();
  d.group.hourglass.q1 = d.group.hourglass.q2 = 0;
  for (std::size_t n = 0; n < d.nodes.size(); ++n) {
    const Vec3 p = d.nodes.x[n];
    d.nodes.v[n] =
        kappa * Vec3{-p.x * p.z, nu * p.y * p.z, 0.5 * p.x * p.x + 0.5 * nu * (p.z * p.z - p.y * p.y)};
  }
  constexpr double small = 1e-3;  // the strains are those of the middle of the step
  d.move(small);
  const double inertia = 1.0 / 12;
  EXPECT_NEAR(d.total_energy(0) / (0.5 * kYoung * inertia * kappa * kappa * small * small * 2), 1, 1e-5);
  for (std::size_t n = 0; n < d.nodes.size(); ++n)
    if (is_inside(d.nodes.x0[n] + Vec3{0, 0.5, 0.5}, {2, 1, 1})) {
      EXPECT_NEAR(norm(d.nodes.force_at(static_cast<LocalId>(n))), 0, 1e-6 * kYoung * kappa * small);
    }
}

TEST(QuadraticTetrahedron, NodesFarFromTheMiddleAreRefused) {
  std::mt19937 engine(3);
  Driver<double> d(ElementKind::solid, 16, elastic_material(kYoung, 0.3, kDensity));
  add_tetrahedron(d, engine, 1.0, 0.0);
  d.nodes.x[4] += Vec3{0.9, 0, 0};
  d.nodes.x0[4] = d.nodes.x[4];
  EXPECT_THROW(d.start(), Error);
}

}  // namespace
}  // namespace crumple::test
