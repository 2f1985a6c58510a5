// One integration point of a beam's cross-section: calls the law.
#pragma once

#include "elements/beam/layout.hpp"
#include "materials/update.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Stresses xx, xy, zx after the step.
template <class V>
struct SectionPoint {
  V stress[3];
  simd::mask_t<V> failed;
};

/// Update the point whose variables begin at `variables` (lane 0), stride kLanes; `d` is the strain
/// increment xx, xy, zx. A failed point has no stress.
template <class V>
void update_section_point(const GroupParameters& group, simd::scalar_t<V>* variables, const V (&d)[3], V dt,
                          SectionPoint<V>& result, bool truss = false) {
  using T = simd::scalar_t<V>;
  constexpr int component[3] = {0, 3, 5};
  materials::BeamPoint<V> point;
  for (int k = 0; k < 3; ++k) {
    point.d[k] = d[k];
    point.s[k] = simd::load<V>(variables + component[k] * kLanes);
  }
  point.plastic_strain = simd::load<V>(variables + 6 * kLanes);
  point.history = {variables + beam::kHistory * kLanes, kLanes};
  point.dt = dt;
  point.truss = truss;
  materials::update_beam(group.law, point);
  for (int k = 0; k < 3; ++k) {
    result.stress[k] = simd::select(point.failed, V(static_cast<T>(0)), point.s[k]);
    simd::store(variables + component[k] * kLanes, result.stress[k]);
  }
  simd::store(variables + 6 * kLanes, point.plastic_strain);
  result.failed = point.failed;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
