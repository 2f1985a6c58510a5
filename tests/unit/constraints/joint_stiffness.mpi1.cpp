// Moments by flexion and torsion and forces by displacements between rigid bodies, against closed forms.
#include <gtest/gtest.h>

#include <numbers>

#include "constraints/joint_stiffness/joint_stiffnesses.hpp"
#include "constraints/joints/joint.hpp"
#include "small_world.hpp"

namespace crumple::constraints {
namespace {

using test::Simulation;
using test::World;

constexpr std::array<Vec3, 3> kAxes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
constexpr double kInertia = 4.0;  // of a body of 6 unit masses at distance 1, about any axis
constexpr double kMass = 6.0;

std::array<Vec3, 3> turned(const Matrix3& r, const std::array<Vec3, 3>& axes) {
  return {r * axes[0], r * axes[1], r * axes[2]};
}

Matrix3 rotation(const Vec3& axis, double angle) {
  return matrix(cayley((2.0 * std::tan(0.5 * angle) / norm(axis)) * axis));
}

/// Two bodies of masses on their axes; the first is held.
struct Pair {
  World world;
  Pair(const Vec3& v, const Vec3& w, bool held = true, const Vec3& at = {}) {
    for (int b = 0; b < 2; ++b) {
      const Vec3 centre = b == 1 ? at : Vec3{};
      for (int i = 0; i < 3; ++i)
        for (const double side : {1.0, -1.0}) {
          Vec3 arm;
          arm[i] = side;
          world.add_node(centre + arm, b == 1 ? v + cross(w, arm) : Vec3{});
        }
      model::RigidBody& body = world.add_body();
      if (b == 0 && held) body.cmo = 1, body.con1 = 7, body.con2 = 7;
    }
  }
  JointStiffness& stiffness(StiffnessKind kind) {
    auto& all = world.model.features.of<JointStiffness>();
    all.emplace_back();
    all.back().kind = kind;
    all.back().bodies = {0, 1};
    all.back().axes = {kAxes, kAxes};
    return all.back();
  }
  LocalId line(double slope) { return world.add_curve({-10.0, 10.0}, {-10.0 * slope, 10.0 * slope}); }
};

/// A simulation with the stiffnesses of a pair.
struct Course {
  Simulation simulation;
  JointStiffnesses stiffnesses;
  explicit Course(Pair& pair)
      : simulation(pair.world, test::alone(), parallel::Halo(test::alone())), stiffnesses(pair.world.model) {
    simulation.extra_forces = [this](state::Nodal&, double) { stiffnesses.add_moments(simulation.bodies); };
  }
  void step(double dt) {
    const bool first = simulation.time == 0.0;
    const double dt_v = 0.5 * (simulation.last_dt + dt);
    simulation.step(dt);
    stiffnesses.count_moment_work(simulation.bodies, dt_v, first);
  }
  void until(double time, double dt) {
    while (simulation.time < time - 0.5 * dt) step(dt);
  }
  const JointStiffnesses::State& state() const { return stiffnesses.states()[0]; }
  Vec3 spin() const { return simulation.bodies.velocities()[1].w; }
  Vec3 speed() const { return simulation.bodies.velocities()[1].v; }
};

TEST(FlexionTorsion, AnglesAreThoseOfSwingAndTwist) {
  for (const double alpha : {0.3, 1.2, 2.9})
    for (const double gamma : {-2.5, -0.4, 0.0, 1.9})
      for (const double beta : {-1.1, 0.0, 2.2}) {
        const Matrix3 swing = rotation({-std::sin(gamma), std::cos(gamma), 0}, alpha);
        const Matrix3 all = rotation({0.3, -0.5, 0.8}, 1.1);  // of both bodies
        const auto b = turned(swing, turned(rotation({0, 0, 1}, beta), kAxes));
        const FlexionTorsion f = flexion_torsion(turned(all, kAxes), turned(all, b), 0.0);
        EXPECT_NEAR(f.alpha, alpha, 1e-14);
        EXPECT_NEAR(f.gamma, gamma, 1e-13);
        EXPECT_NEAR(f.beta, beta, 1e-12);
      }
}

TEST(FlexionTorsion, RatesAreThoseOfTheAngles) {
  const auto b = turned(rotation({0.4, 0.7, -0.2}, 1.3), kAxes);
  const double h = 1e-6;
  for (int i = 0; i < 3; ++i) {
    Vec3 w;
    w[i] = 1.0;
    const FlexionTorsion up = flexion_torsion(kAxes, turned(rotation(w, h), b), 0.0);
    const FlexionTorsion down = flexion_torsion(kAxes, turned(rotation(w, -h), b), 0.0);
    const FlexionTorsion now = flexion_torsion(kAxes, b, 0.0);
    EXPECT_NEAR(dot(w, now.of_alpha), (up.alpha - down.alpha) / (2 * h), 1e-9);
    EXPECT_NEAR(dot(w, now.of_gamma), (up.gamma - down.gamma) / (2 * h), 1e-9);
    EXPECT_NEAR(dot(w, now.of_beta), (up.beta - down.beta) / (2 * h), 1e-9);
  }
}

TEST(FlexionTorsion, HasNoDirectionWhereItIsNotDefined) {
  const FlexionTorsion none = flexion_torsion(kAxes, kAxes, 0.7);
  EXPECT_EQ(none.gamma, 0.7);
  EXPECT_EQ(norm(none.of_alpha), 0.0);
  const FlexionTorsion half = flexion_torsion(kAxes, {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, -1}}, 0.0);
  EXPECT_NEAR(half.alpha, std::numbers::pi, 1e-15);
  EXPECT_EQ(norm(half.of_beta), 0.0);
}

/// A body that swings through alpha = 0 by a linear moment, and turns by another one, has two periods.
TEST(JointStiffness, FlexionAndTorsionSwingFreely) {
  const double bend = 9.0, twist = 25.0, spin = 1e-3;
  Pair pair({}, {spin, 0, spin});
  JointStiffness& s = pair.stiffness(StiffnessKind::flexion_torsion);
  s.moments[0].curve = pair.line(bend);
  s.moments[2].curve = pair.line(twist);
  Course run(pair);
  for (const double time : {0.7, 2.5, 5.3}) {
    run.until(time, 1e-3);
    const double now = run.simulation.time;
    const double of_bend = std::sqrt(bend / kInertia), of_twist = std::sqrt(twist / kInertia);
    run.stiffnesses.find_moments(run.simulation.bodies);
    EXPECT_NEAR(run.state().angle[0], std::abs(spin / of_bend * std::sin(of_bend * now)), 2e-3 * spin);
    EXPECT_NEAR(run.state().angle[2], spin / of_twist * std::sin(of_twist * now), 2e-3 * spin);
  }
  EXPECT_LT(run.stiffnesses.stable_step(run.simulation.bodies), 2.0 / std::sqrt(twist / kInertia) * 1.0001);
  EXPECT_GT(run.stiffnesses.stable_step(run.simulation.bodies), 0.5 / std::sqrt(twist / kInertia));
}

/// The moment of alpha is its curve times the factor of the direction, about the axis of flexion.
TEST(JointStiffness, FlexionIsScaledByItsDirection) {
  Pair pair({}, {});
  JointStiffness& s = pair.stiffness(StiffnessKind::flexion_torsion);
  s.moments[0].curve = pair.line(2.0);
  s.moments[0].stiffness = 100.0;
  s.moments[0].upper_stop = 0.4;
  s.scale_curve = pair.world.add_curve({-4.0, 0.0, 4.0}, {3.0, 1.0, 5.0});
  const double alpha = 0.5, gamma = -1.0;
  const Vec3 n{-std::sin(gamma), std::cos(gamma), 0};
  s.axes[1] = turned(rotation(n, alpha), kAxes);
  Course run(pair);
  run.step(1e-3);
  EXPECT_NEAR(run.state().scale, 1.5, 1e-12);
  EXPECT_NEAR(run.state().elastic[0], 1.5 * 2.0 * alpha + 100.0 * (alpha - 0.4), 1e-12);
  const Vec3 w = run.spin();  // dt / 2 of the first step
  const double moment = run.state().elastic[0];
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(w[i], -0.5e-3 * moment / kInertia * n[i], 1e-12);
}

/// Friction takes a constant moment, also where the flexion passes through zero, and sticks at the end.
TEST(JointStiffness, FrictionOfFlexionIsSteadyThroughZero) {
  const double limit = 0.8, spin = 0.4, start = 0.3;
  Pair pair({}, {-spin, 0, 0});
  JointStiffness& s = pair.stiffness(StiffnessKind::flexion_torsion);
  s.moments[0].stiffness = 4000.0;
  s.moments[0].friction = limit;
  s.axes[1] = turned(rotation({1, 0, 0}, start), kAxes);  // alpha = 0.3, which the body closes
  Course run(pair);
  const double slows = limit / kInertia;
  for (const double time : {0.4, 1.0, 1.7}) {  // zero is passed at t = 1
    run.until(time, 1e-3);
    EXPECT_NEAR(run.spin().x, -(spin - slows * (time - 0.5e-3)), 4e-4) << time;
  }
  run.until(3.0, 1e-3);
  EXPECT_NEAR(run.state().angle[0], spin * spin / (2 * slows) - start, 2e-3);
  EXPECT_NEAR(run.state().energy, 0.5 * kInertia * spin * spin, 1e-3);
}

TEST(JointStiffness, TwistCountsFromTheStartAndIsDamped) {
  const double damping = 3.0, spin = 0.2;
  Pair pair({}, {0, 0, spin});
  JointStiffness& s = pair.stiffness(StiffnessKind::flexion_torsion);
  s.moments[2].damping_curve = pair.line(damping);
  s.axes[1] = turned(rotation({0, 0, 1}, 0.9), kAxes);
  Course run(pair);
  run.step(1e-3);
  EXPECT_EQ(run.state().angle[2], 0.0);
  run.until(1.5, 1e-3);
  EXPECT_NEAR(run.spin().z, spin * std::exp(-damping / kInertia * (1.5 - 0.5e-3)), 5e-4 * spin);
}

TEST(JointStiffness, DisplacementsHaveForcesAlongTheAxesOfB) {
  const double k = 50.0, speed = 0.3;
  const Matrix3 r = rotation({0.2, 1.0, -0.4}, 0.8);
  const auto axes = turned(r, kAxes);
  Pair pair(speed * axes[1], {}, true, {3, 0, 0});
  JointStiffness& s = pair.stiffness(StiffnessKind::translational);
  s.axes = {kAxes, axes};
  s.origins = {Vec3{3, 0, 0}, Vec3{3, 0, 0}};  // at B's centre
  s.moments[1].curve = pair.line(k);
  Course run(pair);
  const double w = std::sqrt(k / kMass);
  for (const double time : {0.3, 1.1, 2.6}) {
    run.until(time, 1e-4);
    run.stiffnesses.find_moments(run.simulation.bodies);
    EXPECT_NEAR(run.state().angle[1], speed / w * std::sin(w * run.simulation.time), 1e-4 * speed);
    EXPECT_NEAR(run.state().angle[0], 0.0, 1e-12);
  }
  EXPECT_NEAR(run.stiffnesses.stable_step(run.simulation.bodies), 2.0 / w, 0.02 / w);
}

TEST(JointStiffness, StopsAndFrictionOfDisplacements) {
  Pair pair({0.5, 0, 0}, {});
  JointStiffness& s = pair.stiffness(StiffnessKind::translational);
  const double k = 6000.0, force = 0.6;
  s.moments[0] = {
      .stiffness = k,
      .friction = force,
      .upper_stop = 0.1,
  };
  Course run(pair);
  run.until(0.19, 1e-5);
  const double slows = force / kMass;
  EXPECT_NEAR(run.speed().x, 0.5 - slows * 0.19, 1e-3);
  run.until(0.6, 1e-5);  // it has come back from the stop
  const double at_stop = std::sqrt(0.25 - 2 * slows * 0.1);
  EXPECT_LT(run.speed().x, 0.0);
  EXPECT_GT(run.speed().x, -at_stop);
  run.until(9.0, 1e-4);
  EXPECT_LT(std::abs(run.speed().x), 5e-3);  // it sticks, and swings on its friction
  EXPECT_NEAR(run.state().energy, 0.5 * kMass * 0.25, 1e-3);
}

/// Forces between two free bodies that also turn conserve momentum, angular momentum and energy.
TEST(JointStiffness, DisplacementsConserve) {
  Pair pair({0.2, -0.1, 0.3}, {0.3, 0.4, -0.2}, false, {3, 1, 0});
  JointStiffness& s = pair.stiffness(StiffnessKind::translational);
  s.origins = {Vec3{1, 0.5, 0}, Vec3{2, 0.3, 0.2}};
  for (std::size_t i = 0; i < 3; ++i) s.moments[i].curve = pair.line(4.0 + double(i));
  Course run(pair);
  const auto momenta = [&] {
    std::pair<Vec3, Vec3> sum;
    for (int b = 0; b < 2; ++b) {
      const auto v = run.simulation.bodies.velocities()[std::size_t(b)];
      const Vec3 x = run.simulation.bodies.motion(b).centre;
      sum.first += kMass * v.v;
      sum.second += kMass * cross(x - 0.5 * run.simulation.last_dt * v.v, v.v) + kInertia * v.w;
    }
    return sum;
  };
  const auto energy = [&] {
    double sum = run.stiffnesses.energy();
    for (const auto& v : run.simulation.bodies.velocities())
      sum += 0.5 * kMass * dot(v.v, v.v) + 0.5 * kInertia * dot(v.w, v.w);
    return sum;
  };
  const auto first = momenta();
  run.step(1e-4);
  const double start = energy();
  run.until(2.0, 1e-4);
  const auto last = momenta();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(last.first[i], first.first[i], 1e-12);
    EXPECT_NEAR(last.second[i], first.second[i], 2e-3);
  }
  EXPECT_NEAR(energy(), start, 1e-3);
}

