// MAT_184 (*MAT_COHESIVE_ELASTIC): tractions in proportion to the separation, until they reach a limit.
//
// Along the surface t = ET delta, normal to it t = EN delta, in tension and compression (LS-DYNA Keyword
// User's Manual, *MAT_COHESIVE_ELASTIC). A point fails when its tension reaches FN_FAIL or its traction along
// the surface FT_FAIL; compression does not fail it. A failed point carries only compression, since the
// surfaces can still be pressed together. Damage: 1 where the point has failed. No history.
#pragma once

#include "materials/cohesive/cohesive_point.hpp"

namespace crumple::materials {

struct CohesiveElasticLaw {
  double tangential = 0, normal = 0;        ///< ET, EN: tractions per separation
  double most_tension = 0, most_shear = 0;  ///< FN_FAIL, FT_FAIL; infinite without
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_cohesive(const CohesiveElasticLaw& p, CohesivePoint<V>& point) {
  const V tangential = V(p.tangential), tension = V(p.normal) * point.d[2];
  const V shear2 = tangential * tangential * (point.d[0] * point.d[0] + point.d[1] * point.d[1]);
  const V most_shear = V(p.most_shear);
  point.failed = point.damage > V(0) || tension >= V(p.most_tension) || shear2 >= most_shear * most_shear;
  point.damage = simd::select(point.failed, V(1), V(0));
  for (int k = 0; k < 2; ++k) point.s[k] = simd::select(point.failed, V(0), tangential * point.d[k]);
  point.s[2] = simd::select(point.failed, simd::min(tension, V(0)), tension);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/cohesive/cohesive_fields.hpp"

namespace crumple::materials {

inline Prepared prepare_cohesive_elastic(const model::Model&, const model::Material& material) {
  CohesiveElasticLaw law;
  law.tangential = positive_field(material, "ET");
  law.normal = positive_field(material, "EN");
  law.most_tension = limit_field(material, "FN_FAIL");
  law.most_shear = limit_field(material, "FT_FAIL");
  Prepared prepared = prepare_cohesive(material, std::max(law.tangential, law.normal));
  prepared.parameters = std::make_shared<CohesiveElasticLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(CohesiveElasticLaw, {.number = 184,
                                 .keyword = "MAT_COHESIVE_ELASTIC",
                                 .supports = {.cohesive = true},
                                 .prepare = prepare_cohesive_elastic})
