// Inertia: forces and their stiffness, given motion, memory of a step, the share over time. 1 rank.
#include "implicit/inertia.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "../model/built_deck.hpp"

namespace crumple::implicit {
namespace {

constexpr double kStep = 0.2;

/// The plate of six nodes with masses 1 to 6, inertias of the first three, and some motion.
class InertiaOfPlate : public ::testing::Test {
 protected:
  void start(const std::string& dynamics, const std::string& more = "") {
    built_.emplace(model::plate_and("*CONTROL_IMPLICIT_GENERAL\n1,0.2\n*CONTROL_IMPLICIT_DYNAMICS\n" +
                                    dynamics + "\n" + more));
    ASSERT_FALSE(built_->reported("error")) << built_->problems();
    for (auto* rows : {&nodal_.x0, &nodal_.x, &nodal_.v, &nodal_.w, &nodal_.a, &nodal_.alpha})
      rows->resize(6);
    for (std::size_t n = 0; n < 6; ++n) {
      const double k = 1.0 + static_cast<double>(n);
      nodal_.id.push_back(static_cast<GlobalId>(n + 1));
      nodal_.owner.push_back(0);
      nodal_.mass.push_back(k);
      nodal_.inertia.push_back(n < 3 ? 0.1 * k : 0.0);
      nodal_.v[n] = {std::sin(k), std::cos(k), 0.3 * k};
      if (n < 3) nodal_.w[n] = {0.1 * k, std::cos(2 * k), -0.2};
      increment_.u[n] = {0.1 * std::cos(k), 0.2, 0.05 * k};
      if (n < 3) increment_.turn[n] = {0.3, 0.1 * k, std::sin(k)};
    }
    masses_.mass = nodal_.mass;
    masses_.inertia = nodal_.inertia;
    masses_.moves.assign(6, 1);
    masses_.turns = {1, 1, 1, 0, 0, 0};
    masses_.in_body.assign(6, 0);
    dofs_ = {6, 6, 6, 3, 3, 0};
    inertia_.emplace(InertiaOf{built_->model, nodal_, masses_, dependents_, dofs_}, halo_, comm_);
  }
  /// Forces by node, as visited.
  NodalForces forces(const Increment& increment) {
    NodalForces sum(6);
    inertia_->evaluate(increment, false, [&](const ElementTangent& e) {
      const std::size_t n = at(e.nodes[0]);
      EXPECT_EQ(at(e.dofs), e.force.size());
      for (int i = 0; i < 3; ++i) {
        sum.force[n][i] += e.force[at(i)];
        if (e.dofs == 6) sum.moment[n][i] += e.force[at(i + 3)];
      }
    });
    return sum;
  }