TEST(JointFailure, IsThatOfSpotWelds) {
  JointStrength s;
  s.force = {3.0, 0.0, 4.0};
  s.moment = {0.0, 5.0, 0.0};
  EXPECT_FALSE(fails(s, {-100, 100, 0}, {}));  // pressure along x, and no limit along y
  EXPECT_TRUE(fails(s, {3.01, 0, 0}, {}));
  EXPECT_FALSE(fails(s, {2.0, 0, 2.9}, {}));  // 4/9 + 0.5256
  EXPECT_TRUE(fails(s, {2.0, 0, 3.0}, {}));
  EXPECT_TRUE(fails(s, {2.0, 0, -2.0}, {0, 3.0, 0}));  // 4/9 + 1/4 + 9/25
  s.apart = true;
  EXPECT_FALSE(fails(s, {2.0, 0, -2.0}, {0, 3.0, 0}));
  EXPECT_TRUE(fails(s, {}, {0, -5.1, 0}));
  s.axes = {Vec3{0, 1, 0}, Vec3{-1, 0, 0}, Vec3{0, 0, 1}};
  EXPECT_TRUE(fails(s, {0, 3.1, 0}, {}));
  EXPECT_FALSE(fails(s, {-9.0, -9.0, 0}, {}));
}

}  // namespace
}  // namespace crumple::constraints
