// Affine maps, id offsets, and the options of *DEFINE_TRANSFORMATION.
#include "deck/transforms.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace crumple::deck {

bool Affine::turns() const {
  const Affine identity;
  return rows != identity.rows;
}

Affine translation(const Vec3& by) {
  Affine out;
  out.shift = by;
  return out;
}

Affine scaling(const Vec3& factors) {
  Affine out;
  for (int i = 0; i < 3; ++i) out.rows[static_cast<std::size_t>(i)][i] = factors[i];
  return out;
}

// Rodrigues' formula, R = cos I + sin [u]x + (1 - cos) u u^T.
Affine rotation(const Vec3& axis, const Vec3& centre, double degrees) {
  const double length = norm(axis);
  if (length == 0.0) throw Error("CR-D016", "ROTATE about an axis of length zero");
  const Vec3 u = (1.0 / length) * axis;
  const double angle = degrees * std::numbers::pi / 180.0, c = std::cos(angle), s = std::sin(angle);
  Affine out;
  for (int i = 0; i < 3; ++i) {
    Vec3 e;
    e[i] = 1.0;
    // Row i of the cross-product matrix is e_i x u.
    out.rows[static_cast<std::size_t>(i)] = c * e + s * cross(e, u) + ((1.0 - c) * u[i]) * u;
  }
  out.shift = centre - out(centre);
  return out;
}

Affine compose(const Affine& outer, const Affine& inner) {
  Affine out;
  for (std::size_t i = 0; i < 3; ++i)
    out.rows[i] =
        outer.rows[i].x * inner.rows[0] + outer.rows[i].y * inner.rows[1] + outer.rows[i].z * inner.rows[2];
  out.shift = outer(inner.shift);
  return out;
}

std::optional<IdKind> id_kind(std::string_view name) {
  static constexpr std::array<std::string_view, kIdKinds> kNames{"node", "element", "part",   "material",
                                                                 "set",  "curve",   "define", "other"};
  for (std::size_t i = 0; i < kIdKinds; ++i)
    if (kNames[i] == name) return static_cast<IdKind>(i);
  return std::nullopt;
}

bool Placement::moves() const { return map.turns() || !(map.shift == Vec3{}); }

bool Placement::any() const { return moves() || offset != std::array<std::int64_t, kIdKinds>{}; }

std::int64_t Placement::shifted(std::int64_t id, IdKind kind) const {
  const std::int64_t by = offset[static_cast<std::size_t>(kind)];
  return id > 0 ? id + by : id < 0 ? id - by : 0;
}

Placement nested(const Placement& outer, const Placement& inner) {
  Placement out{inner.offset, compose(outer.map, inner.map)};
  for (std::size_t i = 0; i < kIdKinds; ++i) out.offset[i] += outer.offset[i];
  return out;
}

namespace {

double or_one(double factor) { return factor == 0.0 ? 1.0 : factor; }

Affine rotate_row(const std::array<double, 7>& a, const std::map<std::int64_t, Vec3>& points) {
  const bool by_points = a[3] == 0.0 && a[4] == 0.0 && a[5] == 0.0 && a[6] == 0.0;
  if (!by_points) return rotation({a[0], a[1], a[2]}, {a[3], a[4], a[5]}, a[6]);
  // Neither ids of two points nor an angle: a direction with an angle of zero.
  const auto is_id = [](double x) { return x >= 1.0 && x == std::floor(x); };
  if (!is_id(a[0]) || !is_id(a[1]) || a[0] == a[1]) return {};
  const auto from = points.find(std::llround(a[0])), to = points.find(std::llround(a[1]));
  if (from == points.end() || to == points.end())
    throw Error("CR-D016", fmt::format("ROTATE refers to points {} and {}, which no POINT before it defines",
                                       a[0], a[1]));
  return rotation(to->second - from->second, from->second, a[2]);
}

/// Reflection at the plane through the first point, normal to the line to the second.
Affine mirror_row(const std::array<double, 7>& a) {
  if (a[6] != 0.0)
    throw Error("CR-D016", "MIRROR with A7 = 1: left-handed coordinate systems are not supported");
  const Vec3 point{a[0], a[1], a[2]}, normal = Vec3{a[3], a[4], a[5]} - point;
  const double length2 = dot(normal, normal);
  if (length2 == 0.0) throw Error("CR-D016", "MIRROR at a plane whose normal has no length");
  Affine out;
  for (int i = 0; i < 3; ++i) out.rows[static_cast<std::size_t>(i)] -= (2.0 * normal[i] / length2) * normal;
  out.shift = point - out(point);
  return out;
}

/// Unit axes: along a to b, in the plane of a, b, c, and normal to it.
std::array<Vec3, 3> frame(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 x = b - a, z = cross(x, c - a);
  if (norm(x) == 0.0 || norm(z) == 0.0) throw Error("CR-D016", "POS6P: three of its points are on a line");
  const Vec3 ex = (1.0 / norm(x)) * x, ez = (1.0 / norm(z)) * z;
  return {ex, cross(ez, ex), ez};
}

/// Maps the first three points to the other three: the first to the fourth, then directions.
Affine position_row(const std::array<double, 7>& a, const std::map<std::int64_t, Vec3>& points) {
  std::array<Vec3, 6> p;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto it = points.find(std::llround(a[i]));
    if (it == points.end())
      throw Error("CR-D016", fmt::format("POS6P refers to point {}, which no POINT before it defines", a[i]));
    p[i] = it->second;
  }
  const auto from = frame(p[0], p[1], p[2]), to = frame(p[3], p[4], p[5]);
  Affine out;
  for (int i = 0; i < 3; ++i) {
    Vec3& row = out.rows[static_cast<std::size_t>(i)];
    row = {};
    for (std::size_t k = 0; k < 3; ++k) row += to[k][i] * from[k];
  }
  out.shift = p[3] - out(p[0]);
  return out;
}

}  // namespace

std::size_t arguments_of(std::string_view option) {
  if (option == "TRANSL" || option == "SCALE") return 3;
  if (option == "POINT") return 4;
  return option == "POS6P" ? 6 : 7;
}

Affine evaluate_transformation(const std::vector<TransformRow>& rows) {
  Affine map;
  std::map<std::int64_t, Vec3> points;
  for (const TransformRow& row : rows) {
    const auto& a = row.a;
    Affine step;
    if (row.option == "POINT") {
      points[std::llround(a[0])] = {a[1], a[2], a[3]};
      continue;
    }
    if (row.option == "TRANSL")
      step = translation({a[0], a[1], a[2]});
    else if (row.option == "SCALE")
      step = scaling({or_one(a[0]), or_one(a[1]), or_one(a[2])});
    else if (row.option == "ROTATE")
      step = rotate_row(a, points);
    else if (row.option == "MIRROR")
      step = mirror_row(a);
    else if (row.option == "POS6P")
      step = position_row(a, points);
    else
      throw Error(
          "CR-D016",
          fmt::format("option {} is not supported: POINT, SCALE, ROTATE, TRANSL, MIRROR and POS6P are; "
                      "nodes are not known yet where the transformation is read",
                      row.option));
    for (auto& [id, point] : points) point = step(point);
    map = compose(step, map);
  }
  if (map.determinant() == 0.0) throw Error("CR-D016", "the transformation makes everything flat");
  return map;
}

}  // namespace crumple::deck
