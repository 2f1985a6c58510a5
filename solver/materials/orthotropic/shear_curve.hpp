// Plasticity of the shear in the plane of a lamina by a curve of its stress over its strain.
//
// Return in one dimension with isotropic and kinematic hardening (Simo and Hughes 1998, box 1.5). h(k) is the
// curve's stress tau over the plastic strain gamma - tau / G; BETA of its rise widens the elastic range, the
// rest moves it. With the sum k of plastic strain, a trial stress t and the back stress a,
//
//   |t - a| > h(0) + BETA (h(k) - h(0)):   h(k') + G k' = |t - a| + (1 - BETA) (h(k) - h(0)) + G k,
//
// whose left side over k' is the curve again, so that its inverse gives k' without iteration. On the way up
// the stress is that of the curve. With BETA < 1 the range begins with SIGY: h is SIGY where the curve is
// lower; with BETA = 1 it begins where the curve leaves the line G gamma (the manual: SIGY is only used where
// BETA < 1).
#pragma once

#include <memory>

#include "materials/plasticity/flow_curves.hpp"

namespace crumple::materials {

/// For kernels.
struct ShearCurve {
  FlowCurves stress;   ///< h over k
  FlowCurves inverse;  ///< k over h + G k
  double first = 0, isotropic = 1;
  bool yields = false;
};

/// Owner of its arrays.
struct ShearCurveStorage {
  std::unique_ptr<FlowCurveStorage> stress, inverse;
};

/// By LCSS, SIGY and BETA; without LCSS the shear is elastic. Throws CR-M105 for a table, CR-M106 where there
/// is no curve, CR-M107 for one that falls or rises faster than `modulus`, CR-M108 for BETA and SIGY.
ShearCurve read_shear_curve(const model::Model& model, const model::Material& material, double modulus,
                            ShearCurveStorage& storage);

inline namespace CRUMPLE_ISA {

/// The first curve of a set at x.
template <class V>
V shear_curve_at(const FlowCurves& c, V x) {
  const Stretch<V> at = find_stretch(c, x);
  return at.line.value + at.line.slope * (x - at.segment.begin);
}

/// The plastic part of a shear strain; `may`: where it may grow. History from `first` on: it, its sum, the
/// back stress.
template <class V>
V plastic_part(const ShearCurve& p, double modulus, const History<simd::scalar_t<V>>& history, int first,
               V strain, const simd::mask_t<V>& may) {
  if (!p.yields) return V(0);
  const V zero(0), shear(modulus), rest(1 - p.isotropic), begin(p.first);
  const V plastic = history.template load<V>(first), sum = history.template load<V>(first + 1);
  const V back = history.template load<V>(first + 2);
  const V over = shear * (strain - plastic) - back, size = simd::max(over, zero - over);
  const V before = shear_curve_at(p.stress, sum);
  const auto yields = may && size > begin + V(p.isotropic) * (before - begin);
  const V to = shear_curve_at(p.inverse, size + rest * (before - begin) + shear * sum);
  const V after = simd::select(yields, simd::max(to, sum), sum), more = after - sum;
  const V rise = rest * (shear_curve_at(p.stress, after) - before);
  const auto down = over < zero;
  const V now = plastic + simd::select(down, zero - more, more);
  history.store(first, now);
  history.store(first + 1, after);
  history.store(first + 2, back + simd::select(down, zero - rise, rise));
  return now;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
