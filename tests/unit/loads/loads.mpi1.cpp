// Loads and rigid walls against closed forms: free fall, pressure, inclines, impacts.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "../constraints/small_world.hpp"
#include "base/error.hpp"

namespace crumple::test {
namespace {

Simulation simulate(World& world) { return Simulation(world, alone(), parallel::Halo(alone())); }

void add_gravity(World& world, int axis, double g) {
  loads::BodyLoad load;
  load.axis = axis, load.curve = world.constant(g);
  world.model.features.of<loads::BodyLoad>().push_back(load);
}

// ---- body loads ---------------------------------------------------------------------------------

TEST(BodyLoads, FreeFallIsExactAndPointsAgainstTheBase) {
  World world;
  world.add_node({0, 0, 10}, {1, 0, 2}, 3.0);
  add_gravity(world, 2, 9.81);
  auto simulation = simulate(world);
  simulation.run(0.01, 100);
  // Central differences are exact on a parabola at whole steps.
  EXPECT_NEAR(world.nodal.x[0].x, 1.0, 1e-13);
  EXPECT_NEAR(world.nodal.x[0].z, 10 + 2 - 0.5 * 9.81, 1e-12);
  const double fallen = world.nodal.x[0].z - 0.01 * world.nodal.v[0].z - 10;  // work counts whole steps
  EXPECT_NEAR(simulation.body_loads.work().value(), -3 * 9.81 * fallen, 1e-11);
}

TEST(BodyLoads, RigidBodiesFallTheSame) {
  World world;
  for (const double s : {-1.0, 1.0}) {
    world.add_node({s, 0, 0}, {2, 0, 0});
    world.add_node({0, s, 0}, {2, 0, 0});
    world.add_node({0, 0, s}, {2, 0, 0});
  }
  world.add_body();
  add_gravity(world, 1, 10.0);
  auto simulation = simulate(world);
  const double energy = simulation.bodies.kinetic_energy(0);
  simulation.run(0.01, 100);
  EXPECT_NEAR(simulation.bodies.state(0).displacement.y, -5.0, 1e-12);
  EXPECT_NEAR(simulation.bodies.state(0).displacement.x, 2.0, 1e-12);
  EXPECT_NEAR(simulation.bodies.work().value(), simulation.bodies.kinetic_energy(0) - energy, 1e-10);
}

TEST(BodyLoads, PartsChooseTheirNodes) {
  World world;
  for (int k = 0; k < 8; ++k) world.add_node({double(k), 0, 0});
  world.model.parts.resize(2);
  world.model.shells.id = {1, 2};
  world.model.shells.part = {0, 1};
  world.model.shells.nodes = {{0, 1, 2, 3}, {4, 5, 6, 6}};
  add_gravity(world, 2, 1.0);
  world.model.features.of<loads::BodyLoad>()[0].parts = {1};
  auto simulation = simulate(world);
  simulation.step(0.1);
  for (int k = 0; k < 8; ++k) EXPECT_DOUBLE_EQ(world.nodal.v[k].z, k >= 4 && k < 7 ? -0.05 : 0.0) << k;
}

TEST(BodyLoads, SpinPushesAwayFromItsAxis) {
  World world;
  world.add_node({4, 1, 7});
  add_gravity(world, 5, 3.0);  // angular velocity 3 about z
  world.model.features.of<loads::BodyLoad>()[0].centre = {1, 1, 1};
  auto simulation = simulate(world);
  simulation.step(0.002);
  EXPECT_NEAR(world.nodal.v[0].x, 27 * 0.001, 1e-15);
  EXPECT_EQ(world.nodal.v[0].y, 0.0);
  EXPECT_EQ(world.nodal.v[0].z, 0.0);
}

// ---- nodal loads and pressure -------------------------------------------------------------------

TEST(NodalLoads, ForceAndWork) {
  World world;
  world.add_node({}, {}, 2.0);
  loads::NodalLoad load;
  load.node = 0, load.dof = 1, load.curve = world.add_curve({0, 1}, {0, 6}), load.scale = 2.0;
  world.model.features.of<loads::NodalLoad>().push_back(load);
  auto simulation = simulate(world);
  simulation.run(1e-3, 1001);
  EXPECT_NEAR(world.nodal.v[0].x, 3.0, 4e-3);  // integral of 12 t over 2
  EXPECT_NEAR(simulation.nodal_loads.work().value(), 9.0, 2e-2);
  simulation.step(1e-3);  // beyond its curve the load is gone
  EXPECT_EQ(world.nodal.a[0].x, 0.0);
}

TEST(NodalLoads, FollowerTurnsWithItsNodes) {
  World world;
  world.add_node({0, 0, 0});
  world.add_node({1, 0, 0});
  world.add_node({0, 0, 1});
  loads::NodalLoad load;
  load.node = 0, load.dof = 4, load.curve = world.constant(5.0), load.follower = {0, 1, 2};
  world.model.features.of<loads::NodalLoad>().push_back(load);
  auto simulation = simulate(world);
  simulation.step(0.1);
  EXPECT_NEAR(world.nodal.a[0].y, -5.0, 1e-9);
}

TEST(NodalLoads, RefusesFollowerWithoutNodes) {
  World world;
  world.add_node({});
  loads::NodalLoad load;
  load.node = 0, load.dof = 4;
  world.model.features.of<loads::NodalLoad>().push_back(load);
  EXPECT_THROW(simulate(world), Error);
}

TEST(PressureLoads, TotalForceOfAPlateAndItsDirection) {
  World world;
  world.add_node({0, 0, 0});
  world.add_node({2, 0, 0});
  world.add_node({2, 3, 0});
  world.add_node({0, 3, 0});
  world.add_node({4, 0, 0});
  loads::PressureLoad quad, triangle;
  quad.nodes = {0, 1, 2, 3}, quad.curve = world.constant(2.0), quad.arrival = 0.1;
  triangle.nodes = {1, 4, 2, 2}, triangle.curve = quad.curve;
  world.model.features.of<loads::PressureLoad>() = {quad, triangle};
  auto simulation = simulate(world);
  simulation.step(0.1);
  EXPECT_EQ(world.nodal.force_at(0).z, 0.0);  // not arrived
  EXPECT_NEAR(world.nodal.force_at(4).z, -2.0, 1e-10);
  simulation.step(0.1);
  double total = 0.0;
  for (int k = 0; k < 5; ++k) total += world.nodal.force_at(k).z;
  EXPECT_NEAR(world.nodal.force_at(0).z, -3.0, 0.1);  // a quarter of 2 * 6
  EXPECT_NEAR(total, -2 * 6 - 2 * 3, 0.1);            // the plate has begun to bend
  EXPECT_NEAR(world.nodal.force_at(3).z, world.nodal.force_at(0).z, 0.2);
}

/// Forces of unit pressure on a box with one corner pulled out, and the volume it encloses.
struct Enclosed {
  std::array<Vec3, 8> force{};
  Vec3 total, moment;
  double volume = 0.0;

