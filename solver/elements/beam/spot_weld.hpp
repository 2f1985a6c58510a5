// Spot weld beam (ELFORM 9): a Hughes-Liu beam that fails by its resultants.
//
// The weld is a short beam between two sheets (Hallquist 2006, LS-DYNA Theory Manual, material 100). Its
// stresses, step and forces are those of the Hughes-Liu beam with one point along the axis (hughes_liu.hpp),
// so that a length far below the diameter neither locks it nor asks for a step below length / wave speed.
// Limits are compared with the resultants at the middle of the beam, in its own axes.
#pragma once

#include "elements/beam/hughes_liu.hpp"
#include "materials/special/spot_weld.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// The weld fails with its last point, at the limit of its resultants, or at its time.
struct SpotWeldFails {
  static constexpr int extra = beam::kSpotWeldVariables;
  const materials::SpotWeldLaw& law;
  int first;    ///< its first variable
  double time;  ///< t_n

  template <class V>
  simd::mask_t<V> operator()(BeamLanes<V>& lanes, const SectionForces<V>& now,
                             const V (&resultants)[6]) const {
    using T = simd::scalar_t<V>;
    const auto constant = [](double c) { return V(static_cast<T>(c)); };
    V reached = constant(0);
    for (int k = 0; k < 6; ++k) {
      const V used =
          constant(law.inverse_limit[k]) * (k == 0 ? simd::max(resultants[k], constant(0)) : resultants[k]);
      reached += used * used;
    }
    const V limit = constant(law.fail_time > 0 && time >= law.fail_time ? 0 : 1);
    const auto fails = now.failed || reached >= limit;
    lanes.store(first, simd::select(lanes.living, reached, lanes.load(first)));
    lanes.store(first + 1, simd::select(lanes.living && fails, constant(time), lanes.load(first + 1)));
    return fails;
  }
};

template <class V>
void spot_weld_kernel(const KernelArguments<simd::scalar_t<V>>& args) {
  const beam::CrossSection section = beam::cross_section(*args.group->section);  // once for all blocks
  const SpotWeldFails fails{materials::spot_weld_law(args.group->law), beam::extra_offset(*args.group),
                            args.time};
  for (int b = args.begin; b < args.end; ++b)
    for (int lane = 0; lane < kLanes; lane += simd::width_v<V>)
      hughes_liu_lanes<V>(args, section, b, lane, fails);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
