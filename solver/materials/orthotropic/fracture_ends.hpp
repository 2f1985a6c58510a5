// The fields of laminated fracture that say which damage ends a point (DAF, DKF, ...), and EFS: MAT_261 and
// 262.
#pragma once

#include <fmt/format.h>

#include <span>

#include "materials/prepare.hpp"

namespace crumple::materials {

/// @param fails by flag: 0 in the deck ends a point
/// Throws CR-M105 for flags other than 0 and 1, and for EFS < 0.
inline void read_fracture_ends(const model::Material& material, std::span<const char* const> flags,
                               std::span<bool> fails, double& end_strain) {
  for (std::size_t k = 0; k < flags.size(); ++k) {
    const double flag = material.field(flags[k]);
    if (flag != 0 && flag != 1)
      refuse(material, "CR-M105", flags[k], fmt::format("{} must be 0 or 1", flags[k]));
    fails[k] = flag == 0;
  }
  end_strain = material.field("EFS");
  if (end_strain < 0)
    refuse(material, "CR-M105", "EFS",
           "EFS < 0, a limit of the effective strain of the full tensor, is not supported");
}

}  // namespace crumple::materials
