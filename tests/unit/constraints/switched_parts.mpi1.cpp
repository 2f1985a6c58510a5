// Parts that become rigid in the run: conserved momenta, stresses that turn with the body, when sets act.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "constraints/switched_parts/rigid_groups.hpp"
#include "constraints/switched_parts/switch_times.hpp"
#include "constraints/switched_parts/turned_stresses.hpp"
#include "small_world.hpp"
#include "state/groups.hpp"

namespace crumple::constraints {
namespace {

using test::alone;
using test::World;

/// Eight nodes of a box, all moving differently; two of them can turn.
World box() {
  World world;
  for (int k = 0; k < 8; ++k) {
    const double i = k & 1, j = (k >> 1) & 1, l = k >> 2;
    const Vec3 x{2 * i + 0.1 * k, 3 * j, 1.5 * l - 0.05 * k}, v{1.0 + 0.3 * j, -0.2 * l + 0.1 * k, 0.4 * i};
    world.add_node(x, v, 1.0 + 0.25 * k, k < 2 ? 0.5 : 0.0);
    if (k < 2) world.nodal.w[static_cast<std::size_t>(k)] = {0.3, -0.1 * k, 0.2};
  }
  return world;
}

std::vector<RigidGroup> one_group() { return {{7, {0, 1, 2, 3, 4, 5, 6, 7}}}; }

Vec3 momentum(const state::Nodal& n) {
  Vec3 sum;
  for (std::size_t i = 0; i < n.size(); ++i) sum += n.mass[i] * n.v[i];
  return sum;
}
Vec3 angular_momentum(const state::Nodal& n) {
  Vec3 sum;
  for (std::size_t i = 0; i < n.size(); ++i) sum += n.mass[i] * cross(n.x[i], n.v[i]) + n.inertia[i] * n.w[i];
  return sum;
}
double kinetic_energy(const state::Nodal& n) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n.size(); ++i)
    sum += 0.5 * n.mass[i] * dot(n.v[i], n.v[i]) + 0.5 * n.inertia[i] * dot(n.w[i], n.w[i]);
  return sum;
}
void advance(state::Nodal& n, double dt) {
  for (std::size_t i = 0; i < n.size(); ++i) n.x[i] += dt * n.v[i];
}

TEST(RigidGroups, FormWithTheMomentaOfTheirNodes) {
  World world = box();
  state::Nodal& n = world.nodal;
  const Vec3 p = momentum(n), l = angular_momentum(n);
  const double energy = kinetic_energy(n), dt = 1e-5;
  RigidGroups groups(alone());
  parallel::ExactSum lost;
  groups.form(one_group(), n);
  EXPECT_LT(norm(groups.bodies().momentum(0) - p), 1e-13 * norm(p));
  const Vec3 about_centre = l - cross(groups.bodies().state(0).position, p);
  EXPECT_LT(norm(groups.bodies().angular_momentum(0) - about_centre), 1e-13 * norm(l));
  groups.move(n, 0.0, dt, dt, true, lost);
  // The nodes' velocities are chords of the step: second order in its angle, which is below 1e-4.
  EXPECT_LT(norm(momentum(n) - p), 1e-8 * norm(p));
  EXPECT_LT(norm(angular_momentum(n) - l), 1e-8 * norm(l));
  EXPECT_GT(lost.value(), 0.0);
  EXPECT_NEAR(lost.value(), energy - kinetic_energy(n), 1e-12 * energy);
}

TEST(RigidGroups, KeepTheirShapeAndMomentaInFlight) {
  World world = box();
  state::Nodal& n = world.nodal;
  const AlignedVector<Vec3> start = n.x;
  const double dt = 1e-3;
  RigidGroups groups(alone());
  parallel::ExactSum lost;
  groups.form(one_group(), n);
  Vec3 p, l;
  for (int step = 0; step < 2000; ++step) {
    groups.move(n, step * dt, dt, dt, step == 0, lost);
    if (step == 0) p = groups.bodies().momentum(0), l = groups.bodies().angular_momentum(0);
    advance(n, dt);
  }
  EXPECT_LT(norm(groups.bodies().momentum(0) - p), 1e-12 * norm(p));
  EXPECT_LT(norm(groups.bodies().angular_momentum(0) - l), 1e-12 * norm(l));
  for (std::size_t i = 0; i < n.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(norm(n.x[i] - n.x[j]), norm(start[i] - start[j]), 1e-11);
  EXPECT_GT(norm(n.x[7] - n.x[0] - (start[7] - start[0])), 0.1);  // it has turned
}

TEST(RigidGroups, GetTheImpulsesOfTheirNodes) {
  World world = box();
  state::Nodal& n = world.nodal;
  const double dt = 1e-4;
  RigidGroups groups(alone());
  parallel::ExactSum lost;
  groups.form(one_group(), n);
  groups.move(n, 0.0, dt, dt, true, lost);
  advance(n, dt);
  const Vec3 p = groups.bodies().momentum(0), l = groups.bodies().angular_momentum(0);
  const Vec3 kick{0.5, -2.0, 1.0}, impulse = n.mass[5] * kick;
  const Vec3 moment = cross(n.x[5] - groups.bodies().state(0).position, impulse);
  n.v[5] += kick;
  groups.move(n, dt, dt, dt, false, lost);
  EXPECT_LT(norm(groups.bodies().momentum(0) - p - impulse), 1e-12 * norm(p));
  EXPECT_LT(norm(groups.bodies().angular_momentum(0) - l - moment), 1e-12 * norm(l));
}

TEST(RigidGroups, HaveNoBodiesWithoutGroups) {
  World world = box();
  RigidGroups groups(alone());
  groups.form(one_group(), world.nodal);
  EXPECT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups.body_of(3), 0);
  groups.form({}, world.nodal);
  EXPECT_TRUE(groups.empty());
}

