// A pair of segments in mortar contact: its stiffness against differences, balance of forces, uniform
// pressure, friction.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "constraints/rotation.hpp"
#include "contact/mortar/moving_pair.hpp"
#include "contact/mortar/pair.hpp"

namespace crumple::contact::mortar {
namespace {

using constraints::operator*;

const PairFunctions& functions() { return pair_functions(elements::Isa::baseline); }

/// Two warped quadrilaterals that overlap in part and interpenetrate, or triangles.
PairInput oblique_pair(int first = 4, int second = 4) {
  PairInput in;
  in.corners[0] = first, in.corners[1] = second;
  in.x = {Vec3{0, 0, 0},         Vec3{1, 0.1, 0.05},  Vec3{1.1, 1, 0},       Vec3{0, 0.9, 0.03},
          Vec3{0.3, 0.2, -0.02}, Vec3{0.4, 1.3, 0.0}, Vec3{1.4, 1.2, -0.07}, Vec3{1.3, 0.3, -0.04}};
  in.thickness = 0.01;
  in.law = {100.0, 0.02};
  return in;
}

/// The state at the start of the step, from positions then.
void start_from(PairInput& in, const std::array<Vec3, kPairNodes>& x) {
  const auto e = axes_of(x.data(), in.corners[0]);
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < kPairNodes; ++k)
      in.start[i][k] = dot(e[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(k)] - x[0]);
}

PairForces forces_of(const PairInput& in) {
  PairForces out;
  functions().forces(in, out);
  return out;
}

MovingPairForces moving_forces_of(const MovingPair& in) {
  MovingPairForces out;
  moving_pair_function(elements::Isa::baseline)(in, out);
  return out;
}

void expect_stiffness_is_the_derivative(const PairInput& in) {
  PairForces out;
  std::vector<double> k(kPairDofs * kPairDofs);
  functions().tangent(in, out, k.data());
  ASSERT_TRUE(out.touches);
  double largest = 0;
  for (const double v : k) largest = std::max(largest, std::abs(v));
  constexpr double h = 1e-6;
  for (int j = 0; j < kPairDofs; ++j) {
    if (j % 12 / 3 >= in.corners[j / 12]) continue;
    PairInput up = in, down = in;
    up.x[static_cast<std::size_t>(j / 3)][j % 3] += h;
    down.x[static_cast<std::size_t>(j / 3)][j % 3] -= h;
    const PairForces high = forces_of(up), low = forces_of(down);
    for (std::size_t i = 0; i < kPairNodes; ++i)
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(k[(3 * i + static_cast<std::size_t>(c)) * kPairDofs + static_cast<std::size_t>(j)],
                    -(high.force[i][c] - low.force[i][c]) / (2 * h), 2e-6 * largest)
            << i << c << " by " << j;
  }
}

TEST(MortarPair, StiffnessIsTheDerivative) {
  for (const int first : {3, 4})
    for (const int second : {3, 4}) expect_stiffness_is_the_derivative(oblique_pair(first, second));
}

TEST(MortarPair, StiffnessIsTheDerivativeWhereSegmentsFaceBadly) {
  PairInput in = oblique_pair();
  for (std::size_t k = kCorners; k < kPairNodes; ++k) {  // turned by 66 degrees
    const double x = in.x[k].x - 0.8, c = 0.4067, s = 0.9135;
    in.x[k] = {0.8 + c * x - s * in.x[k].z, in.x[k].y, s * x + c * in.x[k].z};
  }
  const Overlap lie = functions().overlap(in);
  ASSERT_GT(lie.facing, kFacingNot);
  ASSERT_LT(lie.facing, kFacingFully);
  expect_stiffness_is_the_derivative(in);
}

TEST(MortarPair, StiffnessWithFrictionIsTheDerivative) {
  for (const double slip : {0.001, 0.02}) {  // all holds; all slides
    PairInput in = oblique_pair();
    in.friction = {0.3, 0.2, 0.5, 100.0};
    in.dt = 0.1;
    in.thickness = 0.03;
    std::array<Vec3, kPairNodes> before = in.x;
    for (std::size_t k = 0; k < kCorners; ++k) before[k] -= Vec3{slip, 0.5 * slip, 0.001};
    start_from(in, before);
    in.stretched[0][1] = 1e-4;
    in.stretched[1][2] = -2e-4;
    if (slip < 0.01) in.friction.fs = in.friction.fd = 30.0;
    expect_stiffness_is_the_derivative(in);
  }
}

TEST(MortarPair, ForcesAreInBalance) {
  PairInput in = oblique_pair();
  for (const bool rubs : {false, true}) {
    if (rubs) {
      in.friction = {0.3, 0.3, 0, 100.0};
      std::array<Vec3, kPairNodes> before = in.x;
      for (std::size_t k = 0; k < kCorners; ++k) before[k] -= Vec3{0.02, 0.01, 0};
      start_from(in, before);
    }
    const PairForces out = forces_of(in);
    Vec3 sum, moment;
    double size = 0;
    for (std::size_t k = 0; k < kPairNodes; ++k) {
      sum += out.force[k];
      moment += cross(in.x[k], out.force[k]);
      size += norm(out.force[k]);
    }
    EXPECT_GT(size, 0.01);
    EXPECT_LT(norm(sum), 1e-14 * size);
    // Shear stress has the arm of the penetration.
    EXPECT_LT(norm(moment), rubs ? 0.3 * size * out.deepest : 1e-14 * size);
  }
}

TEST(MortarPair, UniformPressureIsExact) {
  // A square and a shifted parallelogram in parallel planes: areas and shape functions in closed form.
  PairInput in;
  in.x = {Vec3{0, 0, 0},      Vec3{2, 0, 0},     Vec3{2, 2, 0},    Vec3{0, 2, 0},
          Vec3{-1, -1, -0.1}, Vec3{-1, 3, -0.1}, Vec3{1, 3, -0.1}, Vec3{1, -1, -0.1}};
  in.law = {10.0, 0.01};
  const PairForces out = forces_of(in);
  const double p = 10.0 * (0.1 - 0.01);
  EXPECT_NEAR(out.area, 2.0, 1e-14);
  EXPECT_NEAR(out.deepest, 0.1, 1e-15);
  for (std::size_t k = 0; k < 4; ++k) {  // of the area 0 < x < 1: 3/4 to the left
    const double share = k == 0 || k == 3 ? 0.75 : 0.25;
    EXPECT_NEAR(out.force[k].z, -p * share, 1e-14) << k;
  }
  double master = 0;
  for (std::size_t k = 4; k < 8; ++k) master += out.force[k].z;
  EXPECT_NEAR(master, 2.0 * p, 1e-13);
  EXPECT_NEAR(out.force[6].z + out.force[7].z, 1.5 * p, 1e-13);  // 0 < x < 1 of -1 < x < 1: 3/4 to the right
}

/// Edges that coincide but for rounding cross far outside of both: no corner may lie there.
TEST(MortarPair, EdgesThatNearlyCoincideCoverTheSameArea) {
  PairInput in;
  in.thickness = 0.02;
  in.law = {100.0, 0.005};
  const auto place = [&](double low, double high) {  // an edge of the second that is about x = 0
    in.x = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0}};
    in.x[4] = {low, -0.2, 0.01};
    in.x[5] = {high, 1.2, 0.025};  // in contact in part
    in.x[6] = {0.6, 1.2, 0.025};
    in.x[7] = {0.6, -0.2, 0.01};
  };
  place(0.0, 0.0);
  const PairForces exact = forces_of(in);
  EXPECT_GT(exact.area, 0.2);
  double largest = 0;
  for (const Vec3& f : exact.force) largest = std::max(largest, norm(f));
  for (int i = -24; i <= 24; ++i)
    for (int j = -24; j <= 24; ++j) {
      place(1e-13 * i, 1e-13 * j);
      const PairForces out = forces_of(in);
      // Corners that coincide divide the polygon into other triangles, at whose points the edge of what is in
      // contact is seen.
      EXPECT_NEAR(out.area, exact.area, 0.05 * exact.area) << i << " " << j;
      for (std::size_t k = 0; k < kPairNodes; ++k)
        EXPECT_LT(norm(out.force[k] - exact.force[k]), 0.05 * largest) << i << " " << j;
    }
}

