// The stable step of solids against the highest frequency of assembled meshes, which is found numerically.
#include <gtest/gtest.h>

#include <random>

#include "elements/solid/geometry.hpp"
#include "meshes.hpp"

namespace crumple::test {
namespace {

using model::ElementKind;

constexpr double kYoung = 210.0, kDensity = 7.8e-6;  // mm, ms, kg, GPa

struct Mesh {
  int n[3];      ///< elements
  Vec3 edge;     ///< of one element
  double shake;  ///< of each node, as a part of the edges
};

/// A free box of elements, every node moved at random.
Driver<double> shaken_box(int elform, double poisson, const Mesh& mesh, unsigned seed, int hourglass = 2,
                          double qm = 0.1) {
  Driver<double> d(ElementKind::solid, elform, elastic_material(kYoung, poisson, kDensity));
  d.group.hourglass.type = hourglass;
  d.group.hourglass.qm = qm;
  const Vec3 size{mesh.n[0] * mesh.edge.x, mesh.n[1] * mesh.edge.y, mesh.n[2] * mesh.edge.z};
  add_solid_box(d, elform, mesh.n[0], mesh.n[1], mesh.n[2], size, 0.0);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(-mesh.shake, mesh.shake);
  for (std::size_t i = 0; i < d.nodes.size(); ++i) {
    for (int k = 0; k < 3; ++k) d.nodes.x[i][k] += part(random) * mesh.edge[k];
    d.nodes.x0[i] = d.nodes.x[i];
  }
  d.start();
  d.group.hourglass.q1 = d.group.hourglass.q2 = 0;
  return d;
}

/// Whether steps of dt are stable, as the largest eigenvalue of dt^2 / 4 K + dt / 2 C in M: at most 1 is
/// (Belytschko, Liu and Moran 2000, section 6.6, for damping that lags by half a step). By power iteration
/// from a random motion, so from below. What the kernel gives after a step of dt / 2 with velocities v is (dt
/// / 2 K + C) v.
double growth(Driver<double>& d, double dt, int iterations = 150) {
  EXPECT_GT(dt, 0);
  const auto state = d.state;
  const auto x = d.nodes.x;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<Vec3> v(d.nodes.size());
  for (Vec3& a : v) a = {normal(random), normal(random), normal(random)};
  double largest = 0;
  for (int k = 0; k < iterations; ++k) {
    double square = 0;
    for (std::size_t i = 0; i < v.size(); ++i) square += d.nodes.mass[i] * dot(v[i], v[i]);
    const double speed = 1e-6 / dt / std::sqrt(square / d.total_mass());
    double power = 0;
    for (std::size_t i = 0; i < v.size(); ++i) d.nodes.v[i] = speed * v[i];
    d.move(dt / 2);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Vec3 f = -dt / 2 / speed * d.nodes.force_at(static_cast<LocalId>(i));
      power += dot(f, v[i]);
      v[i] = (1 / d.nodes.mass[i]) * f;
    }
    for (Vec3& a : v) a = (square / power) * a;
    largest = std::max(largest, power / square);
    d.state = state;
    d.nodes.x = x;
  }
  return largest;
}

const Mesh kMeshes[] = {
    {{1, 1, 1}, {1, 1, 1}, 0},      {{1, 1, 1}, {1, 1, 1}, 0.3},      {{1, 1, 1}, {1, 0.5, 0.2}, 0.25},
    {{1, 1, 1}, {1, 1, 0.1}, 0.25}, {{1, 1, 1}, {1, 0.2, 0.2}, 0.25}, {{1, 1, 4}, {1, 1, 1}, 0.25},
    {{4, 4, 1}, {1, 1, 1}, 0.25},   {{4, 3, 1}, {1, 1, 0.3}, 0.25},   {{2, 2, 2}, {1, 1, 1}, 0},
    {{3, 3, 3}, {1, 1, 1}, 0.3},    {{3, 3, 3}, {1, 0.6, 0.3}, 0.25}, {{3, 2, 2}, {1, 2, 0.5}, 0.2}};

class StableStep : public testing::TestWithParam<int> {};  ///< hourglass type of ELFORM 1
INSTANTIATE_TEST_SUITE_P(Hourglass, StableStep, testing::Range(1, 7));

TEST_P(StableStep, HoldsForShapesMeshesAndPoissonsRatios) {
  const double qm = GetParam() == 6 ? 1.0 : 0.1;
  double largest = 0;
  for (const Mesh& mesh : kMeshes)
    for (const double poisson : {0.0, 0.2, 0.3, 0.4, 0.45, 0.49, 0.495})
      for (unsigned seed = 1; seed <= (mesh.shake > 0 ? 3u : 1u); ++seed) {
        auto d = shaken_box(1, poisson, mesh, seed, GetParam(), qm);
        const double found = growth(d, 0.9 * d.smallest_step());
        largest = std::max(largest, found);
        EXPECT_LE(found, 1) << mesh.n[0] << mesh.n[1] << mesh.n[2] << " edges " << mesh.edge.x << " "
                            << mesh.edge.y << " " << mesh.edge.z << " nu " << poisson << " seed " << seed;
      }
  EXPECT_GT(largest, 0.8);  // the bound is sharp: cubes
}

class StableStepOfForm : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Elform, StableStepOfForm, testing::Values(2, -1, 10, 15));

