// MAT_009 (*MAT_NULL): mass and contact stiffness, no stress.
//
// YM and PR set the contact stiffness. The pressure of solids would come from an equation of state; without
// one it is zero.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {

struct NullLaw {};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const NullLaw&, SolidPoint<V>& point) {
  for (V& s : point.s) s = V(0);
  point.failed = never(point.plastic_strain);
}

template <class V>
void update_shell(const NullLaw&, ShellPoint<V>& point) {
  for (V& s : point.s) s = V(0);
  point.d[2] = V(0);
  point.failed = never(point.plastic_strain);
}

template <class V>
void update_beam(const NullLaw&, BeamPoint<V>& point) {
  for (V& s : point.s) s = V(0);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_null(const model::Model&, const model::Material& material) {
  const double young = material.field("YM"), poisson = material.field("PR");
  if (young < 0) refuse(material, "CR-M108", "YM", fmt::format("YM is {}, it must not be negative", young));
  Prepared prepared;
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(young, checked_poisson(material, poisson));
  prepared.parameters = std::make_shared<NullLaw>();
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(NullLaw, {.number = 9,
                      .keyword = "MAT_NULL",
                      .supports = {.solid = true, .shell = true, .beam = true},
                      .young_field = "YM",
                      .null = true,
                      .prepare = prepare_null})
