// The hexahedron with enhanced strains: what it refuses, patch test, rotations, and exact bending of bricks.
#include "elements/solid/enhanced_strain_hexahedron.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "meshes.hpp"

namespace crumple::test {
namespace {

using model::ElementKind;

constexpr double kYoung = 210.0, kPoisson = 0.3, kDensity = 7.8e-6;

Driver<double> make(const model::Material& material = elastic_material(kYoung, kPoisson, kDensity)) {
  Driver<double> d(ElementKind::solid, 18, material);
  d.control.implicit.active = d.control.implicit.whole = true;
  d.group.turns_far = true;
  return d;
}

TEST(EnhancedStrain, IsForImplicitLinearAnalysis) {
  Driver<double> d = make();
  add_cube(d, 1);
  d.control.implicit.whole = false;  // implicit steps in a part of the run
  EXPECT_THROW(d.start(), Error);
  d.control.implicit.active = false;
  EXPECT_THROW(d.start(), Error);
  model::Material m = elastic_material(kYoung, kPoisson, kDensity);
  m.law = 3;
  m.name = "MAT_PLASTIC_KINEMATIC";
  m.fields["SIGY"] = 0.3;
  m.fields["BETA"] = 1;
  Driver<double> plastic = make(m);
  add_cube(plastic, 1);
  EXPECT_THROW(plastic.start(), Error);
}

TEST(EnhancedStrain, PatchOfConstantStrainIsExact) {
  Driver<double> d = make();
  add_patch(d);
  d.start();
  const double l[3][3] = {{1e-3, 2e-4, -3e-4}, {5e-4, -4e-4, 1e-4}, {-2e-4, 6e-4, 7e-4}};
  const double dt = 1e-3;
  for (std::size_t n = 0; n < d.nodes.size(); ++n)
    for (int i = 0; i < 3; ++i)
      d.nodes.v[n][i] = l[i][0] * d.nodes.x[n].x + l[i][1] * d.nodes.x[n].y + l[i][2] * d.nodes.x[n].z;
  d.move(dt);
  const double lame = d.group.bulk - 2 * d.group.shear / 3, trace = l[0][0] + l[1][1] + l[2][2];
  for (int e = 0; e < d.n_elements(); ++e)
    for (int p = 0; p < 8; ++p)
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(d.stress(e, i, p), dt * (lame * trace + 2 * d.group.shear * l[i][i]), 1e-9);
  for (std::size_t n = 8; n < 16; ++n) EXPECT_NEAR(norm(d.nodes.force_at(static_cast<LocalId>(n))), 0, 1e-13);
}

TEST(EnhancedStrain, FullTurnLeavesNoStress) {
  Driver<double> d = make();
  add_patch(d);
  d.start();
  turn_rigidly(d, Vec3{1 / 3.0, 2 / 3.0, -2 / 3.0}, 1.0, 20, 1e-3);
  for (int e = 0; e < d.n_elements(); ++e)
    for (int p = 0; p < 8; ++p)
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(d.stress(e, k, p), 0, 2e-11);
}

/// A bent, stressed element that turns: its stresses turn, and no strain is added.
TEST(EnhancedStrain, StressesOfBendingTurnWithTheElement) {
  Driver<double> d = make();
  add_box(d, 1, 1, 1, {2, 1, 1});
  d.start();
  for (std::size_t n = 0; n < 8; ++n) {
    const Vec3 x = d.nodes.x[n] - Vec3{1, 0.5, 0.5};
    d.nodes.v[n] = {-1e-6 * x.x * x.z, 0, 0};
  }
  d.move(1.0);
  const double energy = d.total_energy(0), along = d.stress(0, 0, 7);
  EXPECT_GT(std::abs(along), 1e-5);
  turn_rigidly(d, Vec3{0, 0, 1}, 0.25, 3, 1.0);
  EXPECT_NEAR(d.stress(0, 1, 7), along, 1e-9 * std::abs(along));
  EXPECT_NEAR(d.total_energy(0), energy, 1e-9 * energy);
}

/// u = -kappa x z at the nodes of a brick of any aspect ratio: the added strains make it pure bending, with
/// the energy E I kappa^2 / 2 per length, for any Poisson's ratio.
TEST(EnhancedStrain, BendingOfABrickIsExact) {
  for (const double nu : {0.0, 0.3, 0.4999})
    for (const double length : {0.5, 1.0, 10.0}) {
      Driver<double> d = make(elastic_material(kYoung, nu, kDensity));
      add_box(d, 1, 1, 1, {length, 1, 1});
      d.start();
      constexpr double kappa = 1e-6;
      for (std::size_t n = 0; n < 8; ++n) {
        const Vec3 x = d.nodes.x[n] - Vec3{0.5 * length, 0.5, 0.5};
        d.nodes.v[n] = {-kappa * x.x * x.z, 0, 0};
        // In anticlastic bending sides turn, too.
        d.nodes.v[n].y = nu * kappa * x.y * x.z;
      }
      d.move(1.0);
      const double exact = 0.5 * kYoung / 12 * kappa * kappa * length;
      EXPECT_NEAR(d.total_energy(0) / exact, 1, 1e-4) << "nu " << nu << ", length " << length;
    }
}

}  // namespace
}  // namespace crumple::test