TEST(MortarPair, PressureIsAParabolaThenALine) {
  PairInput in;
  in.x = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0},
          Vec3{0, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}, Vec3{1, 0, 0}};
  in.law = {7.0, 0.1};
  const auto total = [&](double d) {
    in.thickness = d;
    const PairForces out = forces_of(in);
    double sum = 0;
    for (std::size_t k = 4; k < 8; ++k) sum += out.force[k].z;
    return sum;
  };
  EXPECT_EQ(total(-0.01), 0.0);
  EXPECT_NEAR(total(0.1), 7.0 * 0.1 * 0.25, 1e-14);
  EXPECT_NEAR(total(0.2), 7.0 * 0.1, 1e-14);
  EXPECT_NEAR(total(0.5), 7.0 * 0.4, 1e-14);
}

TEST(MortarPair, StoredEnergyIsTheIntegralOfPressure) {
  MovingPair in;
  in.x = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0},
          Vec3{0, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}, Vec3{1, 0, 0}};
  in.law = {100.0, 0.02};
  const auto at_depth = [&](double d) {
    for (std::size_t k = 4; k < 8; ++k) in.x[k].z = -d;
    return moving_forces_of(in);
  };
  for (const double d : {0.01, 0.039, 0.041, 0.1}) {
    constexpr double h = 1e-5;
    double push = 0;
    const MovingPairForces now = at_depth(d);
    for (std::size_t k = 0; k < 4; ++k) push -= now.force[k].z;
    EXPECT_NEAR((at_depth(d + h).stored - at_depth(d - h).stored) / (2 * h), push, 1e-6 * push) << d;
  }
}

