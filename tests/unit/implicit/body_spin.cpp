// Rotation of rigid bodies in Newmark's method: conserved momentum and energy, derivatives, limits. 1 rank.
#include "implicit/body_spin.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "implicit/increment.hpp"
#include "implicit/mean_spin.hpp"

namespace crumple::implicit {
namespace {

using constraints::Directions;
using constraints::Matrix3;
using constraints::operator*;

BodyMass body() {
  BodyMass b;
  b.mass = 2.0;
  b.inertia = {Vec3{3, 0.2, -0.1}, Vec3{0.2, 2, 0.3}, Vec3{-0.1, 0.3, 1}};
  return b;
}

/// Newton's method for the turn that gives a moment.
Vec3 turn_for(const NewmarkStep& step, const BodyMass& b, const BodySpin& start, const SpinRates& rates,
              const Vec3& moment) {
  Vec3 turn = step.dt * rates.w;
  for (int k = 0; k < 30; ++k) {
    const SpinRates end = spin_rates(step, start, rates, turn, true);
    const BodySpin after = spin_after(step, b, start, turn, end, {});
    const Matrix3 slope = moment_by_turn(step, b, start, after, turn, end.w, true);
    // Cramer's rule
    const Vec3 r = moment - after.moment;
    const Vec3 c0{slope[0].x, slope[1].x, slope[2].x}, c1{slope[0].y, slope[1].y, slope[2].y},
        c2{slope[0].z, slope[1].z, slope[2].z};
    const double d = dot(c0, cross(c1, c2));
    turn += (1.0 / d) * Vec3{dot(r, cross(c1, c2)), dot(c0, cross(r, c2)), dot(c0, cross(c1, r))};
    if (norm(r) < 1e-15) break;
  }
  return turn;
}

TEST(BodySpin, KeepsMomentumAndEnergyOfAFreeBody) {
  const BodyMass b = body();
  const NewmarkStep step{.dt = 0.4};
  SpinRates rates{{0.1, 1.0, 0.05}, {}};
  BodySpin spin;
  spin.momentum = b.inertia * rates.w;
  rates.alpha = constraints::pseudo_inverse(b.inertia) * -cross(rates.w, spin.momentum);
  const Vec3 before = spin.momentum;
  const double energy = dot(rates.w, before);
  for (int k = 0; k < 200; ++k) {
    const Vec3 turn = turn_for(step, b, spin, rates, {});
    const SpinRates end = spin_rates(step, spin, rates, turn, true);
    spin = spin_after(step, b, spin, turn, end, {});
    rates = end;
    EXPECT_NEAR(norm(spin.momentum - before), 0, 1e-12) << k;
    EXPECT_NEAR(dot(rates.w, spin.momentum), energy, 1e-12) << k;
  }
  EXPECT_GT(norm(spin.orientation.v), 0.1);
}

void check_derivative(bool free) {
  const BodyMass b = body();
  const NewmarkStep step{.beta = 0.36, .gamma = 0.7, .dt = 0.3};
  const SpinRates rates{{0.4, -1.0, 0.7}, {0.2, 0.1, -0.5}};
  BodySpin start;
  start.orientation = constraints::cayley({0.5, -0.2, 0.8});
  start.momentum = turned_tensor(constraints::matrix(start.orientation), b.inertia) * rates.w;
  start.moment = {0.3, 0.1, 0.2};
  const Vec3 turn{0.3, -0.5, 0.4};
  const auto moment = [&](const Vec3& at) {
    return spin_after(step, b, start, at, spin_rates(step, start, rates, at, free), {}).moment;
  };
  const SpinRates end = spin_rates(step, start, rates, turn, free);
  const Matrix3 slope =
      moment_by_turn(step, b, start, spin_after(step, b, start, turn, end, {}), turn, end.w, free);
  constexpr double h = 1e-5;
  for (int j = 0; j < 3; ++j) {
    Vec3 up = turn, down = turn;
    up[j] += h, down[j] -= h;
    const Vec3 by = (0.5 / h) * (moment(up) - moment(down));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(slope[at(i)][j], by[i], 1e-6 * 100) << i << j << free;
  }
}

TEST(BodySpin, HasTheDerivativeOfItsMoment) {
  check_derivative(true);
  check_derivative(false);
}

TEST(BodySpin, OfABallIsThatOfANode) {
  BodyMass ball;
  ball.inertia = scaled(2.5, constraints::identity3());
  const NewmarkStep step{.beta = 0.3, .gamma = 0.6, .dt = 0.2};
  const SpinRates rates{{0.4, -1.0, 0.7}, {0.2, 0.1, -0.5}};
  BodySpin start;
  start.momentum = 2.5 * rates.w;
  start.moment = 2.5 * rates.alpha;
  const Vec3 turn{0.1, 0.2, -0.1};
  const SpinRates end = spin_rates(step, start, rates, turn, false);
  const BodySpin after = spin_after(step, ball, start, turn, end, {});
  EXPECT_NEAR(norm(after.moment - 2.5 * end.alpha), 0, 1e-12);
}

TEST(BodySpin, HasEulersMomentAboutWhatIsHeld) {
  const BodyMass b = body();
  const NewmarkStep step{.dt = 0.1};
  const double w = 2.0;
  SpinRates rates{{0, 0, w}, {}};
  BodySpin spin;
  spin.momentum = b.inertia * rates.w;
  Directions held;
  held.add({1, 0, 0});
  held.add({0, 1, 0});
  const Vec3 turn{0, 0, w * step.dt};  // Cayley's vector of a mean spin
  for (int k = 0; k < 50; ++k) {
    const SpinRates end = spin_rates(step, spin, rates, turn, false);
    spin = spin_after(step, b, spin, turn, end, held);
    rates = end;
    EXPECT_NEAR(norm(spin.moment - cross(rates.w, spin.momentum)), 0, 1e-11) << k;
  }
}

}  // namespace
}  // namespace crumple::implicit
