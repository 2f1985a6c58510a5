// MAT_001 (*MAT_ELASTIC): isotropic hypoelasticity, in three dimensions, plane stress and beam fibres.
//
// Hooke's law in rate form on the rotated stress, dS = 2 G dev(d) + K tr(d) 1 (e.g. Hallquist, LS-DYNA
// theory manual, 2006, section 22.1). Plane stress follows from dS_zz = 0: d_zz = -nu / (1 - nu)
// (d_xx + d_yy).
#pragma once

#include "materials/hooke.hpp"

namespace crumple::materials {

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const ElasticLaw& p, SolidPoint<V>& point) {
  add_elastic_solid(p, point.d, point.s);
  point.failed = never(point.plastic_strain);
}

template <class V>
void update_shell(const ElasticLaw& p, ShellPoint<V>& point) {
  add_elastic_shell(p, point.d, point.s);
  point.s[2] = V(0);
  point.d[2] = V(-p.thinning) * (point.d[0] + point.d[1]);
  point.failed = never(point.plastic_strain);
}

template <class V>
void update_beam(const ElasticLaw& p, BeamPoint<V>& point) {
  add_elastic_beam(p, point.d, point.s);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_elastic(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  for (const char* field : {"DA", "DB"})
    if (material.field(field) != 0)
      refuse(material, "CR-M105", field, "damping of Belytschko-Schwer beams is not supported");
  if (material.field("K") != 0) refuse(material, "CR-M105", "K", "the _FLUID option is not supported");
  prepared.parameters =
      std::make_shared<ElasticLaw>(elastic_law(prepared.elastic.young, prepared.elastic.poisson));
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(ElasticLaw, {.number = 1,
                         .keyword = "MAT_ELASTIC",
                         .supports = {.solid = true, .shell = true, .beam = true},
                         .elastic_fields = true,
                         .linear = true,
                         .prepare = prepare_elastic})
