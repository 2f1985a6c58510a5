// MAT_083 (*MAT_FU_CHANG_FOAM) by a table of curves over strain rate: foam that is pressed without spreading
// and resists more when it is pressed fast.
//
// As in MAT_057 the nominal stresses along the principal stretches l_i are those of one direction each and
// the Cauchy stress is t_i l_i / J (Chang, Song, Lu, DeSilva 1998, J. Eng. Mater. Technol. 120, p. 212, for
// the rate effect; Serifi, Hirth, Matthaei and Muellerschoen 2003, "Modelling of foams using MAT83", for the
// table). In compression t is that of the table at 1 - l and the strain rate, straight beyond the last points
// and the table's rates constant; in tension E (l - 1), or the part of the curves with negative strains
// (TFLAG = 1), up to TC as in MAT_057.
//
// The strain rate is that of the smallest stretch (RFLAG = 0) or of the volume (RFLAG = 2), of logarithmic
// strain (SFLAG = 0) or of l itself (SFLAG = 1), averaged: r += (r_now - r) / 12, or the mean of the last
// twelve (SRAF = 1). Loading has r > 0. Unloading, r < 0, is along the first curve without HU or with RIULD =
// 1, else along that of |r|, and below it by foam/unloading.hpp with the work of the first curve.
//
// The stable step has the modulus max(E, KCON), without KCON max(E, steepest slope of all curves), as in
// MAT_057.
//
// History: b - 1 (left_cauchy_green.hpp), W_max, whether the point is torn, strain whose rate is taken,
// averaged rate, the last eleven rates.
#pragma once

#include "materials/foam/foam_curves.hpp"
#include "materials/foam/nominal_stress.hpp"
#include "materials/foam/unloading.hpp"
#include "materials/principal_axes.hpp"
#include "materials/rubber/left_cauchy_green.hpp"
#include "materials/rubber/near_one.hpp"

namespace crumple::materials {

struct FuChangFoamLaw {
  static constexpr int kWork = 6, kTorn = 7, kStrain = 8, kRate = 9, kRates = 10, kAveraged = 12;
  FoamCurves curves;
  double young = 0, tension = 0;
  bool tears = false, curves_in_tension = false;
  bool volumetric = false, engineering = false, mean_of_last = false;
  bool rate_when_unloading = false;
  FoamUnloading unloading;
};

inline namespace CRUMPLE_ISA {

/// The averaged rate of compression; `now` is the compressive strain at the end of the step.
template <class V>
V averaged_rate(const FuChangFoamLaw& p, const SolidPoint<V>& point, V now) {
  constexpr double share = 1.0 / FuChangFoamLaw::kAveraged;
  const V before = point.history.template load<V>(p.kStrain);
  const V rate = (now - before) / simd::select(point.dt > V(0), point.dt, V(1));
  point.history.store(p.kStrain, now);
  V average;
  if (p.mean_of_last) {
    V next = rate;
    average = rate;
    for (int k = 0; k < FuChangFoamLaw::kAveraged - 1; ++k) {
      const V older = point.history.template load<V>(p.kRates + k);
      average += older;
      point.history.store(p.kRates + k, next);
      next = older;
    }
    average *= V(share);
  } else {
    const V last = point.history.template load<V>(p.kRate);
    average = last + V(share) * (rate - last);
  }
  point.history.store(p.kRate, average);
  return average;
}

template <class V>
void update_solid(const FuChangFoamLaw& p, SolidPoint<V>& point) {
  V g[6];
  const V volume = simd::sqrt(V(1) + stretch_solid(point, g));
  store_history(point.history, g);
  PrincipalAxes<V> axes;
  principal_axes(g, axes);

  const V least = simd::min(simd::min(axes.value[0], axes.value[1]), axes.value[2]);
  V squeezed = p.volumetric ? volume - V(1) : least / (V(1) + simd::sqrt(V(1) + least));
  if (!p.engineering) squeezed = log_near_one(squeezed);
  const V rate = averaged_rate(p, point, -squeezed);
  const V acting = p.rate_when_unloading ? simd::abs(rate) : simd::max(rate, V(0));
  RatePosition<V> position{V(0), V(0), V(0)};
  if (p.curves.curves.n_curves > 1) position = find_rate(p.curves.curves, acting);

  NominalStress<V> of;
  for (int i = 0; i < 3; ++i) {
    const V strain = stretch_direction(of, i, axes.value[i]);
    const V taken = p.curves_in_tension ? -strain : simd::max(-strain, V(0));
    const FoamStress<V> foam = foam_stress(p.curves, taken, position);
    const V elastic = p.curves_in_tension ? -foam.stress : V(p.young) * strain;
    const V modulus = p.curves_in_tension ? foam.slope : V(p.young);
    load_direction(of, i, foam, elastic, modulus, V(p.tension));
  }
  if (p.unloading.loss > 0) {
    const V most = point.history.template load<V>(p.kWork);
    point.history.store(p.kWork, simd::max(most, of.work));
    unload(of, unloading_factor(p.unloading, of.work, most));
  }
  if (p.tears) tear(of, point, p.kTorn, V(p.tension));
  make_cauchy(of, volume);
  tensor_of_axes(axes, of.stress, of.slope, point.s);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/foam/foam_fields.hpp"

namespace crumple::materials {

/// Throws what the fields of foam_fields.hpp throw, CR-M105 for constants instead of a table, RFLAG = 1, a
/// curve of pressure and a reference geometry, CR-M107 for TFLAG = 1 without negative strains.
inline Prepared prepare_fu_chang_foam(const model::Model& model, const model::Material& material) {
  check_reference_geometry(material);
  if (material.field("TBID") == 0)
    refuse(material, "CR-M105", "TBID", "the constants D0 to MAXR are not supported, only a table");
  if (material.field("PVID") != 0)
    refuse(material, "CR-M105", "PVID", "a curve of pressure over volumetric strain is not supported");
  if (material.field("RFLAG") == 1)
    refuse(material, "CR-M105", "RFLAG",
           "a strain rate for each principal direction is not supported; 0 and 2 are");
  const auto owned = std::make_shared<OwnedFoam<FuChangFoamLaw>>();
  FuChangFoamLaw& law = owned->law;
  owned->curves = read_foam_curves(model, material, "TBID", true);
  law.curves = owned->curves->view();
  law.young = positive_field(material, "E");
  law.tension = tension_cutoff(material);
  law.tears = material.field("FAIL") == 1;
  law.curves_in_tension = material.field("TFLAG") == 1;
  if (law.curves_in_tension && !(law.curves.curves.first < 0))
    refuse(material, "CR-M107", "TBID", "TFLAG = 1 needs curves with negative strains, of tension");
  law.volumetric = material.field("RFLAG") == 2;
  law.engineering = material.field("SFLAG") == 1;
  law.mean_of_last = material.field("SRAF") == 1;
  const double hu = material.field("HU");
  law.unloading = foam_unloading(material);
  law.rate_when_unloading = hu > 0 && material.field("RIULD") == 0;
  Prepared prepared;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  set_foam_properties(material, law.young, owned->curves->steepest(), 0, prepared);
  prepared.n_history = law.mean_of_last ? 21 : 10;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(FuChangFoamLaw, {.number = 83,
                             .keyword = "MAT_FU_CHANG_FOAM",
                             .supports = {.solid = true},
                             .cost = 6,
                             .prepare = prepare_fu_chang_foam})
