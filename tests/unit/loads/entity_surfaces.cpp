// Distances and normals of the surfaces of contact entities against closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "loads/entity/surface.hpp"

namespace crumple::loads {
namespace {

void expect_gap(const EntitySurface& surface, const Vec3& y, double size, const Vec3& normal,
                double tolerance = 1e-12) {
  const EntityGap gap = entity_gap(surface, y);
  EXPECT_NEAR(gap.size, size, tolerance);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(gap.normal[k], normal[k], tolerance) << "component " << k;
}

/// A point of the ellipsoid and its outward normal there.
struct OnEllipsoid {
  Vec3 x, normal;
};
OnEllipsoid on_ellipsoid(const std::array<double, 3>& a, double latitude, double longitude) {
  const Vec3 u{std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
               std::sin(latitude)};
  const Vec3 n{u.x / a[0], u.y / a[1], u.z / a[2]};
  return {{a[0] * u.x, a[1] * u.y, a[2] * u.z}, (1.0 / norm(n)) * n};
}

TEST(EntitySurfaces, APlaneMeasuresHeights) {
  expect_gap({.shape = EntityShape::plane}, {3, -4, -0.5}, -0.5, {0, 0, 1});
}

TEST(EntitySurfaces, ASphereAndACylinderMeasureRadii) {
  const EntitySurface sphere{.shape = EntityShape::sphere, .size = {5, 0, 0}};
  expect_gap(sphere, {2, -3, 6}, 2.0, {2.0 / 7, -3.0 / 7, 6.0 / 7});
  expect_gap(sphere, {}, -5.0, {0, 0, 1});
  const EntitySurface cylinder{.shape = EntityShape::cylinder, .size = {6, 0, 0}};
  expect_gap(cylinder, {3, 4, 100}, -1.0, {0.6, 0.8, 0});
  expect_gap(cylinder, {0, 0, 7}, -6.0, {1, 0, 0});
}

TEST(EntitySurfaces, ATorusMeasuresFromItsCircle) {
  const EntitySurface torus{.shape = EntityShape::torus, .size = {10, 2, 0}};
  expect_gap(torus, {6 * 0.7, 8 * 0.7, 4}, 3.0, {-0.6 * 0.6, -0.6 * 0.8, 0.8});  // 3 inside, 4 above
  expect_gap(torus, {0, -10, 0}, -2.0, {0, 0, 1});
  expect_gap(torus, {}, 8.0, {-1, 0, 0});
}

TEST(EntitySurfaces, InOutTurnsTheSides) {
  const EntitySurface sphere{.shape = EntityShape::sphere, .size = {5, 0, 0}, .inverted = true};
  expect_gap(sphere, {0, 4, 0}, 1.0, {0, -1, 0});
  expect_gap(sphere, {0, 7, 0}, -2.0, {0, -1, 0});
}

/// A point at some distance along the normal has its foot there, as long as it is above the centre of the
/// smallest curvature radius c^2 / a inside.
TEST(EntitySurfaces, FeetOnAnEllipsoidAreAlongTheirNormals) {
  const std::array<double, 3> a{4, 2.5, 1.5};
  const EntitySurface surface{.shape = EntityShape::ellipsoid, .size = a};
  const double least_radius = 1.5 * 1.5 / 4;
  for (const double latitude : {-1.5, -0.7, 0.0, 1e-9, 0.4, 1.2})
    for (const double longitude : {-3.0, -1.0, 0.0, 0.5, 0.5 * std::numbers::pi, 2.5})
      for (const double distance : {-0.9 * least_radius, -0.01, 0.0, 0.3, 20.0}) {
        const OnEllipsoid foot = on_ellipsoid(a, latitude, longitude);
        expect_gap(surface, foot.x + distance * foot.normal, distance, foot.normal, 1e-7);
      }
}

TEST(EntitySurfaces, FromTheMiddleTheSmallestHalfAxisIsNearest) {
  const std::array<double, 3> a{4, 1.5, 2.5};
  const EntitySurface surface{.shape = EntityShape::ellipsoid, .size = a};
  expect_gap(surface, {}, -1.5, {0, 1, 0});
  // In the plane y = 0 near the centre: x_i = a_i^2 y_i / (a_i^2 - b^2), and y from the equation.
  const Vec3 y{0.5, 0.0, 0.3};
  const Vec3 x = nearest_of_ellipsoid(a, y);
  EXPECT_NEAR(x.x, 16 * 0.5 / (16 - 2.25), 1e-12);
  EXPECT_NEAR(x.z, 6.25 * 0.3 / (6.25 - 2.25), 1e-12);
  EXPECT_NEAR(x.x * x.x / 16 + x.y * x.y / 2.25 + x.z * x.z / 6.25, 1.0, 1e-12);
  EXPECT_NEAR(entity_gap(surface, y).size, -norm(y - x), 1e-12);
  const Vec3 beside = nearest_of_ellipsoid(a, {0.5, -1e-9, 0.3});  // continuous, to the side of the point
  EXPECT_NEAR(beside.x, x.x, 1e-7);
  EXPECT_NEAR(beside.y, -x.y, 1e-7);
}

TEST(EntitySurfaces, EqualHalfAxesAreASphere) {
  const EntitySurface ball{.shape = EntityShape::ellipsoid, .size = {3, 3, 3}};
  expect_gap(ball, {2, -3, 6}, 4.0, {2.0 / 7, -3.0 / 7, 6.0 / 7});
  expect_gap(ball, {0, 0.1, 0}, -2.9, {0, 1, 0});
}

TEST(EntitySurfaces, WhatIsOutsideAnEllipsoidIsKnownWithoutTheDistance) {
  EntitySurface surface{.shape = EntityShape::ellipsoid, .size = {4, 2, 1}};
  EXPECT_TRUE(outside_of_ellipsoid(surface, {0, 0, 1.1}));
  EXPECT_FALSE(outside_of_ellipsoid(surface, {3.9, 0, 0}));
  surface.inverted = true;
  EXPECT_FALSE(outside_of_ellipsoid(surface, {0, 0, 1.1}));
}

}  // namespace
}  // namespace crumple::loads
