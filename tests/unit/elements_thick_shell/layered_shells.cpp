// Thick shells with layers in plane stress (ELFORM 1 and 2): patches, rigid rotation, balance, step.
#include <gtest/gtest.h>

#include "../elements_solid/meshes.hpp"
#include "base/error.hpp"
#include "elements/solid/layout.hpp"

namespace crumple::test {
namespace {

using elements::Isa;
using model::ElementKind;

constexpr double kYoung = 210.0, kPoisson = 0.3, kDensity = 7.8e-6;
constexpr int kOnePoint = model::kThickShells + 1, kSelective = model::kThickShells + 2;

template <class T = double>
Driver<T> make(int elform, int nip = 3,
               const model::Material& m = elastic_material(kYoung, kPoisson, kDensity)) {
  Driver<T> d(ElementKind::solid, elform, m);
  d.section.nip = nip;
  d.section.shear_factor = 5.0 / 6;
  d.group.hourglass.type = 4;
  return d;
}

/// A plate of 3 x 3 elements whose inner columns of nodes are moved in the plane.
void add_distorted_plate(Driver<double>& d, double thickness) {
  add_solid_box(d, 1, 3, 3, 1, {3, 3, thickness}, 0.0, {-1.5, -1.5, -0.5 * thickness});
  for (std::size_t n = 0; n < d.nodes.size(); ++n) {
    Vec3& x = d.nodes.x[n];
    if (std::abs(x.x) > 1 || std::abs(x.y) > 1) continue;
    const double seed = 7.0 * static_cast<double>(n % 16);
    x += 0.25 * Vec3{std::sin(seed), std::sin(seed + 1), 0};
    d.nodes.x0[n] = x;
  }
}

class LayeredShells : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Elform, LayeredShells, testing::Values(kOnePoint, kSelective));

/// In the plane a uniform strain has its plane stress, through the thickness each fiber has E times its own.
TEST_P(LayeredShells, LinearFieldHasItsStrain) {
  Driver<double> d = make(GetParam());
  add_distorted_plate(d, 0.4);
  d.start();
  const double l[3][3] = {{1e-3, 2e-4, -3e-4}, {5e-4, -4e-4, 1e-4}, {3e-4, -1e-4, 7e-4}};  // no shear across
  for (std::size_t n = 0; n < d.nodes.size(); ++n)
    for (int i = 0; i < 3; ++i)
      d.nodes.v[n][i] = l[i][0] * d.nodes.x[n].x + l[i][1] * d.nodes.x[n].y + l[i][2] * d.nodes.x[n].z;
  const double dt = 1e-3, plane = kYoung / (1 - kPoisson * kPoisson);
  d.move(dt);
  for (int e = 0; e < d.n_elements(); ++e) {
    for (int p = 0; p < d.layout.n_points; ++p) {
      // The frame lies along side 1-2: invariants.
      const double sum = d.stress(e, 0, p) + d.stress(e, 1, p);
      EXPECT_NEAR(sum, dt * plane * (1 + kPoisson) * (l[0][0] + l[1][1]), 1e-9);
      EXPECT_NEAR(d.stress(e, 2, p), 0, 1e-12);
      for (const int k : {4, 5}) EXPECT_NEAR(d.stress(e, k, p), 0, 1e-9);
    }
    for (int f = 0; f < 4; ++f)
      EXPECT_NEAR(d.variable(e, d.layout.n_vars - 4 + f), dt * kYoung * l[2][2], 1e-9);
  }
  int inner = 0;
  for (std::size_t n = 0; n + 16 < d.nodes.size(); ++n) {
    if (std::abs(d.nodes.x0[n].x) > 1 || std::abs(d.nodes.x0[n].y) > 1) continue;
    ++inner;
    EXPECT_NEAR(
        norm(d.nodes.force_at(static_cast<LocalId>(n)) + d.nodes.force_at(static_cast<LocalId>(n + 16))), 0,
        1e-9);
  }
  EXPECT_EQ(inner, 4);
}

TEST_P(LayeredShells, FullTurnLeavesNoStress) {
  for (const Vec3 axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{1 / 3.0, 2 / 3.0, -2 / 3.0}}) {
    Driver<double> d = make(GetParam());
    add_solid_box(d, GetParam(), 2, 2, 1, {2, 2, 0.5}, 0.1, {}, 1);  // fibers lean, surfaces are warped
    d.start();
    turn_rigidly(d, axis, 1.0, 2000, 1e-3);
    for (int e = 0; e < d.n_elements(); ++e)
      for (int p = 0; p < d.layout.n_points; ++p)
        for (int k = 0; k < 6; ++k) EXPECT_NEAR(d.stress(e, k, p), 0, 1e-4 * kYoung) << k;
    EXPECT_LT(std::abs(d.total_energy(0)) + std::abs(d.total_energy(1)), 1e-8 * kYoung);
  }
}

