// MAT_009 (*MAT_NULL): mass and contact stiffness, no stress.
//
// YM and PR give the contact its stiffness. Solids would take their pressure from an equation of state;
// without one it is zero.
#pragma once

#include "materials/elastic.hpp"

namespace crumple::materials {

struct NullLaw {};

Prepared prepare_null(const model::Model& model, const model::Material& material);

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
