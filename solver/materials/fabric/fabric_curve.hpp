// Stress-strain curves of fabrics: piecewise linear, straight beyond their ends.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {

/// y(x) = value + slope[0] (x - first) + sum over breakpoints of (slope[k + 1] - slope[k]) (x - at[k]) beyond
/// them. Plain pointers, for kernels.
struct FabricCurve {
  int n = 0;                      ///< inner breakpoints
  const double* at = nullptr;     ///< ascending
  const double* slope = nullptr;  ///< n + 1; null: no curve
  double first = 0, value = 0;    ///< a point on the first segment

  bool empty() const { return slope == nullptr; }
};

inline namespace CRUMPLE_ISA {

template <class V>
V value_of(const FabricCurve& c, V x) {
  V y = V(c.value) + V(c.slope[0]) * (x - V(c.first));
  for (int k = 0; k < c.n; ++k) y += V(c.slope[k + 1] - c.slope[k]) * simd::max(x - V(c.at[k]), V(0));
  return y;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
