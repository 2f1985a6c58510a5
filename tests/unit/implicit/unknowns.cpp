// Unknowns of nodes, given motion, finite turns, and external forces with their stiffness.
#include <gtest/gtest.h>

#include <cmath>

#include "../model/built_deck.hpp"
#include "implicit/dof_map.hpp"
#include "implicit/external_loads.hpp"
#include "implicit/refused.hpp"
#include "implicit/supports.hpp"

namespace crumple::implicit {
namespace {

using constraints::Directions;

Directions all() {
  Directions d;
  for (const Vec3& e : constraints::identity3()) d.add(e);
  return d;
}

/// Node 0 is free, node 1 only along an oblique direction, node 2 is held.
std::vector<NodeFreedoms> some_free() {
  std::vector<NodeFreedoms> free(3);
  free[0] = {all(), all()};
  free[1].translation.add({1, 2, 2});
  free[1].rotation.add({0, 0, 1});
  return free;
}

TEST(DofMap, ReducesAndExpands) {
  const DofMap map(some_free());
  EXPECT_EQ(map.equations(), 8);
  EXPECT_EQ(map.node_of(5), 0);
  EXPECT_EQ(map.node_of(6), 1);
  EXPECT_EQ(map.rotations(), (std::vector<char>{0, 0, 0, 1, 1, 1, 0, 1}));
  EXPECT_EQ(map.row_sizes(), (std::vector<std::uint8_t>{6, 2, 0}));
  NodalForces f(3);
  f.force[1] = {3, 0, 0};
  f.moment[1] = {5, 6, 7};
  f.force[2] = {1, 1, 1};
  std::vector<double> r(8);
  map.reduce(f, r);
  EXPECT_NEAR(r[6], 1.0, 1e-15);
  EXPECT_NEAR(r[7], 7.0, 1e-15);
  Increment u(3);
  std::vector<double> q(8, 0.0);
  q[6] = 3;
  map.add(2.0, q, u);
  EXPECT_NEAR(norm(u.u[1] - Vec3{2, 4, 4}), 0, 1e-14);
  EXPECT_EQ(u.u[2], Vec3{});
}

TEST(DofMap, ReducedBlocksArePartsOfTKT) {
  const DofMap map(some_free());
  double k[36], reduced[36];
  for (int i = 0; i < 36; ++i) k[i] = i * i % 17 - 5;
  map.reduce_block(0, 1, 6, k, 6, reduced);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(reduced[6 * i], (k[6 * i] + 2 * k[6 * i + 1] + 2 * k[6 * i + 2]) / 3, 1e-13);
    EXPECT_NEAR(reduced[6 * i + 1], k[6 * i + 5], 1e-13);
  }
}

TEST(Turns, FollowEachOther) {
  // By 90 degrees about z and then 90 about x: by 120 about (1, -1, 1).
  const Vec3 first = cayley_of({0, 0, M_PI / 2}), then = cayley_of({M_PI / 2, 0, 0});
  const Vec3 both = rotation_of(cayley_product(first, then));
  EXPECT_NEAR(norm(both), 2 * M_PI / 3, 1e-14);
  EXPECT_NEAR(norm(both - (2 * M_PI / 3 / std::sqrt(3.0)) * Vec3{1, -1, 1}), 0, 1e-14);
  const constraints::Matrix3 slope = by_later_turn(first);
  constexpr double h = 1e-6;
  for (int j = 0; j < 3; ++j) {
    Vec3 step;
    step[j] = h;
    const Vec3 difference = (0.5 / h) * (cayley_product(first, step) - cayley_product(first, -step));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(slope[at(i)][j], difference[i], 1e-9);
  }
}

TEST(Supports, LaterMotionReplacesAndConstraintsTakeTheRest) {
  const auto built = model::plate_and(
      "*CONTROL_IMPLICIT_GENERAL\n1,0.1\n*DEFINE_CURVE\n1\n0,0\n1,1\n*DEFINE_CURVE\n2\n0,0\n1,3\n"
      "*BOUNDARY_PRESCRIBED_MOTION_NODE\n2,1,2,1,1.0\n2,1,2,2,1.0\n*BOUNDARY_SPC_NODE\n2,0,1,1,0\n"
      "*BOUNDARY_PRESCRIBED_MOTION_NODE\n5,3,0,1,1.0\n");
  ASSERT_FALSE(built.reported("error")) << built.problems();
  const Supports supports(built.model);
  std::vector<Vec3> x(built.model.nodes.x.begin(), built.model.nodes.x.end());
  const auto given = supports.in_step(0.5, 1.0, {x});
  ASSERT_EQ(given.size(), 2U);
  EXPECT_EQ(given[0].translation.along.count, 2);  // x moved, y held, z free
  EXPECT_EQ(given[0].translation.moved, 1);
  // Displacement 3 t of the later curve, whose part up to the start is in the position already.
  EXPECT_NEAR(given[0].translation.increment().x, 1.5, 1e-14);
  EXPECT_NEAR(given[0].translation.increment().y, 0, 1e-14);
  // The integral of the velocity t from 0.5 to 1.
  EXPECT_NEAR(given[1].translation.increment().z, 0.375, 1e-14);
  // Velocities at the end, mean accelerations of the step: from rest, or from given velocities.
  EXPECT_NEAR(given[0].translation.velocity[0], 3.0, 1e-13);
  EXPECT_NEAR(given[1].translation.velocity[0], 1.0, 1e-14);
  EXPECT_NEAR(given[1].translation.acceleration[0], 2.0, 1e-14);
  const std::vector<Vec3> moving(x.size(), Vec3{3, 0, 0.5});
  const auto going_on = supports.in_step(0.5, 1.0, {x, moving, moving});
  EXPECT_NEAR(going_on[0].translation.acceleration[0], 0.0, 1e-13);
  EXPECT_NEAR(going_on[1].translation.acceleration[0], 1.0, 1e-14);
}

TEST(Supports, AccelerationsAreIntegratedTwiceInDynamics) {
  const auto built = model::plate_and(
      "*CONTROL_IMPLICIT_GENERAL\n1,0.1\n*CONTROL_IMPLICIT_DYNAMICS\n1\n*DEFINE_CURVE\n1\n0,0\n0.7,7\n2,7\n"
      "*BOUNDARY_PRESCRIBED_MOTION_NODE\n2,1,1,1,1.0\n5,6,1,1,1.0\n");
  ASSERT_FALSE(built.reported("error")) << built.problems();
  const Supports supports(built.model);
  std::vector<Vec3> x(built.model.nodes.x.begin(), built.model.nodes.x.end());
  const std::vector<Vec3> moving(x.size(), Vec3{2, 3, 0});
  const auto given = supports.in_step(0.5, 1.0, {x, moving, moving});
  ASSERT_EQ(given.size(), 2U);
  // a = 10 t up to 0.7, then 7: v and u of both pieces
  const double v1 = 5 * (0.49 - 0.25), u1 = 10 * (0.343 - 0.125) / 6 - 5 * 0.25 * 0.2;
  const double gained = v1 + 7 * 0.3, way = u1 + v1 * 0.3 + 3.5 * 0.09;
  EXPECT_NEAR(given[0].translation.velocity[0], 2 + gained, 1e-13);
  EXPECT_NEAR(given[0].translation.by[0], 2 * 0.5 + way, 1e-13);
  EXPECT_NEAR(given[0].translation.acceleration[0], 7, 1e-14);
  EXPECT_NEAR(given[1].rotation.velocity[0], 3 + gained, 1e-13);  // about y
  EXPECT_NEAR(given[1].rotation.by[0], 3 * 0.5 + way, 1e-13);
}

/// The stiffness of loads is minus the derivative of their forces.
void check_stiffness(const std::string& cards) {
  const auto built = model::plate_and("*DEFINE_CURVE\n1\n0,2\n1,2\n" + cards);
  ASSERT_FALSE(built.reported("error")) << built.problems();
  const std::vector<double> mass{1, 2, 3, 4, 5, 6};
  const ExternalLoads loads(built.model, mass);
  std::vector<Vec3> x(built.model.nodes.x.begin(), built.model.nodes.x.end());
  for (std::size_t n = 0; n < x.size(); ++n)
    x[n] +=
        Vec3{0.1 * std::sin(double(n)), 0.05 * std::cos(3.0 * double(n)), 0.2 * std::sin(2.0 * double(n))};
  std::vector<double> k(18 * 18, 0.0);
  loads.add_stiffness(x, 0.5, [&](LocalId a, LocalId b, const constraints::Matrix3& block) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) k[at((3 * a + i) * 18 + 3 * b + j)] += block[at(i)][j];
  });
  constexpr double h = 1e-6;
  double largest = 0;
  for (int column = 0; column < 18; ++column) {
    const auto forces = [&](double by) {
      std::vector<Vec3> moved = x;
      moved[at(column / 3)][column % 3] += by;
      NodalForces f(6);
      loads.add(moved, 0.5, f);
      return f;
    };
    const NodalForces up = forces(h), down = forces(-h);
    for (int row = 0; row < 18; ++row) {
      const double slope = (up.force[at(row / 3)][row % 3] - down.force[at(row / 3)][row % 3]) / (2 * h);
      EXPECT_NEAR(k[at(row * 18 + column)], -slope, 1e-7) << row << " " << column;
      largest = std::max(largest, std::abs(slope));
    }
  }
  EXPECT_GT(largest, 0.01);
}

