// MAT_163 (*MAT_MODIFIED_CRUSHABLE_FOAM): MAT_063 with a table of its yield stress over the rate of
// volumetric strain.
//
// As in MAT_063 the principal values of a trial stress without lateral coupling, s + E d, are limited to the
// yield stress at 1 - V / V0 in compression and to TSC in tension (LS-DYNA Keyword Manual and Theory Manual,
// materials 63 and 163). The yield stress is between those of the two curves about the rate r, that of the
// first or last curve beyond the table's rates. r is the rate of compression -V' / V, with SRFLAG = 1 -V' /
// V0, as a mean over the time of the last NCYCLE cycles; with SRCLMT > 0 it does not change by more than
// SRCLMT times the step in a cycle.
//
// Our readings: the modulus is the field E, as in the theory manual; that it acts in contact only, as the
// keyword manual says of MAT_063, it does not say here. A foam that expands has the first curve.
//
// History: r of the step before; strain, strains and times of the last NCYCLE - 1 steps.
#pragma once

#include "materials/foam/crush.hpp"
#include "materials/foam/foam_curves.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

struct ModifiedCrushableFoamLaw {
  static constexpr int kRate = 0, kStrain = 1, kSteps = 2, kMostCycles = 32;

  FoamCurves curves;
  double modulus = 0, tension = 0;
  double rate_change = 0;  ///< SRCLMT, 0: none
  int cycles = 1;          ///< NCYCLE
  bool engineering = false;
};

inline namespace CRUMPLE_ISA {

/// The rate of the table; `strain` is that of compression, whose rate it is.
template <class V>
V modified_rate(const ModifiedCrushableFoamLaw& p, const SolidPoint<V>& point, V strain) {
  using Law = ModifiedCrushableFoamLaw;
  const V zero(0);
  V change = strain - point.history.template load<V>(Law::kStrain), time = point.dt;
  point.history.store(Law::kStrain, strain);
  V next_change = change, next_time = time;
  for (int k = 0; k < p.cycles - 1; ++k) {
    const int at = Law::kSteps + 2 * k;
    const V older_change = point.history.template load<V>(at);
    const V older_time = point.history.template load<V>(at + 1);
    change += older_change;
    time += older_time;
    point.history.store(at, next_change);
    point.history.store(at + 1, next_time);
    next_change = older_change, next_time = older_time;
  }
  V rate = simd::select(time > zero, change / simd::select(time > zero, time, V(1)), zero);
  if (p.rate_change > 0) {
    const V before = point.history.template load<V>(Law::kRate), most = V(p.rate_change) * point.dt;
    rate = simd::min(simd::max(rate, before - most), before + most);
  }
  point.history.store(Law::kRate, rate);
  return rate;
}

template <class V>
void update_solid(const ModifiedCrushableFoamLaw& p, SolidPoint<V>& point) {
  const V volume = simd::select(point.volume_ratio > V(0), point.volume_ratio, V(1));
  const V squeezed = V(1) - volume;
  const V rate = modified_rate(p, point, p.engineering ? squeezed : -simd::log(volume));
  const RatePosition<V> between = find_rate(p.curves.curves, rate);
  const V yield = foam_stress(p.curves, simd::max(squeezed, V(0)), between).stress;
  crush(point, p.modulus, p.tension, yield);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <cmath>

#include "materials/foam/foam_fields.hpp"

namespace crumple::materials {

/// Throws CR-M103 unless E is positive, CR-M105 for more than 32 cycles, CR-M106 and CR-M107 for the table.
inline Prepared prepare_modified_crushable_foam(const model::Model& model, const model::Material& material) {
  using Law = ModifiedCrushableFoamLaw;
  const auto owned = std::make_shared<OwnedFoam<Law>>();
  Law& law = owned->law;
  owned->curves = read_yield_table(model, material, "TID");
  law.curves = owned->curves->view();
  law.modulus = positive_field(material, "E");
  law.tension = not_negative_field(material, "TSC");
  law.rate_change = not_negative_field(material, "SRCLMT");
  if (law.rate_change >= 1e20) law.rate_change = 0;
  law.engineering = material.field("SRFLAG") == 1;
  const double cycles = std::round(not_negative_field(material, "NCYCLE"));
  if (cycles > Law::kMostCycles)
    refuse(material, "CR-M105", "NCYCLE",
           fmt::format("a mean over more than {} cycles is not supported", Law::kMostCycles));
  law.cycles = cycles < 1 ? 1 : static_cast<int>(cycles);
  checked_poisson(material, material.field("PR"));
  Prepared prepared;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(law.modulus, 0);
  prepared.damping = foam_damping(material, "DAMP");
  prepared.n_history = Law::kSteps + 2 * (law.cycles - 1);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(ModifiedCrushableFoamLaw, {.number = 163,
                                       .keyword = "MAT_MODIFIED_CRUSHABLE_FOAM",
                                       .supports = {.solid = true},
                                       .cost = 4,
                                       .prepare = prepare_modified_crushable_foam})
