// MAT_014 (*MAT_SOIL_AND_FOAM_FAILURE): MAT_005 that, once its pressure has been at the cut-off PC, carries
// no tension any more (Hallquist 2006, LS-DYNA theory manual, material 14).
//
// Where the pressure of MAT_005 falls below PC for the first time, the point is torn: from that step on its
// stress is 0 while the pressure is negative. Pressed again it has pressure and shear as before (the manual:
// for soil and foam that something encloses; elements are not deleted).
//
// History: m of MAT_005, whether the point is torn.
#pragma once

#include "materials/foam/soil_point.hpp"

namespace crumple::materials {

struct SoilAndFoamFailureLaw {
  SoilAndFoamLaw soil;

  static constexpr int kTorn = 1;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const SoilAndFoamFailureLaw& p, SolidPoint<V>& point) {
  const V zero(0), volume = simd::select(point.volume_ratio > zero, point.volume_ratio, V(1));
  // The history of the largest strain is the same after the second time.
  const V pressure = soil_pressure(p.soil, point.history, -simd::log(volume));
  const V before = point.history.template load<V>(SoilAndFoamFailureLaw::kTorn);
  const V torn = simd::select(pressure < V(p.soil.cutoff), V(1), before);
  point.history.store(SoilAndFoamFailureLaw::kTorn, torn);
  update_solid(p.soil, point);
  const simd::mask_t<V> open = torn > zero && pressure < zero;
  for (V& of : point.s) of = simd::select(open, zero, of);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/foam/soil_and_foam_fields.hpp"
#endif

CRUMPLE_LAW(SoilAndFoamFailureLaw, {.number = 14,
                                    .keyword = "MAT_SOIL_AND_FOAM_FAILURE",
                                    .supports = {.solid = true},
                                    .cost = 3,
                                    .prepare = prepare_soil_and_foam_failure})
