// Finds directions of materials in elements.
#include "model/material_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "model/model.hpp"

namespace crumple::model {

namespace {

constexpr double kRadians = M_PI / 180;

[[noreturn]] void refuse(const Material& material, const std::string& id, const std::string& field,
                         const std::string& what) {
  Place place = material.place;
  place.field = field;
  throw Error(id, fmt::format("material {} ({}): {}", material.id, material.name, what), place);
}

bool parallel(const Vec3& a, const Vec3& b) { return !(norm(cross(a, b)) > 1e-6 * norm(a) * norm(b)); }

/// a, c = a x d and b = c x a as unit vectors.
Axes frame(const Vec3& a, const Vec3& d) {
  if (parallel(a, d))
    throw Error("CR-E204", "the axes of its material are not defined: two of their vectors are parallel");
  const Vec3 first = (1 / norm(a)) * a, normal = cross(a, d), c = (1 / norm(normal)) * normal;
  return {first, cross(c, first), c};
}

/// About the axis c.
void turn(double angle, Axes& axes) {
  if (angle == 0 || std::isnan(angle)) return;
  const Vec3 a = axes[0], b = axes[1];
  axes[0] = std::cos(angle) * a + std::sin(angle) * b;
  axes[1] = std::cos(angle) * b - std::sin(angle) * a;
}

/// Exchanges two axes, MACF; the third one is such that they are right-handed.
void exchange(int change, Axes& axes) {
  switch (std::abs(change)) {
    case 2:
      std::swap(axes[0], axes[1]);
      axes[2] = -axes[2];
      break;
    case 3:
      std::swap(axes[0], axes[2]);
      axes[1] = -axes[1];
      break;
    case 4:
      std::swap(axes[1], axes[2]);
      axes[0] = -axes[0];
      break;
    default:
      break;
  }
}

void read_vectors(const Material& material, AxesRule& rule) {
  const auto vector = [&](const char* x, const char* y, const char* z) {
    return Vec3{material.field(x), material.field(y), material.field(z)};
  };
  rule.point = vector("XP", "YP", "ZP");
  rule.a = vector("A1", "A2", "A3");
  rule.v = vector("V1", "V2", "V3");
  rule.d = vector("D1", "D2", "D3");
}

int checked_change(const Material& material, double angle) {
  const int change = static_cast<int>(material.field("MACF", 1));
  if (change == 0) return 1;
  if (std::abs(change) > 4 || change == -1)
    refuse(material, "CR-M105", "MACF", fmt::format("MACF = {}; 1 to 4 and -4 to -2 are supported", change));
  if (change < 0 && angle != 0)
    refuse(
        material, "CR-M105", "MACF",
        fmt::format("MACF = {} with an angle: the sense in which it turns exchanged axes is not documented",
                    change));
  return change;
}

/// Vectors between the middles of opposite faces, and which of them goes through the thickness.
struct BrickLayer {
  std::array<Vec3, 3> between;
  std::size_t through = 2;

  const Vec3& along(std::size_t k) const { return between[(through + k) % 3]; }
  Vec3 normal() const {
    const Vec3 n = cross(along(1), along(2));
    return (1 / norm(n)) * n;
  }
};

BrickLayer brick_layer_of(const AxesRule& rule, std::span<const Vec3, 8> x) {
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = a + 1; b < 8; ++b)
      if (x[a] == x[b])
        throw Error("CR-E204", "a layer with a thickness direction (THKDIR) must have eight corners");
  constexpr std::size_t face[3][8] = {
      {0, 3, 4, 7, 1, 2, 5, 6}, {0, 1, 4, 5, 3, 2, 7, 6}, {0, 1, 2, 3, 4, 5, 6, 7}};
  BrickLayer layer;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t a = 0; a < 4; ++a) layer.between[k] += 0.25 * (x[face[k][a + 4]] - x[face[k][a]]);
  if (rule.option == kThroughSmallest)
    for (std::size_t k = 0; k < 3; ++k)
      if (norm(layer.between[k]) < norm(layer.between[layer.through])) layer.through = k;
  return layer;
}

/// The normal of a quadrilateral, not of unit length.
Vec3 normal_of(const Vec3& x1, const Vec3& x2, const Vec3& x3, const Vec3& x4) {
  return cross(x3 - x1, x4 - x2);
}

}  // namespace

double angle_of_axes(const Material& material) {
  const char* const angle = material.fields.contains("MANGLE")   ? "MANGLE"
                            : material.fields.contains("OFFANG") ? "OFFANG"
                                                                 : "BETA";
  return material.field(angle) * kRadians;
}

AxesRule axes_rule(const Model& model, const Material& material) {
  AxesRule rule;
  if (material.fields.contains("THKDIR")) {
    rule.option = material.field("THKDIR") == 1 ? kThroughGiven : kThroughSmallest;
    return rule;
  }
  const double option = material.field("AOPT");
  read_vectors(material, rule);
  rule.angle = angle_of_axes(material);
  if (option < 0) {
    const auto id = static_cast<GlobalId>(std::llround(-option));
    const auto found = std::ranges::find(model.systems, id, &CoordinateSystem::id);
    if (found == model.systems.end())
      refuse(material, "CR-M106", "AOPT", fmt::format("there is no coordinate system {}", id));
    rule.option = -1;
    rule.system = found->axis;
  } else if (option > 4 || option != std::floor(option)) {
    refuse(material, "CR-M105", "AOPT", fmt::format("AOPT = {} is not supported; up to 4 are", option));
  } else {
    rule.option = static_cast<int>(option);
  }
  rule.change = checked_change(material, rule.option == 3 ? rule.angle : 0.0);
  const auto given = [&](int of, const Vec3& vector, const char* field) {
    if (rule.option == of && norm(vector) == 0)
      refuse(material, "CR-M108", field,
             fmt::format("the material has no axes: with AOPT = {} the vector "
                         "that begins with {} must not be zero",
                         of, field));
  };
  given(2, rule.a, "A1");
  given(3, rule.v, "V1");
  given(4, rule.v, "V1");
  return rule;
}

