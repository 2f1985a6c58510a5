// Spot weld beam (ELFORM 9): a Hughes-Liu beam that fails by its resultants.
//
// The weld is a short beam between two sheets (Hallquist 2006, LS-DYNA Theory Manual, material 100). Its
// stresses, step and forces are those of the Hughes-Liu beam with one point along the axis (hughes_liu.hpp),
// so that with a length far below the diameter it does not lock, and its step is not below length / wave
// speed. Limits are compared with the resultants at the middle of the beam, in its own axes.
#pragma once

#include "elements/beam/hughes_liu.hpp"
#include "materials/special/spot_weld.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// The weld fails with its last point, at the limit of its resultants, or at its failure time.
struct SpotWeldFails {
  static constexpr int extra = beam::kSpotWeldVariables;
  const materials::SpotWeldLaw& law;
  int first;  ///< its first variable

  template <class V>
  simd::mask_t<V> operator()(const Step<V>& of, const StateBefore<V>& before, const StateAfter<V>& after,
                             const SectionForces<V>& now, const V (&resultants)[6]) const {
    using T = simd::scalar_t<V>;
    const auto constant = [](double c) { return V(static_cast<T>(c)); };
    V reached = constant(0);
    for (int k = 0; k < 6; ++k) {
      const V used =
          constant(law.inverse_limit[k]) * (k == 0 ? simd::max(resultants[k], constant(0)) : resultants[k]);
      reached += used * used;
    }
    const V limit = constant(law.fail_time > 0 && of.time >= law.fail_time ? 0 : 1);
    const auto fails = now.failed || reached >= limit;
    after.store(first, simd::select(of.living, reached, before.load(first)));
    after.store(first + 1, simd::select(of.living && fails, constant(of.time), before.load(first + 1)));
    return fails;
  }
};

/// ELFORM 9.
struct SpotWeldForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters& group, Run run) {
    const materials::SpotWeldLaw& law = materials::spot_weld_law(group.law);
    run(HughesLiu<SpotWeldFails>{{}, beam::cross_section(*group.section), {law, beam::extra_offset(group)}});
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
