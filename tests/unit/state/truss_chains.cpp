// The common motion of trusses in a line: lengths, rates, and the inertia that limits their step.
#include "state/truss_chains.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace crumple::state {
namespace {

TEST(TrussChain, LengthAndRateAreSumsAlongTheLine) {
  const std::vector<Vec3> first{{0, 0, 0}, {3, 0, 0}, {3, 4, 0}};
  const std::vector<Vec3> v{{1, 0, 0}, {0, 0, 0}, {0, 2, 0}};
  const double dt = 0.1;
  std::vector<Vec3> x = first;
  for (std::size_t k = 0; k < x.size(); ++k) x[k] += dt * v[k];
  const ChainMotion m = chain_motion(first, x, v, dt);
  EXPECT_NEAR(m.length0, 7.0, 1e-15);
  EXPECT_NEAR(m.length, 7.0 + dt * (2 - 1), 1e-15);
  EXPECT_NEAR(m.mid_length, 7.0 + 0.5 * dt * (2 - 1), 1e-15);
  EXPECT_NEAR(m.speed, 1.0, 1e-14);
}

/// Half way through a step a rigid rotation has no rate.
TEST(TrussChain, DoesNotStretchInARotation) {
  const std::vector<Vec3> first{{1, 0, 0}, {2, 1, 0}, {4, -1, 0}};
  const double angle = 0.3, dt = 0.5;
  std::vector<Vec3> x, v;
  for (const Vec3& p : first) {
    x.push_back(
        {std::cos(angle) * p.x - std::sin(angle) * p.y, std::sin(angle) * p.x + std::cos(angle) * p.y, 0});
    v.push_back((1 / dt) * (x.back() - p));
  }
  EXPECT_NEAR(chain_motion(first, x, v, dt).speed, 0.0, 1e-14);
}

/// omega^2 = k sum |g|^2 / m: 4 k / (mu l) for a straight line of equal trusses, however many.
TEST(TrussChain, InertiaIsThatOfTheEndsAndOfBends) {
  const auto mobility = [](const std::vector<Vec3>& x) {
    return chain_motion(x, x, std::vector<Vec3>(x.size()), 0.0).mobility;
  };
  EXPECT_NEAR(mobility({{0, 0, 0}, {2, 0, 0}}), 4.0 / 2, 1e-14);
  EXPECT_NEAR(mobility({{0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {6, 0, 0}}), 4.0 / 2, 1e-14);
  EXPECT_NEAR(mobility({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}}), 4.0 / 2 + 2.0 / 2, 1e-14);
}

}  // namespace
}  // namespace crumple::state