Vec3 axis_in_shell(const AxesRule& rule, std::span<const Vec3, 4> corners, const OwnAxes& own) {
  const auto& x = corners;
  const bool triangle = x[2] == x[3];
  const Vec3 normal = triangle ? cross(x[1] - x[0], x[2] - x[0]) : normal_of(x[0], x[1], x[2], x[3]);
  const Vec3 n = (1 / norm(normal)) * normal;
  Vec3 along = x[1] - x[0];
  if (own.system)
    along = (*own.system)[0];
  else if (rule.option == 1 || rule.option == 4)
    throw Error("CR-M105", fmt::format("AOPT = {} of its material is for solids only", rule.option));
  else if (rule.option == 2)
    along = rule.a;
  else if (rule.option == 3)
    along = rule.v;
  else if (rule.option < 0)
    along = rule.system[0];
  const bool across = rule.option == 3 && !own.system;
  const Vec3 a = across ? cross(along, n) : along - dot(along, n) * n;
  if (!(norm(a) > 1e-6 * norm(along)))
    throw Error("CR-E105", "the vector of its material's axes is normal to a shell");
  const bool own_angle = !std::isnan(own.angle);
  const bool turned = (rule.option == 0 || rule.option == 3) && !own.system;
  const double angle = own_angle ? own.angle : turned ? rule.angle : 0.0;
  Axes axes{(1 / norm(a)) * a, {}, n};
  axes[1] = cross(n, axes[0]);
  turn(angle, axes);
  return axes[0];
}

namespace {

Axes base_axes(const AxesRule& rule, std::span<const Vec3, 8> x) {
  Vec3 middle;
  for (const Vec3& corner : x) middle += 0.125 * corner;
  switch (rule.option) {
    case kThroughSmallest:
    case kThroughGiven: {
      const BrickLayer layer = brick_layer_of(rule, x);
      return frame(layer.along(1), layer.along(2));
    }
    case 0:
      return frame(x[1] - x[0], x[3] - x[0]);
    case 1:
      return frame(middle - rule.point, {0, 0, 1});
    case 2:
      return frame(rule.a, rule.d);
    case 3: {
      const auto between = [&](std::size_t k) { return 0.5 * (x[k] + x[k + 4]); };
      const Vec3 n = normal_of(between(0), between(1), between(2), between(3));
      const Vec3 a = cross(rule.v, n);
      return frame(a, cross(n, a));
    }
    case 4: {
      const Vec3 axis = (1 / norm(rule.v)) * rule.v, from = middle - rule.point;
      return frame(from - dot(from, axis) * axis, axis);
    }
    default:
      return rule.system;
  }
}

}  // namespace

double thickness_of_layer(const AxesRule& rule, std::span<const Vec3, 8> corners) {
  const BrickLayer layer = brick_layer_of(rule, corners);
  return std::abs(dot(layer.along(0), layer.normal()));
}

Axes axes_in_solid(const AxesRule& rule, std::span<const Vec3, 8> corners, const OwnAxes& own) {
  const bool own_vectors = norm(own.d) > 0 && rule.option < kThroughSmallest;
  Axes axes = own_vectors ? frame(own.a, own.d) : base_axes(rule, corners);
  const bool own_angle = !std::isnan(own.angle);
  if (own_angle && own.angle != 0 && rule.change < 0)
    throw Error("CR-M105", "MACF < 0 of its material with an angle of its own is not supported");
  turn(own_angle ? own.angle : rule.option == 3 && !own_vectors ? rule.angle : 0.0, axes);
  exchange(rule.change, axes);
  return axes;
}

Vec3 shell_axis(const AxesRule& rule, const Model& model, LocalId shell) {
  const Shells& shells = model.shells;
  std::array<Vec3, 4> x;
  for (std::size_t k = 0; k < 4; ++k) x[k] = model.nodes.x[at(shells.nodes[at(shell)][k])];
  OwnAxes own;
  if (!shells.angle.empty()) own.angle = shells.angle[at(shell)];
  if (!shells.system.empty() && shells.system[at(shell)] != kNone)
    own.system = &model.systems[at(shells.system[at(shell)])].axis;
  return axis_in_shell(rule, x, own);
}

namespace {

std::array<Vec3, 8> corners_of(const Model& model, LocalId solid) {
  std::array<Vec3, 8> x;
  for (std::size_t k = 0; k < 8; ++k) x[k] = model.nodes.x[at(model.solids.nodes[at(solid)][k])];
  return x;
}

}  // namespace

double thickness_of_layer(const AxesRule& rule, const Model& model, LocalId solid) {
  return thickness_of_layer(rule, corners_of(model, solid));
}

Axes solid_axes(const AxesRule& rule, const Model& model, LocalId solid) {
  const Solids& solids = model.solids;
  const std::array<Vec3, 8> x = corners_of(model, solid);
  OwnAxes own;
  if (!solids.angle.empty()) {
    own.angle = solids.angle[at(solid)];
    own.a = solids.axis_a[at(solid)];
    own.d = solids.axis_d[at(solid)];
  }
  return axes_in_solid(rule, x, own);
}

}  // namespace crumple::model