TEST_P(StableStepOfForm, HoldsForShapesMeshesAndPoissonsRatios) {
  double largest = 0;
  for (const Mesh& mesh : kMeshes)
    for (const double poisson : {0.0, 0.3, 0.45, 0.495}) {
      Mesh less = mesh;
      less.shake *= 0.6;  // all points must have a volume
      auto d = shaken_box(GetParam(), poisson, less, 1);
      const double found = growth(d, 0.9 * d.smallest_step());
      largest = std::max(largest, found);
      EXPECT_LE(found, 1) << mesh.n[0] << mesh.n[1] << mesh.n[2] << " edges " << mesh.edge.x << " "
                          << mesh.edge.y << " " << mesh.edge.z << " nu " << poisson;
    }
  EXPECT_GT(largest, 0.5);
}

/// The smallest V / A_max over the speed of plane waves, LS-DYNA's step without its factor TSSFAC.
double ls_dyna_step(const Driver<double>& d) {
  const double c = std::sqrt((d.group.bulk + 4.0 / 3 * d.group.shear) / kDensity);
  double length = 1e30;
  for (int e = 0; e < d.n_elements(); ++e) {
    double x[8][3], b[8][3];
    for (int a = 0; a < 8; ++a)
      for (int k = 0; k < 3; ++k)
        x[a][k] = d.nodes.x[static_cast<std::size_t>(d.element(e)[static_cast<std::size_t>(a)])][k];
    elements::hexahedron_gradient(x, b);
    length = std::min(length, elements::volume_of(x, b) / std::sqrt(elements::largest_face_squared(x)));
  }
  return length / c;
}

TEST(StableStepOfLsDyna, IsUnstableAtFreeFacesWherePoissonsRatioIsHigh) {
  struct Row {
    int n[3];
    bool stable[5];  ///< at 0.9 of V / A_max / c, for nu = 0, 0.25, 0.4, 0.45, 0.49
  };
  for (const Row& row :
       {Row{{1, 1, 1}, {true, false, false, false, false}},
        Row{{1, 1, 6}, {true, false, false, false, false}}, Row{{6, 6, 1}, {true, true, false, false, false}},
        Row{{3, 3, 3}, {true, true, false, false, false}},
        Row{{6, 6, 6}, {true, true, true, false, false}}}) {
    const double ratios[5] = {0, 0.25, 0.4, 0.45, 0.49};
    for (int k = 0; k < 5; ++k) {
      auto d = shaken_box(1, ratios[k], {{row.n[0], row.n[1], row.n[2]}, {1, 1, 1}, 0}, 1);
      d.group.hourglass.qm = 0;  // stiffness alone
      const double dt = 0.9 * ls_dyna_step(d), found = growth(d, dt, 400);
      EXPECT_EQ(found <= 1, row.stable[k])
          << row.n[0] << row.n[1] << row.n[2] << " nu " << ratios[k] << ": " << found;
    }
  }
}

}  // namespace
}  // namespace crumple::test