TEST_P(LayeredShells, MassIsExact) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 3, 3, 1, {3, 3, 0.3}, 0.0, {1e4, 0, 0});
  d.start();
  EXPECT_NEAR(d.total_mass() / (2.7 * kDensity), 1, 1e-12);
}

TEST_P(LayeredShells, ForcesBalanceAndTheirWorkIsTheEnergy) {
  Driver<double> d = make(GetParam());
  add_solid_box(d, GetParam(), 2, 2, 1, {2, 2, 0.5}, 0.05, {}, 1);
  d.start();
  double work = 0, largest = 0;
  std::vector<Vec3> before(d.nodes.size());
  Vec3 force, moment;
  for (int s = 0; s < 400; ++s) {
    for (std::size_t n = 0; n < d.nodes.size(); ++n) {
      const Vec3& x = d.nodes.x0[n];
      before[n] = d.nodes.force_at(static_cast<LocalId>(n));
      d.nodes.v[n] = {-x.z * x.x + 0.1 * x.x * x.y, 0.1 * x.y * x.z, 0.5 * x.x * x.x + 0.05 * x.z * x.y};
    }
    d.move(1e-4);
    force = moment = {};
    for (std::size_t n = 0; n < d.nodes.size(); ++n) {
      const Vec3 now = d.nodes.force_at(static_cast<LocalId>(n));
      work -= 0.5e-4 * dot(before[n] + now, d.nodes.v[n]);
      force += now;
      moment += cross(d.nodes.x[n], now);
      largest = std::max(largest, norm(now));
    }
  }
  EXPECT_LT(norm(force), 1e-9 * largest);
  EXPECT_LT(norm(moment), 1e-8 * largest);
  EXPECT_NEAR((d.total_energy(0) + d.total_energy(1)) / work, 1, 2e-3);
}

/// A free plate or block excited at random must not gain energy at 0.9 of the smallest element's step.
TEST_P(LayeredShells, StableAtItsOwnStep) {
  for (const double thickness : {0.05, 0.3, 3.0})
    for (const double nu : {0.0, 0.3, 0.49}) {
      Driver<double> d = make(GetParam(), 2, elastic_material(kYoung, nu, kDensity));
      add_solid_box(d, GetParam(), 3, 3, 1, {3, 3, thickness}, std::min(0.1, 0.2 * thickness), {}, 1);
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
      EXPECT_LT(highest[1], 1.3 * highest[0]) << thickness << " nu " << nu;
      EXPECT_LT(highest[0], 6 * start) << thickness << " nu " << nu;
    }
}

/// A thin one: close to the thickness over the wave speed of its fibers.
TEST_P(LayeredShells, StepIsNearTheThicknessOverWaveSpeed) {
  Driver<double> d = make(GetParam(), 2, elastic_material(kYoung, 0.0, kDensity));
  add_solid_box(d, GetParam(), 3, 3, 1, {30, 30, 0.5}, 0.0);
  d.start();
  const double over_speed = 0.5 / std::sqrt(kYoung / kDensity);
  EXPECT_LT(d.smallest_step(), over_speed);
  EXPECT_GT(d.smallest_step(), 0.7 * over_speed);
}

TEST_P(LayeredShells, InstructionSetsAgree) {
  for (int isa = 1; isa <= static_cast<int>(elements::best_isa()); ++isa)
    compare_with_baseline(make<double>(GetParam()), make<double>(GetParam()), GetParam(),
                          static_cast<Isa>(isa), kYoung, 1e-11);
}

TEST_P(LayeredShells, DeletedElementsStandStill) {
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

TEST_P(LayeredShells, RefuseWhatTheyCannotDo) {
  Driver<double> inverted = make(GetParam());
  add_solid_box(inverted, GetParam(), 1, 1, 1, {1, 1, -1}, 0);
  EXPECT_THROW(inverted.start(), Error);
  Driver<double> membrane = make(GetParam(), 1);
  add_solid_box(membrane, GetParam(), 1, 1, 1, {1, 1, 1}, 0);
  EXPECT_THROW(membrane.start(), Error);
  Driver<double> soil = make(GetParam(), 2);
  soil.group.law.row = materials::find_law(5);  // *MAT_SOIL_AND_FOAM, a law of solids
  add_solid_box(soil, GetParam(), 1, 1, 1, {1, 1, 1}, 0);
  EXPECT_THROW(soil.start(), Error);
}

}  // namespace
}  // namespace crumple::test
