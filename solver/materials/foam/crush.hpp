// The stress of foams that are crushed along principal axes, each by itself: MAT_063 and MAT_163.
#pragma once

#include "materials/principal_axes.hpp"

namespace crumple::materials {

inline namespace CRUMPLE_ISA {

/// Elastic without Poisson's effect (E), principal stresses between -yield and the cut-off of tension.
template <class V>
void crush(SolidPoint<V>& point, double modulus, double tension, V yield) {
  V trial[6];
  for (int k = 0; k < 6; ++k) trial[k] = point.s[k] + V(k < 3 ? modulus : 0.5 * modulus) * point.d[k];
  PrincipalAxes<V> axes;
  principal_axes(trial, axes);
  V stress[3], slope[3];
  for (int i = 0; i < 3; ++i) {
    const V low = -yield, high = V(tension);
    stress[i] = simd::min(simd::max(axes.value[i], low), high);
    slope[i] = simd::select(axes.value[i] > low && axes.value[i] < high, V(1), V(0));
  }
  tensor_of_axes(axes, stress, slope, point.s);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials
