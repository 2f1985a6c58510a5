// Coordinates in which elements are divided.
#include <cmath>
#include <numbers>

#include "decomposition/directions.hpp"

namespace crumple::decomposition {

namespace {

Vec3 three(const std::array<double, 9>& v, std::size_t at) { return {v[at], v[at + 1], v[at + 2]}; }

Vec3 unit(const Vec3& v) { return norm(v) > 0.0 ? (1.0 / norm(v)) * v : Vec3{}; }

}  // namespace

Transformation Transformation::scale(int axis, double factor) {
  Transformation t;
  t.v = {1.0, 1.0, 1.0};
  t.v[static_cast<std::size_t>(axis)] = factor;
  return t;
}

Transformation Transformation::rotation(int axis, double degrees) {
  const double angle = degrees * std::numbers::pi / 180.0, c = std::cos(angle), s = std::sin(angle);
  const std::size_t a = static_cast<std::size_t>(axis), b = (a + 1) % 3, d = (a + 2) % 3;
  Transformation t;
  t.kind = Kind::matrix;
  t.v[4 * a] = 1.0;
  t.v[4 * b] = t.v[4 * d] = c;
  t.v[3 * b + d] = -s;
  t.v[3 * d + b] = s;
  return t;
}

Transformation Transformation::to_vectors(const std::array<double, 9>& vectors) {
  // x = x1' v1 + x2' v2 + x3' v3 is solved for x' by the reciprocal vectors.
  const Vec3 v1 = three(vectors, 0), v2 = three(vectors, 3), v3 = three(vectors, 6);
  const double volume = dot(v1, cross(v2, v3));
  const Vec3 rows[3] = {cross(v2, v3), cross(v3, v1), cross(v1, v2)};
  Transformation t;
  t.kind = Kind::matrix;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) t.v[3 * i + k] = volume != 0.0 ? rows[i][int(k)] / volume : 0.0;
  return t;
}

Vec3 Transformation::operator()(const Vec3& x) const {
  if (kind == Kind::scale) return {v[0] * x.x, v[1] * x.y, v[2] * x.z};
  if (kind == Kind::matrix) return {dot(three(v, 0), x), dot(three(v, 3), x), dot(three(v, 6), x)};
  const Vec3 d = x - three(v, 0), axis = unit(three(v, 3));
  const double height = dot(d, axis);
  const Vec3 across = d - height * axis;
  const Vec3 zero = unit(three(v, 6) - dot(three(v, 6), axis) * axis);
  const double angle = std::atan2(dot(cross(axis, zero), across), dot(zero, across));
  if (kind == Kind::cylindrical) return {norm(across), angle, height};
  return {norm(d), angle, std::atan2(norm(across), height)};
}

}  // namespace crumple::decomposition
