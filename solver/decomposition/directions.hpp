// The user's directions for the decomposition: in the pfile's decomp { ... } and on cards of the deck
// (deck_cards.hpp).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"

namespace crumple::decomposition {

enum class Method { rcb, metis };

/// A transformation of the coordinates in which elements are divided. Several are applied one after another,
/// each to the result of the one before.
struct Transformation {
  enum class Kind {
    scale,        ///< v: factors of x, y, z
    matrix,       ///< v: rows of the matrix
    cylindrical,  ///< v: origin, axis, direction of angle 0; x, y, z become radius, angle (radians), height
    spherical     ///< the same; x, y, z become radius, angle around the axis, angle from it
  };
  Kind kind = Kind::scale;
  std::array<double, 9> v{};

  static Transformation scale(int axis, double factor);
  static Transformation rotation(int axis, double degrees);
  /// Transformation to axes along three vectors; their lengths are the units.
  static Transformation to_vectors(const std::array<double, 9>& vectors);
  Vec3 operator()(const Vec3& x) const;
};

/// Elements that are distributed separately. An element belongs to the first region that contains it.
struct Region {
  std::vector<GlobalId> parts, part_sets;
  std::vector<GlobalId> contacts;                 ///< elements of these contacts' surfaces
  std::optional<std::array<double, 6>> box;       ///< xmin xmax ymin ymax zmin zmax
  std::optional<std::array<double, 4>> sphere;    ///< centre, radius
  std::optional<std::array<double, 7>> cylinder;  ///< point of the axis, axis, radius; of infinite length
  std::vector<Transformation> transformations;
  int ranks = 0;  ///< NPROC: number of ranks that get them, those with the least work; 0: all
  Place place;    ///< place in the input

  bool selects() const {
    return !parts.empty() || !part_sets.empty() || !contacts.empty() || box || sphere || cylinder;
  }
};

struct Directions {
  std::vector<Transformation> transformations;  ///< for elements outside all regions
  std::vector<Region> regions;
  std::optional<Method> method;
  int ranks = 0;  ///< NUMPROC; 0: number of ranks of the run
  bool show = false;
  std::vector<std::string> ignored;  ///< words of the pfile without effect in this program, "file:line word"
};

/// Reads a pfile. Sections other than decomp, and words without effect in this program, are listed as
/// ignored. @throws Error CR-P020 with file and line for invalid text, CR-P021 if it cannot be read
Directions read_pfile(const std::string& path);

/// The same from text, for tests; `name` is used as the file name.
Directions parse_pfile(const std::string& text, const std::string& name);

}  // namespace crumple::decomposition
