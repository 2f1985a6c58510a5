// *DEFINE_TRANSFORMATION and *INCLUDE_TRANSFORM: the transformation of an include and the shift of its ids.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace crumple::deck {

/// An affine map of points: x -> matrix x + shift.
struct Affine {
  std::array<Vec3, 3> rows{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  Vec3 shift;

  Vec3 operator()(const Vec3& x) const {
    return Vec3{dot(rows[0], x), dot(rows[1], x), dot(rows[2], x)} + shift;
  }
  bool turns() const;  ///< the matrix is not the identity
  double determinant() const { return dot(rows[0], cross(rows[1], rows[2])); }
  bool reflects() const { return determinant() < 0.0; }  ///< elements are inverted
};

Affine translation(const Vec3& by);
Affine scaling(const Vec3& factors);
/// Rotation by `degrees` about the line through `centre` along `axis` (right-handed).
Affine rotation(const Vec3& axis, const Vec3& centre, double degrees);
/// The map that applies first `inner`, then `outer`.
Affine compose(const Affine& outer, const Affine& inner);

/// The kind of an id, which selects the offset of *INCLUDE_TRANSFORM.
enum class IdKind : std::uint8_t { node, element, part, material, set, curve, define, other };
inline constexpr std::size_t kIdKinds = 8;
std::optional<IdKind> id_kind(std::string_view name);

/// The effect of *INCLUDE_TRANSFORM on a file.
struct Placement {
  std::array<std::int64_t, kIdKinds> offset{};
  Affine map;

  bool any() const;
  bool moves() const;                                        ///< the map is not the identity
  std::int64_t shifted(std::int64_t id, IdKind kind) const;  ///< 0 is not shifted, the sign is kept
};

/// The placement of a file that is included by a placed file.
Placement nested(const Placement& outer, const Placement& inner);

/// One row of *DEFINE_TRANSFORMATION: an option and its seven values.
struct TransformRow {
  std::string option;
  std::array<double, 7> a{};
};

/// Number of arguments A1 to A7 of an option; 7 if it is unknown.
std::size_t arguments_of(std::string_view option);

/// The map of the rows, applied from the first to the last. POINT rows define points; later rows move them
/// until a ROTATE refers to them. Throws Error CR-D016 for options that are not supported.
Affine evaluate_transformation(const std::vector<TransformRow>& rows);

}  // namespace crumple::deck
