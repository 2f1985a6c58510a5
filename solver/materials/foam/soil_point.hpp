// Pressure and shear of soil and foam that pressure crushes: the point of MAT_005 and MAT_014
// (soil_and_foam.hpp has the equations).
#pragma once

#include "materials/foam/foam_curves.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

struct SoilAndFoamLaw {
  FoamCurves curve;
  double shear = 0, unloading = 0;  ///< G, KUN
  double strength[3] = {};          ///< A0, A1, A2
  double cutoff = 0;                ///< PC
  bool crushes = true;              ///< VCR = 0
};

inline namespace CRUMPLE_ISA {

/// Pressure at a volumetric strain, before the cut-off.
template <class V>
V soil_pressure(const SoilAndFoamLaw& p, const History<simd::scalar_t<V>>& history, V strain) {
  const V least = V(0);
  if (!p.crushes)
    return simd::select(strain > least, foam_stress(p.curve, simd::max(strain, least)).stress,
                        V(p.unloading) * strain);
  const V before = history.template load<V>(0), most = simd::max(before, strain);
  history.store(0, most);
  return foam_stress(p.curve, most).stress - V(p.unloading) * (most - strain);
}

template <class V>
void update_solid(const SoilAndFoamLaw& p, SolidPoint<V>& point) {
  const V volume = simd::select(point.volume_ratio > V(0), point.volume_ratio, V(1));
  V pressure = soil_pressure(p, point.history, -simd::log(volume));
  const simd::mask_t<V> torn = pressure < V(p.cutoff);
  pressure = simd::select(torn, V(p.cutoff), pressure);

  V(&s)[6] = point.s;
  const V mean = V(1.0 / 3.0) * (s[0] + s[1] + s[2]);
  const V stretch = V(1.0 / 3.0) * (point.d[0] + point.d[1] + point.d[2]);
  V square(0);
  for (int k = 0; k < 6; ++k) {
    s[k] = k < 3 ? s[k] - mean + V(2 * p.shear) * (point.d[k] - stretch) : s[k] + V(p.shear) * point.d[k];
    square += V(k < 3 ? 0.5 : 1.0) * s[k] * s[k];
  }
  const V strength =
      simd::max(V(p.strength[0]) + pressure * (V(p.strength[1]) + pressure * V(p.strength[2])), V(0));
  const simd::mask_t<V> yields = square > strength, strong = strength > V(0);
  // The root of 0 has no derivative, which the tangent by dual numbers would take.
  const V root = simd::sqrt(simd::select(strong, strength, V(1)) / simd::select(yields, square, V(1)));
  const V scale = simd::select(yields, simd::select(strong, root, V(0)), V(1));
  for (int k = 0; k < 6; ++k) s[k] = simd::select(torn, V(0), scale * s[k]) - (k < 3 ? pressure : V(0));
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