TEST(ExternalLoads, PressureOnQuadrilateralHasItsStiffness) {
  check_stiffness("*LOAD_SEGMENT\n1,3.,0.,1,2,5,4\n");
}
TEST(ExternalLoads, PressureOnTriangleHasItsStiffness) {
  check_stiffness("*LOAD_SEGMENT\n1,3.,0.,2,3,6,6\n");
}
TEST(ExternalLoads, SpinHasItsStiffness) { check_stiffness("*LOAD_BODY_RZ\n1,1.5\n"); }

TEST(ExternalLoads, AddsForcesMomentsAndWeights) {
  const auto built = model::plate_and(
      "*DEFINE_CURVE\n1\n0,0\n1,2\n*LOAD_NODE_POINT\n3,1,1,5.\n3,6,1,7.\n*LOAD_BODY_Z\n1,10.\n");
  const std::vector<double> mass{1, 2, 3, 4, 5, 6};
  const ExternalLoads loads(built.model, mass);
  NodalForces f(6);
  loads.add(built.model.nodes.x, 0.5, f);
  EXPECT_NEAR(norm(f.force[2] - Vec3{5, 0, -30}), 0, 1e-13);
  EXPECT_NEAR(norm(f.moment[2] - Vec3{0, 7, 0}), 0, 1e-13);
  EXPECT_NEAR(norm(f.force[5] - Vec3{0, 0, -60}), 0, 1e-13);
}

