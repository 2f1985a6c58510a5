// What *SECTION_BEAM says of discrete beams and cables (ELFORM 6).
#pragma once

#include <array>

#include "base/types.hpp"
#include "model/index.hpp"

namespace crumple::model {

/// The second card of the section, and its place in the list of sections.
struct DiscreteBeamSection {
  LocalId section = kNone;  ///< into Model::sections
  double volume = 0;        ///< VOL; 0 for cables: length times area
  double inertia = 0;       ///< INER, of the whole element; -1: of a solid sphere of the volume VOL
  bool has_axes = false;    ///< CID was given
  std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  ///< r, s, t at the start
  double cable_area = 0;                                                  ///< CA
  double offset = 0;           ///< OFFSET of cables: initial length minus length without force
  std::array<bool, 3> held{};  ///< RRCON, SRCON, TRCON: axes about which the frame does not turn
  int scoor = 0;               ///< SCOOR: what turns the frame
  bool along_line() const { return scoor == 2 || scoor == -2 || scoor == 12 || scoor == -12; }
  /// Whether shear forces have moments that balance them.
  bool balanced() const { return scoor < -1 || scoor > 1; }
};

}  // namespace crumple::model
