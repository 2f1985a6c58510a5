// MAT_012 (*MAT_ISOTROPIC_ELASTIC_PLASTIC): bilinear J2 plasticity of low cost.
//
// Solids and beams: the engine's return, one step for linear hardening with the plastic modulus ETAN (Krieg
// and Key 1976). Shells as LS-DYNA treats them (keyword manual, vol. II, remarks on MAT_012): one step that
// scales the whole stress to the yield surface, dp = (q - k) / (3 G + ETAN), s = (k + ETAN dp) / q s_trial.
// This is not a normal return, so stress and thickness after yielding are inaccurate in plane stress. The
// plastic thickness strain keeps the plastic volume constant, with the plastic strain that belongs to the
// scaling. State: plastic strain.
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_012; `hardening` is ETAN.
struct LowCostLaw : J2Law {};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const LowCostLaw& law, SolidPoint<V>& point) {
  return_solid(static_cast<const J2Law&>(law), point);
}

template <class V>
void update_shell(const LowCostLaw& law, ShellPoint<V>& point) {
  const V(&d)[6] = point.d;
  V(&s)[6] = point.s;
  add_elastic_shell(law.elastic, d, s);
  s[2] = V(0);
  const V q =
      simd::sqrt(s[0] * s[0] - s[0] * s[1] + s[1] * s[1] + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
  const V k = V(law.yield) + V(law.hardening) * point.plastic_strain;
  const simd::mask_t<V> yields = q > k;
  const V dp = simd::select(yields, (q - k) * V(1 / (3 * law.elastic.shear + law.hardening)), V(0));
  const V factor = simd::select(yields, (k + V(law.hardening) * dp) / simd::select(yields, q, V(1)), V(1));
  const V compliance = V((1 - law.elastic.poisson) / law.elastic.young);
  const V plastic_thinning = compliance * (V(1) - factor) * (s[0] + s[1]);
  for (V& component : s) component *= factor;
  point.plastic_strain += dp;
  point.d[2] = V(-law.elastic.thinning) * (d[0] + d[1] - plastic_thinning) - plastic_thinning;
  point.failed = never(q);
}

template <class V>
void update_beam(const LowCostLaw& law, BeamPoint<V>& point) {
  return_beam(static_cast<const J2Law&>(law), point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_isotropic_elastic_plastic(const model::Model&, const model::Material& material) {
  const double shear = positive_field(material, "G"), bulk = positive_field(material, "BULK");
  Prepared prepared;
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(9 * bulk * shear / (3 * bulk + shear),
                                       (3 * bulk - 2 * shear) / (2 * (3 * bulk + shear)));
  auto law = std::make_shared<LowCostLaw>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law->yield = positive_field(material, "SIGY");
  law->hardening = material.field("ETAN");
  if (!(law->hardening >= 0))
    refuse(material, "CR-M108", "ETAN", fmt::format("ETAN is {}, it must not be negative", law->hardening));
  set_least_yield(*law);
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(LowCostLaw, {.number = 12,
                         .keyword = "MAT_ISOTROPIC_ELASTIC_PLASTIC",
                         .supports = {.solid = true, .shell = true, .beam = true},
                         .prepare = prepare_isotropic_elastic_plastic})
