// eigout: the table of modes of free vibration, with what rigid motion there is in each.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "output/results.hpp"

namespace crumple::output {

/// One mode. Rigid motions are unit translations along x, y, z and rotations about these axes through the
/// origin.
struct ModeRow {
  double eigenvalue = 0;                  ///< omega^2
  double scale = 1;                       ///< of the shape in d3eigv, against one of unit modal mass
  std::array<double, 6> participation{};  ///< shape' M r of each rigid motion r, for unit modal mass

  double radians() const;  ///< omega; negative for a negative eigenvalue
  double cycles() const;
  double period() const;  ///< 0 for a frequency of zero
};

/// Mode, eigenvalue, frequency, period: a heading and a line for each.
std::string mode_table(std::span<const ModeRow> modes);

/// The whole file: the table, scales of shapes, participation factors, effective masses.
/// @param rigid r' M r of each rigid motion: effective masses of all modes add up to these
std::string eigout_text(const Catalogue& catalogue, double time, std::span<const ModeRow> modes,
                        const std::array<double, 6>& rigid);

/// A mode of buckling: the factor of the loads, and that of the shape in d3eigv, against one of unit energy
/// of the stiffness without stress.
struct BucklingRow {
  double factor = 0, scale = 1;
};

/// Mode and eigenvalue: a heading and a line for each.
std::string buckling_table(std::span<const BucklingRow> modes);

/// The whole file of a buckling analysis.
std::string buckling_text(const Catalogue& catalogue, double time, std::span<const BucklingRow> modes);

}  // namespace crumple::output
