// Held, driven and rigid nodes against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "constraints/support_reactions.hpp"
#include "small_world.hpp"

namespace crumple::test {
namespace {

using constraints::Directions;
using constraints::Matrix3;

Simulation simulate(World& world) { return Simulation(world, alone(), parallel::Halo(alone())); }

// ---- spaces of directions -----------------------------------------------------------------------

TEST(Directions, APartAndTheRestAddUp) {
  const Vec3 v{1, 2, 4};
  Directions space;
  EXPECT_EQ(space.part_of(v), Vec3{});
  space.add({3, 3, 0});
  EXPECT_NEAR(norm(space.part_of(v) - Vec3{1.5, 1.5, 0}), 0.0, 1e-14);
  space.add({1, 0, 0});
  EXPECT_NEAR(norm(space.part_of(v) - Vec3{1, 2, 0}), 0.0, 1e-14);
  EXPECT_NEAR(norm(space.part_of(v) - space.complement().removed_from(v)), 0.0, 1e-14);
  space.add({1, 1, 1});
  EXPECT_EQ(space.part_of(v), v);
}

// ---- single-point constraints -------------------------------------------------------------------

TEST(SinglePoint, LocalFrameLeavesOnlyTheFreeDirection) {
  World world;
  world.add_node({0, 0, 0}, {3, 4, 5}, 2.0);
  const double c = std::cos(0.3), s = std::sin(0.3);
  world.model.systems.push_back({7, {}, {Vec3{c, s, 0}, Vec3{-s, c, 0}, Vec3{0, 0, 1}}});
  world.model.constraints.push_back({0, 0b000101, 0, 0.0, 1e20});  // local x and z
  auto simulation = simulate(world);
  simulation.extra_forces = [](state::Nodal& n, double) { n.add_force(0, {8, 0, 0}); };
  simulation.step(0.01);
  const Vec3 free{-s, c, 0};
  const double v0 = dot(Vec3{3, 4, 5}, free), a = dot(Vec3{4, 0, 0}, free);
  const Vec3 v = world.nodal.v[0];
  EXPECT_NEAR(dot(v, free), v0 + a * 0.005, 1e-14);
  EXPECT_NEAR(dot(v, Vec3{c, s, 0}), 0.0, 1e-15);
  EXPECT_EQ(v.z, 0.0);
  const auto reactions = simulation.held.reactions(world.nodal);
  ASSERT_EQ(reactions.size(), 1u);
  EXPECT_NEAR(reactions[0].force.x, -8 * c * c, 1e-12);
  EXPECT_NEAR(reactions[0].force.y, -8 * c * s, 1e-12);
}

TEST(SinglePoint, BirthAndDeath) {
  World world;
  world.add_node({}, {1, 1, 0});
  world.model.constraints.push_back({0, 0b000001, model::kNone, 0.5, 0.75});
  auto simulation = simulate(world);
  simulation.run(0.125, 4);
  EXPECT_EQ(world.nodal.v[0].x, 1.0);
  simulation.step(0.125);
  EXPECT_EQ(world.nodal.v[0].x, 0.0);
  EXPECT_EQ(world.nodal.v[0].y, 1.0);
  simulation.step(0.125);
  simulation.extra_forces = [](state::Nodal& n, double) { n.add_force(0, {2, 0, 0}); };
  simulation.step(0.125);
  EXPECT_EQ(world.nodal.v[0].x, 0.25);
}

TEST(SinglePoint, TwoConstraintsInDifferentFramesHoldBoth) {
  World world;
  world.add_node({}, {1, 2, 3});
  const double c = std::cos(1.0), s = std::sin(1.0);
  world.model.systems.push_back({7, {}, {Vec3{c, s, 0}, Vec3{-s, c, 0}, Vec3{0, 0, 1}}});
  world.model.constraints.push_back({0, 0b000001, model::kNone, 0, 1e20});
  world.model.constraints.push_back({0, 0b000001, 0, 0, 1e20});
  auto simulation = simulate(world);
  simulation.step(0.1);
  EXPECT_NEAR(world.nodal.v[0].x, 0.0, 1e-15);
  EXPECT_NEAR(world.nodal.v[0].y, 0.0, 1e-15);
  EXPECT_EQ(world.nodal.v[0].z, 3.0);
}

// ---- prescribed motion --------------------------------------------------------------------------

model::PrescribedMotion motion(LocalId node, int dof, int kind, LocalId curve, double scale = 1.0) {
  model::PrescribedMotion m;
  m.node = node, m.dof = dof, m.kind = kind, m.curve = curve, m.scale = scale;
  return m;
}

TEST(PrescribedMotion, DisplacementIsMetAtEveryStep) {
  World world;
  world.add_node({1, 0, 0});
  const LocalId curve = world.add_curve({0, 0.3, 1.0}, {0, 2.0, -1.0});
  world.model.motions.push_back(motion(0, 1, 2, curve, 3.0));
  auto simulation = simulate(world);
  simulation.extra_forces = [](state::Nodal& n, double) { n.add_force(0, {100, 7, 0}); };
  for (int k = 0; k < 100; ++k) {
    simulation.step(k % 2 ? 0.004 : 0.006);
    ASSERT_NEAR(world.nodal.x[0].x - 1.0, 3.0 * world.model.curves[curve](simulation.time), 1e-13);
  }
  EXPECT_GT(world.nodal.x[0].y, 0.1);
}

TEST(PrescribedMotion, VelocityAccelerationAndWork) {
  World world;
  world.add_node({}, {}, 2.0);
  world.add_node({}, {}, 2.0);
  world.model.motions.push_back(motion(0, 2, 0, world.add_curve({0, 1}, {0, 5})));
  world.model.motions.push_back(motion(1, 3, 1, world.constant(4.0)));
  auto simulation = simulate(world);
  simulation.run(0.01, 100);
  EXPECT_NEAR(world.nodal.x[0].y, 2.5, 1e-12);  // midpoint rule is exact on a straight line
  EXPECT_NEAR(world.nodal.x[1].z, 2.0, 1e-12);
  EXPECT_NEAR(simulation.motion.work().value(), simulation.nodal_energy(), 1e-12);
}

TEST(PrescribedMotion, NodesThatFollowEachOtherKeepTheirOwnCurves) {
  World world;
  for (int k = 0; k < 6; ++k) world.add_node({});
  const LocalId one = world.constant(1.0), three = world.constant(3.0), way = world.add_curve({0, 9}, {0, 9});
  world.model.motions = {motion(0, 1, 0, one), motion(1, 1, 0, one),      motion(2, 1, 0, three),
                         motion(3, 1, 1, one), motion(4, 1, 0, one, 5.0), motion(5, 1, 2, way)};
  world.model.motions[1].birth = 0.15;
  auto simulation = simulate(world);
  simulation.run(0.1, 2);
  const double expected[] = {1.0, 0.0, 3.0, 0.1 * 1.5, 5.0, 1.0};  // a whole step and half of the first
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(world.nodal.v[k].x, expected[k], 1e-14) << k;
  simulation.run(0.1, 1);
  EXPECT_NEAR(world.nodal.v[1].x, 1.0, 1e-14);
}

TEST(PrescribedMotion, VectorHoldsOthersOnlyWhenNegative) {
  for (const int dof : {4, -4}) {
    World world;
    world.add_node({}, {1, 0, 0});
    model::PrescribedMotion m = motion(0, dof, 0, world.constant(10.0));
    m.direction = {0, 3, 4};
    world.model.motions.push_back(m);
    auto simulation = simulate(world);
    simulation.step(0.1);
    EXPECT_NEAR(world.nodal.v[0].y, 6.0, 1e-14);
    EXPECT_NEAR(world.nodal.v[0].z, 8.0, 1e-14);
    EXPECT_NEAR(world.nodal.v[0].x, dof == 4 ? 1.0 : 0.0, 1e-15);
  }
}

TEST(PrescribedMotion, CurveStartsAtBirthAndIsZeroBeyondItsEnd) {
  World world;
  world.add_node({});
  model::PrescribedMotion m = motion(0, 1, 0, world.add_curve({0, 1}, {2, 2}));
  m.birth = 0.5;
  world.model.motions.push_back(m);
  auto simulation = simulate(world);
  simulation.run(0.125, 4);
  EXPECT_EQ(world.nodal.x[0].x, 0.0);
  simulation.run(0.125, 8);
  EXPECT_NEAR(world.nodal.x[0].x, 2.0, 1e-14);
  simulation.run(0.125, 4);
  EXPECT_NEAR(world.nodal.x[0].x, 2.0, 1e-14);
}

/// Circles about z through (1, 2), however large the step; the node moves freely along the axis.
TEST(PrescribedMotion, TurnsAboutAnAxis) {
  World world;
  world.add_node({4, 2, 0}, {0, 0, 3});
  model::PrescribedMotion m = motion(0, 11, 0, world.constant(2.0));
  m.axis_point = {1, 2, 0};
  world.model.motions.push_back(m);
  auto simulation = simulate(world);
  simulation.run(0.125, 8);
  EXPECT_NEAR(world.nodal.x[0].x, 1 + 3 * std::cos(2.0), 1e-13);
  EXPECT_NEAR(world.nodal.x[0].y, 2 + 3 * std::sin(2.0), 1e-13);
  EXPECT_NEAR(world.nodal.x[0].z, 3.0, 1e-13);
}

TEST(PrescribedMotion, RefusesUnknownDegreeOfFreedom) {
  World world;
  world.add_node({});
  world.model.motions.push_back(motion(0, 12, 0, world.constant(1.0)));
  EXPECT_THROW(simulate(world), Error);
}

// ---- rigid bodies -------------------------------------------------------------------------------

/// Six masses on the axes: principal moments 2 (m_y b^2 + m_z c^2) and so on, all different.
World asymmetric_top() {
  World world;
  for (const double s : {-1.0, 1.0}) {
    world.add_node({1.0 * s, 0, 0}, {}, 1.0);
    world.add_node({0, 1.5 * s, 0}, {}, 1.0);
    world.add_node({0, 0, 2.0 * s}, {}, 1.0);
  }
  world.add_body();
  return world;
}

void spin(World& world, const Vec3& w, const Vec3& v = {}) {
  for (std::size_t i = 0; i < world.nodal.size(); ++i) world.nodal.v[i] = v + cross(w, world.nodal.x[i]);
}

TEST(RigidBodies, MassPropertiesAndVelocityFromNodes) {
  World world = asymmetric_top();
  spin(world, {0.1, 0.2, 0.3}, {5, 6, 7});
  auto simulation = simulate(world);
  EXPECT_DOUBLE_EQ(simulation.bodies.mass(0), 6.0);
  const auto state = simulation.bodies.state(0);
  EXPECT_EQ(norm(state.position), 0.0);
  EXPECT_NEAR(norm(state.velocity - Vec3{5, 6, 7}), 0.0, 1e-14);
  EXPECT_NEAR(norm(state.angular_velocity - Vec3{0.1, 0.2, 0.3}), 0.0, 1e-15);
  // 2 (2.25 + 4), 2 (1 + 4), 2 (1 + 2.25)
  const Vec3 l{12.5 * 0.1, 10 * 0.2, 6.5 * 0.3};
  EXPECT_NEAR(norm(simulation.bodies.angular_momentum(0) - l), 0.0, 1e-14);
}

TEST(RigidBodies, TorqueFreeTumblingKeepsEnergyAndMomentum) {
  World world = asymmetric_top();
  const Vec3 w{0.01, 2 * std::numbers::pi, 0.02};  // about the unstable middle axis: it flips over
  spin(world, w);
  auto simulation = simulate(world);
  const double energy = simulation.bodies.kinetic_energy(0);
  const Vec3 momentum = simulation.bodies.angular_momentum(0);
  double least = 1.0;
  for (int k = 0; k < 4000; ++k) {  // ten turns
    simulation.step(k % 3 ? 0.0025 : 0.002);
    ASSERT_NEAR(simulation.bodies.kinetic_energy(0), energy, 1e-12 * energy);
    ASSERT_NEAR(norm(simulation.bodies.angular_momentum(0) - momentum), 0.0, 1e-12 * norm(momentum));
    const Matrix3 r = simulation.bodies.state(0).direction;
    least = std::min(least, r[1].y);
  }
  EXPECT_LT(least, -0.9);  // it has flipped
  // The nodes still lie at their distances, and their own sums agree with the body's.
  Vec3 l;
  double nodal_energy = 0.0;
  for (std::size_t i = 0; i < world.nodal.size(); ++i) {
    const auto& n = world.nodal;
    EXPECT_NEAR(norm(n.x[i]), norm(n.x0[i]), 1e-13);
    l += n.mass[i] * cross(n.x[i] - (0.5 * simulation.last_dt) * n.v[i], n.v[i]);
    nodal_energy += 0.5 * n.mass[i] * dot(n.v[i], n.v[i]);
  }
  EXPECT_NEAR(norm(l - momentum), 0.0, 1e-3 * norm(momentum));
  EXPECT_NEAR(nodal_energy, energy, 1e-3 * energy);
}

TEST(RigidBodies, SecondOrderInTime) {
  // A symmetric top precesses with a rate known in closed form: the axis turns about L at |L| / I1.
  const auto error = [](int steps) {
    World world;
    for (const double s : {-1.0, 1.0}) {
      world.add_node({s, 0, 0});
      world.add_node({0, s, 0});
      world.add_node({0, 0, 2 * s});
    }
    world.add_body();
    spin(world, {1.0, 0, 2.0});
    auto simulation = simulate(world);
    const double transverse = 2 * (1 + 4), axial = 4.0;
    const Vec3 l{transverse * 1.0, 0, axial * 2.0};
    const double end = 3.0, angle = end * norm(l) / transverse;
    simulation.run(end / steps, steps);
    const Vec3 u = (1 / norm(l)) * l, e{0, 0, 1};
    const Vec3 expected = std::cos(angle) * e + std::sin(angle) * cross(u, e) +
                          (1 - std::cos(angle)) * dot(u, e) * u;  // Rodrigues
    const Matrix3 r = simulation.bodies.state(0).direction;
    return norm(Vec3{r[0].z, r[1].z, r[2].z} - expected);
  };
  const double coarse = error(100), fine = error(200);
  EXPECT_LT(coarse, 2e-3);
  EXPECT_NEAR(coarse / fine, 4.0, 0.1);
}

TEST(RigidBodies, NodesMoveByTheirVelocity) {
  World world = asymmetric_top();
  spin(world, {3, 2, 1}, {1, 1, 1});
  auto simulation = simulate(world);
  simulation.run(0.01, 10);
  const auto before = world.nodal.x;
  simulation.step(0.01);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(norm(world.nodal.x[i] - before[i] - 0.01 * world.nodal.v[i]), 0.0, 1e-15);
}

TEST(RigidBodies, ForceOffCentreMovesAndTurns) {
  World world = asymmetric_top();
  auto simulation = simulate(world);
  simulation.extra_forces = [](state::Nodal& n, double) { n.add_force(0, {0, 6, 0}); };  // at x = -1
  simulation.step(0.01);
  EXPECT_NEAR(simulation.bodies.momentum(0).y, 6 * 0.005, 1e-15);
  EXPECT_NEAR(simulation.bodies.angular_momentum(0).z, -6 * 0.005, 1e-15);
  EXPECT_NEAR(simulation.bodies.state(0).acceleration.y, 1.0, 1e-14);
}

TEST(RigidBodies, PhysicalPendulumHasThePeriodOfItsEllipticIntegral) {
  // A bar hung at its given "centre", which CON1 = 7 holds: weight acts on its nodes.
  World world;
  const double g = 9.81, length = 1.0, amplitude = 1.2;
  const int n = 11;
  double weight_arm = 0.0, inertia = 0.0;
  for (int k = 0; k < n; ++k) {
    const double s = length * k / (n - 1);
    world.add_node({s * std::sin(amplitude), -s * std::cos(amplitude), 0}, {}, 0.1);
    weight_arm += 0.1 * s, inertia += 0.1 * s * s;
  }
  auto& body = world.add_body();
  body.inertia_given = true;
  body.mass = 1.1;
  body.inertia = {inertia, inertia, inertia, 0, 0, 0};
  body.cmo = 1, body.con1 = 7;
  for (int k = 0; k < n; ++k) {
    loads::NodalLoad load;
    load.node = k, load.dof = 2, load.curve = world.constant(-0.1 * g);
    world.model.features.of<loads::NodalLoad>().push_back(load);
  }
  auto simulation = simulate(world);
  double arithmetic = 1.0, geometric = std::cos(amplitude / 2);
  for (int k = 0; k < 10; ++k) {  // K(k) = pi / (2 agm(1, cos(amplitude / 2)))
    const double mean = 0.5 * (arithmetic + geometric);
    geometric = std::sqrt(arithmetic * geometric);
    arithmetic = mean;
  }
  const double period = 2 * std::numbers::pi * std::sqrt(inertia / (g * weight_arm)) / arithmetic;
  const double dt = 1e-3;
  double previous = world.nodal.x[n - 1].x, first = 0.0, last = 0.0;
  double most = 0.0;  // kinetic energy
  int crossings = 0;
  while (crossings < 11) {
    simulation.step(dt);
    most = std::max(most, simulation.bodies.kinetic_energy(0));
    const double now = world.nodal.x[n - 1].x;
    if ((previous > 0) != (now > 0)) {
      last = simulation.time - dt * now / (now - previous);
      if (crossings++ == 0) first = last;
    }
    previous = now;
  }
  EXPECT_NEAR((last - first) / 5, period, 2e-6 * period);
  EXPECT_NEAR(norm(simulation.bodies.state(0).position), 0.0, 0.0);
  EXPECT_NEAR(most, g * weight_arm * (1 - std::cos(amplitude)), 1e-5 * most);
}

TEST(RigidBodies, HeldAxesStayHeld) {
  World world = asymmetric_top();
  world.model.rigid_bodies[0].cmo = 1;
  world.model.rigid_bodies[0].con1 = 4;  // x and y
  world.model.rigid_bodies[0].con2 = 5;  // about y and z
  spin(world, {1, 2, 3}, {4, 5, 6});
  auto simulation = simulate(world);
  simulation.extra_forces = [](state::Nodal& n, double) {
    n.add_force(1, {1, 2, 3});
    n.add_force(3, {-4, 5, 1});
  };
  simulation.run(0.01, 50);
  const auto s = simulation.bodies.state(0);
  EXPECT_EQ(s.displacement.x, 0.0);
  EXPECT_EQ(s.displacement.y, 0.0);
  EXPECT_GT(s.displacement.z, 1.0);
  EXPECT_EQ(s.angular_velocity.y, 0.0);
  EXPECT_EQ(s.angular_velocity.z, 0.0);
  EXPECT_NE(s.angular_velocity.x, 0.0);
}

/// Of a body held at its first node in all, at its fourth along z, which something pulls at its fifth.
std::vector<constraints::SupportReaction> reactions_of_a_pulled_body(World& world) {
  for (const auto& [node, mask] : {std::pair{0, 0b111111}, {3, 0b000100}}) {
    model::Support support;
    support.body = 0;
    support.point = world.model.nodes.x[static_cast<std::size_t>(node)];
    support.axis = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    support.mask = static_cast<std::uint8_t>(mask);
    world.model.supports.push_back(support);
  }
  auto simulation = simulate(world);
  simulation.extra_forces = [](state::Nodal& n, double) { n.add_force(4, {1, 2, 3}); };
  const constraints::Joints joints(world.model, simulation.bodies);
  simulation.run(0.01, 3);
  return support_reactions(world.model, simulation.bodies, joints);
}

TEST(SupportReactions, BalanceWhatPullsAndAreSharedByThoseThatHoldTheSame) {
  World world = asymmetric_top();  // of which nodes 0 and 3 are on x, 4 on y
  const auto reactions = reactions_of_a_pulled_body(world);
  ASSERT_EQ(reactions.size(), 2u);
  const auto& x = world.model.nodes.x;
  EXPECT_NEAR(norm(reactions[0].force - Vec3{-1, -2, -1.5}), 0.0, 1e-12);
  EXPECT_NEAR(norm(reactions[1].force - Vec3{0, 0, -1.5}), 0.0, 1e-12);
  const Vec3 forces =
      cross(x[4], {1, 2, 3}) + cross(x[0], reactions[0].force) + cross(x[3], reactions[1].force);
  EXPECT_GT(norm(forces), 1.0);
  EXPECT_NEAR(norm(reactions[0].moment + forces), 0.0, 1e-12);
  EXPECT_EQ(reactions[1].moment, Vec3{});
}

TEST(SupportReactions, LeaveToTheMaterialWhatThatHolds) {
  World world = asymmetric_top();
  world.model.rigid_bodies[0].cmo = 1;
  world.model.rigid_bodies[0].con1 = 3;  // z
  world.model.rigid_bodies[0].con2 = 1;  // about x
  const auto reactions = reactions_of_a_pulled_body(world);
  EXPECT_NEAR(norm(reactions[0].force - Vec3{-1, -2, 0}), 0.0, 1e-12);
  EXPECT_EQ(reactions[1].force, Vec3{});
  const Vec3 forces = cross(world.model.nodes.x[4], {1, 2, 3}) + cross(world.model.nodes.x[0], {-1, -2, 0});
  EXPECT_NEAR(norm(reactions[0].moment + Vec3{0, forces.y, forces.z}), 0.0, 1e-12);
}

TEST(RigidBodies, RotationAboutAHeldAxisKeepsEnergyWithItsWork) {
  World world = asymmetric_top();
  world.model.rigid_bodies[0].cmo = 1;
  world.model.rigid_bodies[0].con2 = 1;  // no rotation about x: two free axes
  spin(world, {0, 2, 3});
  auto simulation = simulate(world);
  const double energy = simulation.bodies.kinetic_energy(0);
  const Vec3 momentum = simulation.bodies.angular_momentum(0);
  simulation.run(0.001, 4000);
  EXPECT_NEAR(simulation.bodies.kinetic_energy(0), energy, 1e-5 * energy);
  EXPECT_NEAR(simulation.bodies.angular_momentum(0).y, momentum.y, 1e-10);
  EXPECT_NEAR(simulation.bodies.angular_momentum(0).z, momentum.z, 1e-10);
  EXPECT_NEAR(simulation.bodies.state(0).angular_velocity.x, 0.0, 1e-12);
}

TEST(RigidBodies, PrescribedRotationAndDisplacementAreMet) {
  World world = asymmetric_top();
  const LocalId turn = world.add_curve({0, 1}, {0, std::numbers::pi});
  const LocalId way = world.add_curve({0, 0.5, 1}, {0, 3, 2});
  for (const auto& [dof, curve] : {std::pair{6, turn}, std::pair{3, way}}) {
    model::PrescribedMotion m;
    m.rigid_body = 0, m.dof = dof, m.kind = 2, m.curve = curve;
    world.model.motions.push_back(m);
  }
  world.model.rigid_bodies[0].cmo = 1;
  world.model.rigid_bodies[0].con2 = 6;  // z and x held: turns about y only
  auto simulation = simulate(world);
  simulation.run(0.005, 100);
  EXPECT_NEAR(simulation.bodies.state(0).displacement.z, 3.0, 1e-13);
  simulation.run(0.005, 100);
  const Matrix3 r = simulation.bodies.state(0).direction;
  EXPECT_NEAR(r[0].x, -1.0, 1e-13);
  EXPECT_NEAR(r[2].z, -1.0, 1e-13);
  EXPECT_NEAR(r[0].z, 0.0, 1e-12);
  EXPECT_NEAR(simulation.bodies.state(0).displacement.z, 2.0, 1e-13);
}

TEST(RigidBodies, WorkOfPrescribedMotionIsTheKineticEnergy) {
  World world = asymmetric_top();
  const LocalId ramp = world.add_curve({0, 1}, {0, 4});
  for (const int dof : {1, 7}) {
    model::PrescribedMotion m;
    m.rigid_body = 0, m.dof = dof, m.kind = 0, m.curve = ramp;
    world.model.motions.push_back(m);
  }
  auto simulation = simulate(world);
  simulation.run(0.01, 100);
  const double energy = simulation.bodies.kinetic_energy(0);
  EXPECT_NEAR(energy, 0.5 * (6 + 6.5) * 3.98 * 3.94, 1e-9);  // velocities around the last whole step
  EXPECT_NEAR(simulation.bodies.work().value(), energy, 1e-9 * energy);
}

TEST(RigidBodies, GivenInertiaAndVelocity) {
  World world = asymmetric_top();
  auto& body = world.model.rigid_bodies[0];
  body.inertia_given = true;
  body.mass = 3.0;
  body.centre = {0.1, 0, 0};
  body.inertia = {2, 3, 4, 0.1, 0.2, 0.3};
  body.velocity_given = true;
  body.v = {1, 0, 0};
  body.w = {0, 0, 2};
  auto simulation = simulate(world);
  EXPECT_NEAR(norm(world.nodal.v[0] - Vec3{1, 2 * -1.1, 0}), 0.0, 1e-15);
  const Vec3 l = simulation.bodies.angular_momentum(0);
  EXPECT_NEAR(norm(l - Vec3{0.6, 0.4, 8}), 0.0, 1e-15);
  const double energy = simulation.bodies.kinetic_energy(0);
  simulation.run(0.01, 500);
  EXPECT_NEAR(simulation.bodies.kinetic_energy(0), energy, 1e-12 * energy);
  EXPECT_LE(simulation.bodies.nodal_mass_factor(0), 0.25);
}

TEST(RigidBodies, CollinearNodesHaveNoSpinAboutTheirLine) {
  World world;
  world.add_node({-1, 0, 0});
  world.add_node({1, 0, 0});
  world.add_body();
  auto simulation = simulate(world);
  simulation.extra_forces = [](state::Nodal& n, double) {
    n.add_moment(0, {5, 0, 0});
    n.add_force(1, {0, 1, 0});
  };
  simulation.run(0.01, 10);
  EXPECT_TRUE(std::isfinite(world.nodal.x[0].x));
  EXPECT_GT(simulation.bodies.state(0).angular_velocity.z, 0.0);
}

TEST(RigidBodies, RefusesNoMassAndSharedNodes) {
  {
    World world;
    world.add_node({}, {}, 0.0);
    world.add_body();
    EXPECT_THROW(simulate(world), Error);
  }
  World world;
  world.add_node({});
  world.add_body();
  world.model.rigid_bodies.push_back(world.model.rigid_bodies[0]);
  EXPECT_THROW(simulate(world), Error);
}

TEST(RigidBodies, OverflowOfAForceIsReported) {
  World world = asymmetric_top();
  auto simulation = simulate(world);
  simulation.extra_forces = [](state::Nodal& n, double) { n.add_force(0, {NAN, 0, 0}); };
  EXPECT_EQ(simulation.bodies.failed(), model::kNone);
  simulation.step(0.01);
  EXPECT_EQ(simulation.bodies.failed(), 0);
  EXPECT_THROW(simulation.bodies.stop(0), Error);
}

}  // namespace
}  // namespace crumple::test
