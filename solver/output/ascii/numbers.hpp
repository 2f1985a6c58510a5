// Numbers as LS-DYNA prints them.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/types.hpp"

namespace crumple::output {

inline double printable(double value) { return std::abs(value) < 1e-99 ? 0.0 : value; }

/// Fortran's Ew.d as LS-DYNA prints it: one digit before the point.
inline std::string real(double value, int width, int digits) {
  return fmt::format("{:{}.{}E}", printable(value), width, digits);
}

inline std::string real3(const Vec3& v, int width, int digits) {
  return real(v.x, width, digits) + real(v.y, width, digits) + real(v.z, width, digits);
}

}  // namespace crumple::output
