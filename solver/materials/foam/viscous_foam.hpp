// MAT_062 (*MAT_VISCOUS_FOAM): a nonlinear spring beside a nonlinear damper, which has a spring in series
// (Hallquist 2006, LS-DYNA Theory Manual, material 62: the foam on the ribs of the EuroSID dummy).
//
// With the relative volume V and Hooke's law C' of the modulus 1 and the Poisson's ratio PR,
//
//   ds = C' : (E1 V^-N1 de + dh),  h' = E2 e' - E2 h / (V2 |1 - V|^N2).
//
// The spring has the volume of the middle of the step, so that it gives back what it took. h is a Maxwell
// element (viscoelastic/maxwell.hpp), whose viscosity is that of the step's end, and turns with the material.
// Without a change of volume it has no viscosity and no stress.
//
// The stable step has the modulus E1 + E2 of no compression; E1 V^-N1 stiffens.
//
// History: h, 6 values.
#pragma once

#include "materials/hooke.hpp"
#include "materials/viscoelastic/maxwell.hpp"

namespace crumple::materials {

struct ViscousFoamLaw {
  double young = 0, stiffening = 0;             ///< E1, N1
  double series = 0, viscosity = 0, power = 0;  ///< E2, V2, N2
  double lame = 0, shear = 0;                   ///< of the modulus 1
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const ViscousFoamLaw& p, SolidPoint<V>& point) {
  const V volume = simd::select(point.volume_ratio > V(0), point.volume_ratio, V(1));
  const V middle = volume * (V(1) - V(0.5) * (point.d[0] + point.d[1] + point.d[2]));
  const V young = V(p.young) * simd::exp(V(-p.stiffening) * simd::log(middle));
  const V squeezed = simd::abs(V(1) - volume), small = V(1e-12);
  const V viscosity = V(p.viscosity) * simd::exp(V(p.power) * simd::log(simd::max(squeezed, small)));
  // exp(-x) and (1 - exp(-x)) / x at x = E2 dt / viscosity.
  const simd::mask_t<V> moves = squeezed > small;
  const V x = simd::min(V(p.series) * point.dt / simd::select(moves, viscosity, V(1)), V(600));
  const Decay<V> decay = decay_in(x, 1.0);
  V old[6], act[6];
  for (int k = 0; k < 6; ++k) old[k] = point.history.template load<V>(k);
  if (point.rotation) rotate(point.rotation, old);
  for (int k = 0; k < 6; ++k) {
    const V d = k < 3 ? point.d[k] : V(0.5) * point.d[k];
    const V h = simd::select(moves, decay.left * old[k] + decay.share * V(p.series) * d, V(0));
    point.history.store(k, h);
    act[k] = young * d + h - old[k];
  }
  const V trace = V(p.lame) * (act[0] + act[1] + act[2]);
  for (int k = 0; k < 6; ++k) point.s[k] += (k < 3 ? trace : V(0)) + V(2 * p.shear) * act[k];
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 unless E1 is positive, CR-M108 for negative numbers and for a PR that is none.
inline Prepared prepare_viscous_foam(const model::Model&, const model::Material& material) {
  ViscousFoamLaw law;
  law.young = positive_field(material, "E1");
  law.stiffening = not_negative_field(material, "N1");
  law.series = not_negative_field(material, "E2");
  law.viscosity = not_negative_field(material, "V2");
  law.power = not_negative_field(material, "N2");
  if (law.series == 0 || law.viscosity == 0)
    law.series = 0, law.viscosity = 1;  // no damper, or nothing pulls it
  const double poisson = material.field("PR");
  if (!(poisson >= 0 && poisson < 0.5))
    refuse(material, "CR-M108", "PR", fmt::format("PR is {}, it must lie between 0 and 0.5", poisson));
  const ElasticLaw one = elastic_law(1.0, poisson);
  law.lame = one.lame;
  law.shear = one.shear;
  Prepared prepared = prepared_with(law);
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(law.young + law.series, poisson);
  prepared.n_history = 6;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(ViscousFoamLaw, {.number = 62,
                             .keyword = "MAT_VISCOUS_FOAM",
                             .supports = {.solid = true},
                             .cost = 3,
                             .prepare = prepare_viscous_foam})