TEST(MortarPair, DampingPushesWherePairsClose) {
  MovingPair in;
  in.x = {Vec3{0, 0, 0},     Vec3{1, 0, 0},     Vec3{1, 1, 0},     Vec3{0, 1, 0},
          Vec3{0, 0, -0.01}, Vec3{0, 1, -0.01}, Vec3{1, 1, -0.01}, Vec3{1, 0, -0.01}};
  in.law = {100.0, 0.02};
  const auto push = [&] {
    double sum = 0;
    const MovingPairForces out = moving_forces_of(in);
    for (std::size_t k = 0; k < 4; ++k) sum -= out.force[k].z;
    return sum;
  };
  const double elastic = push();
  in.damping = 0.3;
  for (std::size_t k = 4; k < 8; ++k) in.v[k] = {5.0, 0, -0.1};
  const double slope = 0.5 * 100.0 / 0.02 * 0.01;
  EXPECT_NEAR(push(), elastic + 0.3 * std::sqrt(slope) * 0.1, 1e-9);
  for (std::size_t k = 4; k < 8; ++k) in.v[k] = {0, 0, 10.0};
  EXPECT_EQ(push(), 0.0);
}

TEST(MortarPair, ARigidMotionGivesNoFriction) {
  PairInput in = oblique_pair();
  in.thickness = 0.3;  // thick shells: with an arm
  in.friction = {0.5, 0.5, 0, 100.0};
  start_from(in, in.x);
  const auto turn = constraints::matrix(constraints::cayley({0.4, -0.3, 0.9}));
  PairInput still = in;
  still.friction = {};
  for (auto* of : {&in, &still})
    for (Vec3& x : of->x) x = turn * x + Vec3{3, -2, 5};
  const PairForces with = forces_of(in), without = forces_of(still);
  for (std::size_t k = 0; k < kPairNodes; ++k) EXPECT_LT(norm(with.force[k] - without.force[k]), 1e-12);
}

TEST(MortarPair, FrictionHoldsThenSlides) {
  PairInput in;
  in.x = {Vec3{0, 0, 0},   Vec3{1, 0, 0},  Vec3{1, 1, 0}, Vec3{0, 1, 0},
          Vec3{-1, -1, 0}, Vec3{-1, 2, 0}, Vec3{2, 2, 0}, Vec3{2, -1, 0}};
  in.law = {100.0, 0.01};
  in.thickness = 0.03;
  in.friction = {0.2, 0.2, 0, 100.0};
  const double p = 100.0 * 0.02;
  for (const double slip : {0.001, 0.1}) {
    std::array<Vec3, kPairNodes> before = in.x;
    for (std::size_t k = 0; k < kCorners; ++k) before[k].x -= slip;
    start_from(in, before);
    const PairForces out = forces_of(in);
    double shear = 0;
    for (std::size_t k = 0; k < 4; ++k) shear += out.force[k].x;
    EXPECT_NEAR(shear, -std::min(100.0 * slip, 0.2 * p), 1e-13);
    EXPECT_NEAR(out.dissipated, slip > 0.01 ? 0.2 * p * (slip - 0.2 * p / 100.0) : 0.0, 1e-13);
    for (int k = 0; k < kCorners; ++k)
      EXPECT_NEAR(out.corner_stretch[0][k] / out.corner_area[k], std::min(slip, 0.2 * p / 100.0), 1e-14);
  }
}

TEST(MortarPair, ShellsAreTouchedFromBothSides) {
  PairInput in;
  in.x = {Vec3{0, 0, 0},    Vec3{1, 0, 0},    Vec3{1, 1, 0},    Vec3{0, 1, 0},
          Vec3{0, 0, -0.9}, Vec3{1, 0, -0.9}, Vec3{1, 1, -0.9}, Vec3{0, 1, -0.9}};
  in.law = {100.0, 0.01};
  in.thickness = 1.0;
  in.side[0] = -1;  // the other is below, and looks up
  const PairForces out = forces_of(in);
  EXPECT_NEAR(out.deepest, 0.1, 1e-14);
  EXPECT_GT(out.force[0].z, 0.0);
  EXPECT_LT(out.force[4].z, 0.0);
}

}  // namespace
}  // namespace crumple::contact::mortar