/// One hexahedron with one point and hourglass stresses of type 4.
state::ElementGroup<double> one_solid() {
  state::ElementGroup<double> g;
  g.ready.formulation = elements::find_formulation(model::ElementKind::solid, 1);
  g.ready.parameters.n_points = 1;
  g.ready.parameters.hourglass.type = 4;
  g.layout = g.ready.formulation->layout(g.ready.parameters);
  g.count = 1;
  g.state.assign(static_cast<std::size_t>(g.layout.n_vars) * elements::kLanes, 0.0);
  g.alive.assign(elements::kLanes, 0.0);
  g.alive[0] = 1.0;
  return g;
}

TEST(TurnedStresses, KeepTheirSizeInTheAxesOfTheBody) {
  state::ElementGroup<double> g = one_solid();
  const state::WritableGroup writable(g);
  const Vec3 bar{0.6, 0.8, 0.0};
  const double pull = 3.0;  // along the bar
  const double s[6] = {pull * bar.x * bar.x, pull * bar.y * bar.y, 0, pull * bar.x * bar.y, 0, 0};
  for (int k = 0; k < 6; ++k) writable.set_variable(0, g.layout.stress + k, s[k]);
  for (int i = 0; i < 3; ++i) writable.set_variable(0, g.layout.n_vars - 12 + i, bar[i]);
  const Vec3 theta{0.01, -0.02, 0.03};
  const Matrix3 r = matrix(cayley(theta));
  Vec3 axis = bar;
  for (int step = 0; step < 100; ++step) turn_stresses(writable, r), axis = r * axis;
  const auto at = [&](int k) { return writable.variable(0, g.layout.stress + k); };
  const double wanted[6] = {axis.x * axis.x, axis.y * axis.y, axis.z * axis.z,
                            axis.x * axis.y, axis.y * axis.z, axis.z * axis.x};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(at(k), pull * wanted[k], 1e-13);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(writable.variable(0, g.layout.n_vars - 12 + i), axis[i], 1e-14);
}

SwitchSet set_of(GlobalId id, SwitchTest test, GlobalId related = 0, int paired = 0) {
  SwitchSet s;
  s.id = id;
  s.test = test;
  s.related = related;
  s.paired = paired;
  return s;
}

TEST(SwitchTimes, ActOnceAtTheirTime) {
  std::vector<SwitchSet> sets{set_of(1, SwitchTest::time)};
  sets[0].begin = 0.5;
  SwitchTimes times(sets);
  EXPECT_TRUE(times.due(0.4).empty());
  EXPECT_EQ(times.due(0.5), std::vector<std::size_t>{0});
  EXPECT_TRUE(times.due(0.6).empty());
}

TEST(SwitchTimes, WaitForTheirForce) {
  std::vector<SwitchSet> sets{set_of(1, SwitchTest::contact_force)};
  sets[0].end = 2.0;
  SwitchTimes times(sets);
  EXPECT_TRUE(times.due(0.0).empty());  // not measured yet
  times.take_force(0, false);
  EXPECT_TRUE(times.due(0.1).empty());
  times.take_force(0, true);
  EXPECT_TRUE(times.waits_for_force(0, 0.2));
  EXPECT_FALSE(times.waits_for_force(0, 2.1));
  EXPECT_TRUE(times.due(2.1).empty());
  EXPECT_EQ(times.due(0.2).size(), 1u);
}

TEST(SwitchTimes, OfAPairActInTurnAfterTheDelay) {
  std::vector<SwitchSet> sets{set_of(1, SwitchTest::wall_force_zero, 2, 1),
                              set_of(2, SwitchTest::wall_force, 1, -1)};
  sets[1].delay = 1.0;
  SwitchTimes times(sets);
  const auto with_force = [&](bool touched, double time) {
    times.take_force(0, touched);
    times.take_force(1, touched);
    return times.due(time);
  };
  EXPECT_EQ(with_force(false, 0.0), std::vector<std::size_t>{0});
  EXPECT_TRUE(with_force(false, 0.1).empty());
  EXPECT_EQ(with_force(true, 0.2), std::vector<std::size_t>{1});
  EXPECT_TRUE(with_force(false, 1.1).empty());  // the delay
  EXPECT_EQ(with_force(false, 1.3), std::vector<std::size_t>{0});
  EXPECT_EQ(with_force(true, 1.4), std::vector<std::size_t>{1});
}

}  // namespace
}  // namespace crumple::constraints