TEST(Refused, NamesWhatIsNotThere) {
  const auto built = model::plate_and(
      "*CONSTRAINED_SPOTWELD\n1,2,0.,0.,0.,0.,5.\n*RIGIDWALL_PLANAR_MOVING\n0\n0.,0.,-1.,0.,0.,1.\n10.,0.\n"
      "*DAMPING_GLOBAL\n0,1.\n*DATABASE_BINARY_RUNRSF\n5\n");
  const auto lines = refused(built.model);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("_MOVING"), std::string::npos);
  EXPECT_EQ(without_effect(built.model).size(), 1U);
}

TEST(Refused, SaysWhatHasNoEffect) {
  const auto lines = [](const std::string& dynamics) {
    const auto built = model::plate_and(
        "*CONTROL_IMPLICIT_GENERAL\n1,0.1\n*CONTROL_IMPLICIT_DYNAMICS\n" + dynamics +
        "\n*DAMPING_GLOBAL\n0,1.\n*INITIAL_VELOCITY_NODE\n2,1.\n*DAMPING_PART_STIFFNESS\n1,0.1\n");
    EXPECT_FALSE(built.reported("error")) << built.problems();
    return without_effect(built.model);
  };
  EXPECT_EQ(lines("0").size(), 3U);
  EXPECT_EQ(lines("1"),
            (std::vector<std::string>{"damping by stiffness has no effect in implicit analysis"}));
  const auto late = lines("1,,,0.5");
  ASSERT_EQ(late.size(), 2U);
  EXPECT_NE(late[1].find("TDYBIR"), std::string::npos);
}

}  // namespace
}  // namespace crumple::implicit