  explicit Enclosed(const Vec3& corner) {
    const std::array<Vec3, 8> x{Vec3{-0.2, 0.1, 0}, {1.3, 0, 0.2}, {1, 1, 0}, {0, 1.5, -0.4},
                                {0, 0.3, 1},        {1, -0.6, 1},  corner,    {0.2, 1, 1.1}};
    const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                             {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    for (const auto& f : faces) {
      const auto forces = loads::unit_pressure_forces({x[f[0]], x[f[1]], x[f[2]], x[f[3]]}, false);
      for (int k = 0; k < 4; ++k) {
        force[f[k]] += forces[k];
        total += forces[k];
        moment += cross(x[f[k]], forces[k]);
        volume -= dot(x[f[k]], forces[k]) / 3;
      }
    }
  }
};

TEST(PressureLoads, ClosedSurfaceFeelsNoForceAndForcesAreTheGradientOfVolume) {
  const Vec3 corner{1.4, 1.3, 1.7};
  const Enclosed box(corner);
  EXPECT_NEAR(norm(box.total), 0.0, 1e-15);
  EXPECT_NEAR(norm(box.moment), 0.0, 1e-14);
  EXPECT_GT(box.volume, 1.5);
  for (int k = 0; k < 3; ++k) {  // the volume is linear in one node's position
    Vec3 moved = corner;
    moved[k] += 0.5;
    EXPECT_NEAR(Enclosed(moved).volume - box.volume, 0.5 * -box.force[6][k], 1e-14);
  }
}

TEST(PressureLoads, WorkIsPressureTimesVolume) {
  World world;
  for (const Vec3& x : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0}})
    world.add_node(x, {0, 0, -2});
  loads::PressureLoad load;
  load.nodes = {0, 1, 2, 3}, load.curve = world.constant(8.0);
  world.model.features.of<loads::PressureLoad>().push_back(load);
  auto simulation = simulate(world);
  const double before = simulation.nodal_energy();
  simulation.run(0.001, 1000);
  const double way = -(world.nodal.x[0].z - 0.001 * world.nodal.v[0].z);
  EXPECT_NEAR(simulation.pressures.work().value(), 8 * way, 1e-10);
  EXPECT_NEAR(simulation.nodal_energy() - before, 8 * way, 1e-5);  // (p A dt)^2 / 8 m
}

// ---- rigid walls --------------------------------------------------------------------------------

double absorbed_energy(const loads::RigidWalls& walls) {
  const std::vector<double> each = walls.absorbed_energies();
  return std::accumulate(each.begin(), each.end(), 0.0);
}

TEST(RigidWalls, PlasticImpactTakesTheMomentum) {
  World world;
  world.add_node({0, 0, 1}, {3, 0, -4}, 2.0);
  world.add_wall({0, 0, 0}, {0, 0, 1});
  auto simulation = simulate(world);
  simulation.run(0.03, 30);
  EXPECT_EQ(world.nodal.v[0].z, 0.0);
  EXPECT_EQ(world.nodal.v[0].x, 3.0);
  EXPECT_NEAR(world.nodal.x[0].z, 0.0, 1e-16);
  const auto row = simulation.walls.rows()[0];
  EXPECT_NEAR(row.impulse.z, 8.0, 1e-13);
  EXPECT_NEAR(absorbed_energy(simulation.walls), 16.0, 1e-13);
}

TEST(RigidWalls, EachHasTheEnergyOfWhatItStopped) {
  World world;
  world.add_node({0, 0, 1}, {3, 0, -4}, 2.0);
  world.add_node({5, 0, 1}, {3, 0, 2}, 1.0);
  world.add_wall({0, 0, 2}, {0, 0, -1});
  world.add_wall({0, 0, 0}, {0, 0, 1});
  auto simulation = simulate(world);
  simulation.run(0.03, 30);
  const std::vector<double> each = simulation.walls.absorbed_energies();
  ASSERT_EQ(each.size(), 2u);
  EXPECT_NEAR(each[0], 2.0, 1e-13);
  EXPECT_NEAR(each[1], 16.0, 1e-13);
}

TEST(RigidWalls, BallDropRestsOnTheWallWithItsWeight) {
  World world;
  world.add_node({0, 0, 0.5}, {}, 2.0);
  add_gravity(world, 2, 10.0);
  world.add_wall({0, 0, 0}, {0, 0, 1});
  auto simulation = simulate(world);
  const double dt = 0.0007;
  double touched = 0.0, speed = 0.0;
  while (touched == 0.0) {
    speed = world.nodal.v[0].z;
    simulation.step(dt);
    if (simulation.walls.rows()[0].normal_force > 0) touched = simulation.time;
  }
  EXPECT_NEAR(touched, std::sqrt(0.1), dt);
  EXPECT_NEAR(speed, -std::sqrt(10.0), 2 * dt * 10);
  simulation.run(dt, 100);
  EXPECT_NEAR(simulation.walls.rows()[0].normal_force, 20.0, 1e-9);
  EXPECT_NEAR(world.nodal.a[0].z, 0.0, 1e-9);  // what nodout should show
  EXPECT_NEAR(world.nodal.x[0].z, 0.0, 1e-15);
  // The first velocity is half a step's: energies at half steps differ by m (g dt)^2 / 8.
  EXPECT_NEAR(absorbed_energy(simulation.walls), 2 * 10 * 0.5 - 2 * 100 * dt * dt / 8, 1e-10);
}

TEST(RigidWalls, ReleasesANodeThatIsPulled) {
  World world;
  world.add_node({0, 0, 0}, {0, 0, -1});
  world.add_wall({0, 0, 0}, {0, 0, 1});
  auto simulation = simulate(world);
  simulation.run(0.01, 10);
  simulation.extra_forces = [](state::Nodal& n, double) { n.add_force(0, {0, 0, 2}); };
  simulation.run(0.01, 100);
  EXPECT_NEAR(world.nodal.v[0].z, 2.0, 1e-9);
  EXPECT_EQ(simulation.walls.rows()[0].normal_force, 0.0);
}

TEST(RigidWalls, BlockOnAnIncline) {
  const double angle = 0.5, g = 9.81, time = 1.0;
  for (const double mu : {0.0, 0.2, 0.4, 0.6, 1.0}) {
    World world;
    const Vec3 normal{std::sin(angle), 0, std::cos(angle)}, down{std::cos(angle), 0, -std::sin(angle)};
    world.add_node({0, 0, 0}, {}, 5.0);
    add_gravity(world, 2, g);
    world.add_wall({0, 0, 0}, normal).friction = mu;
    auto simulation = simulate(world);
    simulation.run(1e-3, 1000);
    const bool sticks = mu >= std::tan(angle);
    const double a = sticks ? 0.0 : g * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(dot(world.nodal.x[0], down), 0.5 * a * time * time, 1e-10) << mu;
    EXPECT_NEAR(dot(world.nodal.x[0], normal), 0.0, 1e-12) << mu;
    const auto row = simulation.walls.rows()[0];
    EXPECT_NEAR(row.normal_force, 5 * g * std::cos(angle), 1e-9) << mu;
    const double drag = sticks ? 5 * g * std::sin(angle) : mu * 5 * g * std::cos(angle);
    EXPECT_NEAR(dot(row.force, down), -drag, 1e-9) << mu;
    EXPECT_NEAR(simulation.body_loads.work().value(),
                simulation.nodal_energy() + absorbed_energy(simulation.walls), 1e-4);
  }
}

TEST(RigidWalls, EnergyBalanceIsExactWithWorkAtHalfSteps) {
  // Velocities at half steps and the energy taken out match to rounding, whatever happens.
  World world;
  world.add_node({0, 0, 0.1}, {4, 1, -3}, 2.0);
  world.add_wall({0, 0, 0}, {0.1, 0.2, 1}).friction = 0.3;
  auto simulation = simulate(world);
  const double before = simulation.nodal_energy();
  simulation.run(0.01, 100);
  EXPECT_NEAR(simulation.nodal_energy() + absorbed_energy(simulation.walls), before, 1e-13);
  EXPECT_LT(simulation.nodal_energy(), 0.8 * before);
}

TEST(RigidWalls, EnergyIsCountedOnceInACorner) {
  World world;
  world.add_node({0.1, 0, 0.1}, {-4, 1, -3}, 2.0);
  world.add_wall({0, 0, 0}, {0, 0, 1}).friction = 0.3;
  world.add_wall({0, 0, 0}, {1, 0, 0}).friction = 0.1;
  auto simulation = simulate(world);
  const double before = simulation.nodal_energy();
  simulation.run(0.04, 10);
  EXPECT_LT(std::abs(world.nodal.v[0].x) + std::abs(world.nodal.v[0].z), 1e-12);
  EXPECT_NEAR(simulation.nodal_energy() + absorbed_energy(simulation.walls), before, 1e-13);
}

TEST(RigidWalls, WallOfFiniteMassKeepsMomentum) {
  World world;
  for (int k = 0; k < 10; ++k) world.add_node({0.1 * k, 0, 0.5 + 0.03 * k}, {1, 0, -1.0 - 0.1 * k}, 0.5);
  auto& wall = world.add_wall({0, 0, 0}, {0, 0, 1});
  wall.moving = true, wall.mass = 20.0, wall.v0 = 2.0;
  double before = 20 * 2.0;
  for (int k = 0; k < 10; ++k) before += 0.5 * world.nodal.v[k].z;
  auto simulation = simulate(world);
  for (int step = 0; step < 200; ++step) {
    simulation.step(0.01);
    const auto row = simulation.walls.rows()[0];
    double now = 20 * row.velocity.z;
    for (int k = 0; k < 10; ++k) now += 0.5 * world.nodal.v[k].z;
    ASSERT_NEAR(now, before, 1e-12);
    for (int k = 0; k < 10; ++k) ASSERT_GT(world.nodal.x[k].z - row.displacement.z, -1e-12);
  }
  // Each impact slows the wall, so nodes that came before leave it again: none is slower than it.
  const double wall_speed = simulation.walls.rows()[0].velocity.z;
  for (int k = 0; k < 10; ++k) EXPECT_GE(world.nodal.v[k].z, wall_speed - 1e-12);
  EXPECT_NEAR(world.nodal.v[9].z, wall_speed, 1e-12);
}

TEST(RigidWalls, WallOfFiniteMassAndABlockGoOnTogether) {
  World world;
  for (int k = 0; k < 10; ++k) world.add_node({0.1 * k, 0, 0.5}, {1, 0, -2}, 0.5);
  auto& wall = world.add_wall({0, 0, 0}, {0, 0, 1});
  wall.moving = true, wall.mass = 20.0, wall.v0 = 2.0;
  auto simulation = simulate(world);
  simulation.run(0.01, 50);
  const double together = (20 * 2 - 5 * 2) / 25.0;
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(world.nodal.v[k].z, together, 1e-12);
  EXPECT_NEAR(simulation.walls.rows()[0].velocity.z, together, 1e-12);
  EXPECT_NEAR(simulation.walls.rows()[0].impulse.z, 5 * (together + 2), 1e-12);
}

TEST(RigidWalls, FinitePlaneHasEdgesAndABack) {
  World world;
  world.add_node({0.5, 0.5, 0.2}, {0, 0, -1});   // onto it
  world.add_node({1.5, 0.5, 0.2}, {0, 0, -1});   // past its edge
  world.add_node({2.0, 0.5, -0.1}, {-1, 0, 0});  // behind it, passing under
  auto& wall = world.add_wall({0, 0, 0}, {0, 0, 1});
  wall.shape = loads::WallShape::finite_plane;
  wall.edge1 = {1, 0, 0}, wall.edge2 = {0, 1, 0}, wall.length1 = wall.length2 = 1.0;
  auto simulation = simulate(world);
  simulation.run(0.01, 100);
  EXPECT_NEAR(world.nodal.x[0].z, 0.0, 1e-16);
  EXPECT_NEAR(world.nodal.x[1].z, -0.8, 1e-12);
  EXPECT_NEAR(world.nodal.x[2].x, 1.0, 1e-12);
  EXPECT_EQ(world.nodal.v[2].z, 0.0);
}

TEST(RigidWalls, ShapesKeepNodesOut) {
  struct Case {
    loads::WallShape shape;
    double length1, length2, length3;
    Vec3 start;
  };
  const Case cases[] = {{loads::WallShape::sphere, 1, 0, 0, {3, 0.2, 0.1}},
                        {loads::WallShape::cylinder, 1, 2, 0, {3, 0.2, 1.0}},
                        {loads::WallShape::cylinder, 1, 2, 0, {0.1, 0.2, 4.0}},
                        {loads::WallShape::prism, 1, 1, 1, {3, 0.2, -0.4}},
                        {loads::WallShape::prism, 1, 1, 1, {0.3, 0.2, -3}}};
  for (const Case& c : cases) {
    World world;
    const bool along_z = std::abs(c.start.z) > 2;
    world.add_node(c.start, along_z ? Vec3{0, 0, -c.start.z} : Vec3{-3, 0, 0});
    auto& wall = world.add_wall({0, 0, 0}, {0, 0, 1});
    wall.shape = c.shape;
    wall.edge1 = {1, 0, 0}, wall.edge2 = {0, 1, 0};
    wall.length1 = c.length1, wall.length2 = c.length2, wall.length3 = c.length3;
    auto simulation = simulate(world);
    simulation.run(0.01, 70);
    const Vec3 x = world.nodal.x[0];
    EXPECT_GT(norm(x - c.start), 1.0);
    EXPECT_GT(simulation.walls.rows()[0].impulse.x + std::abs(simulation.walls.rows()[0].impulse.z), 1.0);
    const double height = c.shape == loads::WallShape::sphere ? norm(x) - 1
                          : c.shape == loads::WallShape::cylinder
                              ? std::max(std::hypot(x.x, x.y) - 1, x.z - 2)
                              : std::max(x.x - 1, -x.z - 1);
    EXPECT_GE(height, -1e-12);
  }
}

TEST(RigidWalls, PrescribedWallPushesNodes) {
  World world;
  world.add_node({0, 0, 1}, {}, 3.0);
  auto& wall = world.add_wall({0, 0, 0}, {0, 0, 1});
  wall.motion_curve = world.add_curve({0, 1, 2}, {0, 4, 4});
  wall.motion_kind = 1, wall.motion_direction = {0, 0, 1};
  auto simulation = simulate(world);
  simulation.run(0.01, 99);
  EXPECT_NEAR(simulation.walls.rows()[0].displacement.z, 3.96, 1e-12);
  EXPECT_NEAR(world.nodal.x[0].z, 3.96, 1e-12);
  EXPECT_NEAR(world.nodal.v[0].z, 4.0, 1e-12);
  EXPECT_NEAR(absorbed_energy(simulation.walls), -24.0, 1e-12);  // the wall put it in
  simulation.run(0.01, 51);
  EXPECT_NEAR(world.nodal.x[0].z, 6.0, 0.05);  // the wall has stopped, the node flies on
}

TEST(RigidWalls, WeldingNeedsTheCriticalVelocity) {
  for (const double critical : {0.5, 2.0}) {
    World world;
    world.add_node({0, 0, 0.05}, {1, 0, -1});
    auto& wall = world.add_wall({0, 0, 0}, {0, 0, 1});
    wall.friction = 2.0, wall.critical_velocity = critical;
    auto simulation = simulate(world);
    simulation.run(0.01, 20);
    simulation.extra_forces = [](state::Nodal& n, double) { n.add_force(0, {0, 0, 3}); };
    simulation.run(0.01, 20);
    EXPECT_EQ(world.nodal.v[0].z > 0.1, critical > 1.0);
    EXPECT_EQ(world.nodal.v[0].x, 1.0);
  }
}

TEST(RigidWalls, BirthAndDeath) {
  World world;
  world.add_node({0, 0, 0.5}, {0, 0, -1});
  world.add_node({0, 0, 1.5}, {0, 0, -1});
  world.add_node({0, 0, 3.5}, {0, 0, -1});
  auto& wall = world.add_wall({0, 0, 0}, {0, 0, 1});
  wall.shape = loads::WallShape::finite_plane;
  wall.birth = 1.0, wall.death = 3.0;
  auto simulation = simulate(world);
  simulation.run(0.01, 400);
  EXPECT_NEAR(world.nodal.x[0].z, -3.5, 1e-12);
  EXPECT_NEAR(world.nodal.x[1].z, 0.0, 1e-15);
  EXPECT_NEAR(world.nodal.x[2].z, -0.5, 1e-12);
}

TEST(RigidWalls, RigidBodyBouncesOnItsPenaltyAndKeepsEnergy) {
  World world;
  for (const double sx : {-0.5, 0.5})
    for (const double sy : {-0.5, 0.5})
      for (const double sz : {-0.5, 0.5}) world.add_node({sx, sy, sz + 1.0}, {1, 0, -2}, 0.25);
  world.add_body();
  world.add_wall({0, 0, 0}, {0, 0, 1});
  auto simulation = simulate(world);
  const double energy = simulation.bodies.kinetic_energy(0);
  double deepest = 0.0;
  for (int k = 0; k < 1000; ++k) {
    simulation.step(0.001);
    for (int i = 0; i < 8; ++i) deepest = std::min(deepest, world.nodal.x[i].z);
  }
  EXPECT_LT(deepest, 0.0);
  EXPECT_GT(deepest, -0.011);  // v dt / sqrt(0.1 * half the mass / the whole) = 4.5 v dt
  EXPECT_NEAR(simulation.bodies.momentum(0).z, 4.0, 0.2);
  EXPECT_NEAR(simulation.bodies.momentum(0).x, 2.0, 1e-12);
  EXPECT_NEAR(simulation.walls.rows()[0].impulse.z, 4.0 + simulation.bodies.momentum(0).z, 1e-9);
  EXPECT_NEAR(simulation.bodies.kinetic_energy(0) + absorbed_energy(simulation.walls), energy, 1e-6);
}

TEST(RigidWalls, RefusesNonsense) {
  World world;
  world.add_node({});
  world.add_wall({0, 0, 0}, {0, 0, 1}).moving = true;
  EXPECT_THROW(simulate(world), Error);
}

}  // namespace
}  // namespace crumple::test
