// Closest points against brute force, and what the weights promise.
#include "contact/geometry/closest_point.hpp"

#include <gtest/gtest.h>

#include <random>

namespace crumple::contact {
namespace {

Vec3 at(const Vec3* x, int corners, const std::array<double, 4>& weight) {
  Vec3 sum;
  for (int k = 0; k < corners; ++k) sum += weight[k] * x[k];
  return sum;
}

/// Smallest distance to a fine sampling of the fan of triangles.
double sampled_distance(const Vec3* x, int corners, const Vec3& p) {
  constexpr int n = 160;
  double least = HUGE_VAL;
  const Vec3 centre = 0.25 * ((x[0] + x[1]) + (x[2] + x[3]));
  for (int facet = 0; facet < (corners == 4 ? 4 : 1); ++facet) {
    const Vec3 a = x[facet], b = x[(facet + 1) % 4], c = corners == 4 ? centre : x[2];
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j)
        least = std::min(least, norm(p - (a + (double(i) / n) * (b - a) + (double(j) / n) * (c - a))));
  }
  return least;
}

TEST(ClosestPoint, MatchesSamplingAndItsWeightsReproduceIt) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  for (int trial = 0; trial < 60; ++trial) {
    const int corners = trial % 3 == 0 ? 3 : 4;
    Vec3 x[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    for (Vec3& v : x) v += 0.3 * Vec3{u(random), u(random), u(random)};
    if (corners == 3) x[3] = x[2];
    const Vec3 p{2 * u(random), 2 * u(random), u(random)};
    const ClosestPoint c = closest_on_segment(x, corners, p);
    const double distance = std::sqrt(c.distance2);
    EXPECT_NEAR(distance, sampled_distance(x, corners, p), 2e-2);
    EXPECT_LE(distance, sampled_distance(x, corners, p) + 1e-12);
    EXPECT_NEAR(norm(c.offset), distance, 1e-12);
    EXPECT_NEAR(norm(at(x, corners, c.weight) + c.offset - p), 0.0, 1e-12);
    EXPECT_NEAR(c.weight[0] + c.weight[1] + c.weight[2] + c.weight[3], 1.0, 1e-14);
    for (const double w : c.weight) EXPECT_GE(w, -1e-15);
    if (c.facet) {
      EXPECT_NEAR(std::abs(dot(c.offset, c.normal)), distance, 1e-12);
    }
  }
}

TEST(ClosestPoint, TellsFaceFromBorder) {
  const Vec3 x[4] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  EXPECT_TRUE(closest_on_segment(x, 4, {0.5, 0.7, 0.3}).face);
  EXPECT_TRUE(closest_on_segment(x, 4, {1.0, 1.0, 0.3}).face);
  EXPECT_FALSE(closest_on_segment(x, 4, {1.0, -0.1, 0.3}).face);
  EXPECT_FALSE(closest_on_segment(x, 4, {2.5, 2.5, 0.3}).face);
  const ClosestPoint corner = closest_on_segment(x, 4, {2.5, 2.5, 0.0});
  EXPECT_DOUBLE_EQ(corner.weight[2], 1.0);
  EXPECT_DOUBLE_EQ(corner.distance2, 0.5);
  EXPECT_DOUBLE_EQ(closest_on_segment(x, 4, {1.0, 1.0, 0.3}).normal.z, 1.0);
}

TEST(ClosestPoint, SurvivesSegmentsWithoutArea) {
  const Vec3 line[4] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}};
  const ClosestPoint c = closest_on_segment(line, 4, {0.5, 1.0, 0.0});
  EXPECT_NEAR(c.distance2, 1.0, 1e-14);
  const Vec3 point[4] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  EXPECT_NEAR(closest_on_segment(point, 4, {1, 1, 3}).distance2, 4.0, 1e-14);
}

}  // namespace
}  // namespace crumple::contact