  parallel::Communicator comm_;
  parallel::Halo halo_{comm_};
  state::Nodal nodal_;
  std::optional<model::BuiltDeck> built_;
  Increment increment_{6};
  PointMasses masses_;
  DependentNodes dependents_{6};
  std::vector<std::uint8_t> dofs_;
  std::optional<Inertia> inertia_;
};

TEST_F(InertiaOfPlate, StiffnessIsTheDerivativeOfForces) {
  start("1,,,,,,,-0.2", "*DAMPING_GLOBAL\n0,0.7,0.5,1.,2.,3.,4.,5.\n");
  ASSERT_TRUE(inertia_->begin(0, kStep, {}));
  std::size_t visited = 0;
  std::vector<std::vector<double>> of_node(6);
  inertia_->evaluate(increment_, true, [&](const ElementTangent& e) {
    of_node[at(e.nodes[0])].assign(e.stiffness.begin(), e.stiffness.end());
    ++visited;
  });
  EXPECT_EQ(visited, 5U);  // the sixth is no unknown
  constexpr double h = 1e-3;
  for (std::size_t n = 0; n < 5; ++n) {
    const std::size_t dofs = n < 3 ? 6 : 3;
    ASSERT_EQ(of_node[n].size(), dofs * dofs);
    for (int j = 0; j < static_cast<int>(dofs); ++j) {
      Increment up = increment_, down = increment_;
      (j < 3 ? up.u : up.turn)[n][j % 3] += h;
      (j < 3 ? down.u : down.turn)[n][j % 3] -= h;
      const NodalForces a = forces(up), b = forces(down);
      for (std::size_t i = 0; i < dofs; ++i) {
        const int c = static_cast<int>(i % 3);
        const double slope = i < 3 ? (a.force[n][c] - b.force[n][c]) : (a.moment[n][c] - b.moment[n][c]);
        EXPECT_NEAR(of_node[n][i * dofs + at(j)], slope / (2 * h), 1e-8) << n << " " << i << " " << j;
      }
    }
  }
}

TEST_F(InertiaOfPlate, HasTheForcesOfNewmarkAndRemembersThem) {
  constexpr double alpha = -0.2, gamma = 0.7, beta = 0.36;
  start("1,,,,,,,-0.2");
  ASSERT_TRUE(inertia_->begin(0, kStep, {}));
  NodalForces at_start(6);
  for (std::size_t n = 0; n < 6; ++n) at_start.force[n] = {1.0, -2.0, double(n)};
  at_start.moment[1] = {0.5, 0.25, 1.0};
  inertia_->accelerate(at_start);
  const Vec3 v = nodal_.v[4], u = increment_.u[4], a = (1.0 / 5.0) * at_start.force[4];
  EXPECT_NEAR(norm(inertia_->motion().a[4] - a), 0, 1e-14);
  const Vec3 a_end = (1.0 / (beta * kStep * kStep)) * (u - kStep * v) - (0.5 / beta - 1.0) * a;
  const Vec3 f = (1.0 / (1 + alpha)) * (5.0 * a_end + alpha * at_start.force[4]);
  EXPECT_NEAR(norm(forces(increment_).force[4] - f), 0, 1e-12);
  const Vec3 w = nodal_.w[1], turn = increment_.turn[1], bend = (1.0 / 0.2) * at_start.moment[1];
  const Vec3 bend_end = (1.0 / (beta * kStep * kStep)) * (turn - kStep * w) - (0.5 / beta - 1.0) * bend;
  const Vec3 m = (1.0 / (1 + alpha)) * (0.2 * bend_end + alpha * at_start.moment[1]);
  EXPECT_NEAR(norm(forces(increment_).moment[1] - m), 0, 1e-12);
  inertia_->accept(increment_);
  EXPECT_NEAR(norm(inertia_->motion().w[1] - (w + kStep * ((1 - gamma) * bend + gamma * bend_end))), 0,
              1e-13);
  EXPECT_NEAR(norm(inertia_->motion().v[4] - (v + kStep * ((1 - gamma) * a + gamma * a_end))), 0, 1e-13);
  ASSERT_TRUE(inertia_->begin(kStep, 2 * kStep, {}));
  const Vec3 v_end = inertia_->motion().v[4];
  const Vec3 next = (1.0 / (beta * kStep * kStep)) * (u - kStep * v_end) - (0.5 / beta - 1.0) * a_end;
  EXPECT_NEAR(norm(forces(increment_).force[4] - (1.0 / (1 + alpha)) * (5.0 * next + alpha * f)), 0, 1e-11);
}

TEST_F(InertiaOfPlate, GivenMotionReplacesThatOfTheFormulas) {
  start("1");
  NodeGiven given;
  given.node = 3;
  given.translation.add({0, 1, 1}, {0.5, 2.0, 7.0});
  given.translation.moved = 1;
  ASSERT_TRUE(inertia_->begin(0, kStep, {given}));
  const Vec3 axis = (1.0 / std::sqrt(2.0)) * Vec3{0, 1, 1};
  const NodalForces with = forces(increment_);
  ASSERT_TRUE(inertia_->begin(0, kStep, {}));
  const NodalForces without = forces(increment_);
  // (0, 1, 1) . motion = value: along the unit vector it is less by the root of 2
  EXPECT_NEAR(dot(axis, with.force[3]), 4.0 * 7.0 / std::sqrt(2.0), 1e-12);
  const Vec3 rest = with.force[3] - without.force[3];
  EXPECT_NEAR(norm(rest - dot(axis, rest) * axis), 0, 1e-12);
}

TEST_F(InertiaOfPlate, HeldDirectionsRest) {
  start("1");
  NodeGiven given;
  given.node = 2;
  given.translation.add({1, 0, 0}, {});
  given.translation.moved = 1;
  given.translation.add({0, 1, 0}, {});
  const std::vector<NodeGiven> all{given};
  inertia_->hold(all);
  const Vec3 v = inertia_->motion().v[2];
  EXPECT_EQ(v.x, nodal_.v[2].x);  // moved, not held
  EXPECT_NEAR(v.y, 0.0, 1e-15);
  EXPECT_EQ(v.z, nodal_.v[2].z);
}

TEST_F(InertiaOfPlate, MotionEndsInAStaticStep) {
  start("1,,,,0.3");
  EXPECT_TRUE(inertia_->begin(0, kStep, {}));
  inertia_->accept(increment_);
  EXPECT_GT(norm(inertia_->motion().v[1]), 0.1);
  EXPECT_FALSE(inertia_->begin(0.3, 0.5, {}));
  inertia_->accept(increment_);
  EXPECT_EQ(inertia_->motion().v[1], Vec3{});
  EXPECT_EQ(inertia_->motion().a[1], Vec3{});
}

TEST(ShareOfInertia, FollowsBirthDeathAndBurial) {
  const auto at_times = [](const std::string& dynamics, const std::vector<double>& times) {
    const auto built = model::plate_and("*CONTROL_IMPLICIT_GENERAL\n1,0.2\n*CONTROL_IMPLICIT_DYNAMICS\n" +
                                        dynamics + "\n*DEFINE_CURVE\n8\n0,0\n2,1\n");
    EXPECT_FALSE(built.reported("error")) << built.problems();
    std::vector<double> shares;
    for (const double t : times) shares.push_back(share_of_inertia(built.model, t));
    return shares;
  };
  using Shares = std::vector<double>;
  EXPECT_EQ(at_times("0", {0, 1}), (Shares{0, 0}));
  EXPECT_EQ(at_times("1", {0, 1e9}), (Shares{1, 1}));
  EXPECT_EQ(at_times("1,,,1.,2.", {0.5, 1.5, 2.5}), (Shares{0, 1, 0}));
  EXPECT_EQ(at_times("1,,,1.,2.,4.", {0.5, 1.5, 2.5, 3.0, 5.0}), (Shares{0, 1, 0.75, 0.5, 0}));
  EXPECT_EQ(at_times("-8,,,1.,2.,4.", {0, 0.5, 1, 5}), (Shares{0, 0.25, 0.5, 1}));
}

}  // namespace
}  // namespace crumple::implicit
