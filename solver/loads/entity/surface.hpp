// Distances of points from the surfaces of *CONTACT_ENTITY, in the axes of the surface.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"

namespace crumple::loads {

enum class EntityShape : std::int8_t { plane, sphere, cylinder, ellipsoid, torus };

/// A surface about the origin. A plane's normal, and the axes of cylinders and tori, are z.
struct EntitySurface {
  EntityShape shape{};
  /// Sphere, cylinder: radius. Ellipsoid: half axes. Torus: radii of the circle and of the tube around it.
  std::array<double, 3> size{};
  bool inverted = false;  ///< points are kept inside
};

/// Signed distance from a surface, negative where points must not be, and the direction to where they may.
struct EntityGap {
  double size = 0.0;
  Vec3 normal;
};

/// The nearest point of the surface decides, also for points inside an ellipsoid.
EntityGap entity_gap(const EntitySurface& surface, const Vec3& y);

/// Whether a point is outside an ellipsoid that keeps points outside, which is known without the distance;
/// false for other surfaces.
bool outside_of_ellipsoid(const EntitySurface& surface, const Vec3& y);

/// The point of an ellipsoid with half axes `a` that is nearest to y.
Vec3 nearest_of_ellipsoid(const std::array<double, 3>& a, const Vec3& y);

}  // namespace crumple::loads
