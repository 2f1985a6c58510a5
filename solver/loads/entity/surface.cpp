// Planes, spheres, cylinders, ellipsoids and tori.
//
// The point x of an ellipsoid that is nearest to y has the normal along y - x, so that x_i = a_i^2 y_i / (t +
// a_i^2) with the largest root t of sum (a_i y_i / (t + a_i^2))^2 = 1 (Eberly 2013, "Distance from a point to
// an ellipse, an ellipsoid, or a hyperellipsoid", section 3). With s = t + a_m^2, a_m the smallest half axis,
// the sum falls and is convex for s > 0: Newton's method that starts left of the root only increases s.
#include "loads/entity/surface.hpp"

#include <algorithm>
#include <cmath>

namespace crumple::loads {

namespace {

constexpr double kNoComponent = 1e-14;  ///< of a half axis: less is zero
constexpr int kMostNewtonSteps = 100;

/// sum (a_i y_i / (s + a_i^2 - a_m^2))^2 - 1 and its derivative.
struct EllipsoidEquation {
  std::array<double, 3> moment{}, shift{};  ///< a_i |y_i|, and a_i^2 - a_m^2
  double value(double s, double& slope) const {
    double sum = -1.0;
    slope = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (moment[i] == 0.0) continue;
      const double q = moment[i] / (s + shift[i]);
      sum += q * q;
      slope -= 2.0 * q * q / (s + shift[i]);
    }
    return sum;
  }
};

double root_of(const EllipsoidEquation& equation, double s) {
  for (int k = 0; k < kMostNewtonSteps; ++k) {
    double slope = 0.0;
    const double value = equation.value(s, slope);
    if (!(value > 0.0) || slope == 0.0) break;
    const double next = s - value / slope;
    if (!(next > s)) break;
    s = next;
  }
  return s;
}

/// A radial direction for points on the axis.
Vec3 radial_direction(const Vec3& y, double radius) {
  return radius > 0.0 ? Vec3{y.x / radius, y.y / radius, 0.0} : Vec3{1, 0, 0};
}

EntityGap gap_of_ellipsoid(const std::array<double, 3>& a, const Vec3& y) {
  const Vec3 x = nearest_of_ellipsoid(a, y);
  Vec3 normal{x.x / (a[0] * a[0]), x.y / (a[1] * a[1]), x.z / (a[2] * a[2])};
  normal *= 1.0 / norm(normal);
  return {dot(y - x, normal), normal};
}

EntityGap gap_of_torus(double circle, double tube, const Vec3& y) {
  const double radius = std::hypot(y.x, y.y);
  const Vec3 from_circle = (radius - circle) * radial_direction(y, radius) + Vec3{0, 0, y.z};
  const double distance = norm(from_circle);
  return {distance - tube, distance > 0.0 ? (1.0 / distance) * from_circle : Vec3{0, 0, 1}};
}

EntityGap gap_outwards(const EntitySurface& surface, const Vec3& y) {
  switch (surface.shape) {
    case EntityShape::plane:
      return {y.z, {0, 0, 1}};
    case EntityShape::sphere: {
      const double r = norm(y);
      return {r - surface.size[0], r > 0.0 ? (1.0 / r) * y : Vec3{0, 0, 1}};
    }
    case EntityShape::cylinder: {
      const double r = std::hypot(y.x, y.y);
      return {r - surface.size[0], radial_direction(y, r)};
    }
    case EntityShape::ellipsoid:
      return gap_of_ellipsoid(surface.size, y);
    case EntityShape::torus:
      return gap_of_torus(surface.size[0], surface.size[1], y);
  }
  return {};
}

}  // namespace

Vec3 nearest_of_ellipsoid(const std::array<double, 3>& a, const Vec3& y) {
  const double least = std::min({a[0], a[1], a[2]});
  EllipsoidEquation equation;
  std::array<double, 3> component{};
  double start = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double size = std::abs(y[static_cast<int>(i)]);
    component[i] = size > kNoComponent * a[i] ? size : 0.0;
    equation.moment[i] = a[i] * component[i];
    equation.shift[i] = (a[i] - least) * (a[i] + least);
    start = std::max(start, equation.moment[i] - equation.shift[i]);  // where one term alone is 1
  }
  double slope = 0.0;
  const bool in_the_middle = start == 0.0 && !(equation.value(0.0, slope) > 0.0);
  const double s = in_the_middle ? 0.0 : root_of(equation, start);
  Vec3 x;
  double rest = 1.0;  // for the smallest half axis of a point in the plane normal to it, near the centre
  for (std::size_t i = 0; i < 3; ++i) {
    if (component[i] == 0.0) continue;
    const double q = equation.moment[i] / (s + equation.shift[i]);
    x[static_cast<int>(i)] = std::copysign(a[i] * q, y[static_cast<int>(i)]);
    rest -= q * q;
  }
  if (in_the_middle) {
    const auto m = static_cast<int>(std::ranges::min_element(a) - a.begin());
    x[m] = std::copysign(least * std::sqrt(std::max(rest, 0.0)), y[m]);
  }
  return x;
}

EntityGap entity_gap(const EntitySurface& surface, const Vec3& y) {
  const EntityGap gap = gap_outwards(surface, y);
  return surface.inverted ? EntityGap{-gap.size, -gap.normal} : gap;
}

bool outside_of_ellipsoid(const EntitySurface& surface, const Vec3& y) {
  if (surface.inverted || surface.shape != EntityShape::ellipsoid) return false;
  const Vec3 q{y.x / surface.size[0], y.y / surface.size[1], y.z / surface.size[2]};
  return dot(q, q) > 1.0 + 1e-9;
}

}  // namespace crumple::loads
