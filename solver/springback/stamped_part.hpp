// *INCLUDE_STAMPED_PART: thickness, plastic strain, stress and strain of a stamped sheet for a part of the
// model.
//
// The sheet is a dynain file, whose mesh is another one. It is laid on the part by three of its nodes and
// three of the model. A shell of the part takes the values of the shell of the sheet that is nearest to its
// centre, the mean over the points of each of its layers, linear in between along the thickness and constant
// beyond the outermost; of a shell with the opposite normal from the other side.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "elements/kernel.hpp"
#include "springback/given_stress.hpp"

namespace crumple::springback {

/// A shell of the sheet, placed in the model.
struct StampedShell {
  GlobalId id = 0;
  std::array<Vec3, 4> x;  ///< a triangle has its third corner twice
  Vec3 normal;
  double thickness = 0;  ///< mean of its corners; 0: not given
  std::optional<GivenStress> stress;
  std::vector<double> strains;  ///< as of InitialStrain; empty: not given
};

/// Finds shells of the sheet by place.
class StampedSheet {
 public:
  explicit StampedSheet(std::vector<StampedShell> shells);
  /// The shell that is nearest to `x`, of two at the same distance the one with the lower number; null if
  /// none is within this distance.
  const StampedShell* nearest(const Vec3& x, double within) const;
  bool empty() const { return shells_.empty(); }

 private:
  std::array<std::int64_t, 3> cell(const Vec3& x) const;

  std::vector<StampedShell> shells_;
  std::vector<Vec3> centre_;
  double radius_ = 0, size_ = 1;  ///< largest of a shell about its centre; of a cell
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> in_cell_;  ///< by their centres
};

/// The distance from a point to a triangle.
double distance_to_triangle(const Vec3& x, const std::array<Vec3, 3>& corners);

/// One *INCLUDE_STAMPED_PART.
struct StampedPart {
  LocalId part = model::kNone;
  bool thickness = true, plastic_strain = true, strain = true, stress = true, history = true;
  double within = 0, thickness_scale = 1, percent = 0;
  int law = 0;  ///< which the part must have; 0: any
  StampedSheet sheet;
  std::string label;
  Place place;
};

/// Reads the files that the deck names, and reports what is wrong with them.
std::vector<StampedPart> read_stamped_parts(model::Builder& build);

/// The stress of a sheet's shell for an element with these layers.
/// @param flipped the element has the opposite normal
GivenStress stress_from(const StampedPart& of, const StampedShell& shell, bool flipped,
                        const elements::GroupParameters& group);
std::vector<double> strain_from(const StampedShell& shell, bool flipped);

}  // namespace crumple::springback
