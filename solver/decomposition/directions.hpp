// What the user says about the decomposition: in the pfile's decomp { ... } and on cards of the deck
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

/// A change of the coordinates that elements are cut in. Several act one after another: each on what the
/// ones before it made.
struct Transformation {
  enum class Kind {
    scale,        ///< v: factors of x, y, z
    matrix,       ///< v: rows of the matrix that multiplies
    cylindrical,  ///< v: origin, axis, direction of angle 0; x, y, z become radius, angle (radians), height
    spherical     ///< the same; x, y, z become radius, angle around the axis, angle from it
  };
  Kind kind = Kind::scale;
  std::array<double, 9> v{};

  static Transformation scale(int axis, double factor);
  static Transformation rotation(int axis, double degrees);
  /// To axes along three vectors, of lengths that count as one.
  static Transformation to_vectors(const std::array<double, 9>& vectors);
  Vec3 operator()(const Vec3& x) const;
};

/// Elements that are shared out by themselves. An element belongs to the first region that it fits in.
struct Region {
  std::vector<GlobalId> parts, part_sets;
  std::vector<GlobalId> contacts;                 ///< elements of these contacts' surfaces
  std::optional<std::array<double, 6>> box;       ///< xmin xmax ymin ymax zmin zmax
  std::optional<std::array<double, 4>> sphere;    ///< centre, radius
  std::optional<std::array<double, 7>> cylinder;  ///< point of the axis, axis, radius; endless
  std::vector<Transformation> transformations;
  int ranks = 0;  ///< NPROC: how many ranks get them, the ones with least to do; 0: all
  Place place;    ///< of what asks for it

  bool selects() const {
    return !parts.empty() || !part_sets.empty() || !contacts.empty() || box || sphere || cylinder;
  }
};

struct Directions {
  std::vector<Transformation> transformations;  ///< of what is in no region
  std::vector<Region> regions;
  std::optional<Method> method;
  int ranks = 0;  ///< NUMPROC; 0: as many as run
  bool show = false;
  std::vector<std::string> ignored;  ///< words of the pfile that do nothing here, "file:line word"
};

/// Reads a pfile. Other sections than decomp, and words that do nothing here, are listed as ignored.
/// @throws Error CR-P020 with file and line for what is no pfile, CR-P021 when it cannot be read
Directions read_pfile(const std::string& path);

/// The same from text, for tests; `name` stands for the file.
Directions parse_pfile(const std::string& text, const std::string& name);

}  // namespace crumple::decomposition
