// MAT_123 (*MAT_MODIFIED_PIECEWISE_LINEAR_PLASTICITY): MAT_024 with three criteria of failure.
//
// Stress, hardening and strain rates are MAT_024's. A point fails at a plastic strain beyond FAIL, and in
// plane stress also at a plastic thinning beyond EPSTHIN or a major in-plane strain beyond EPSMAJ
// (LS-DYNA keyword manual, vol. II, MAT_123):
//
//   thinning = -sum(d_zz - d_zz^e),  d_zz^e = -nu / E (ds_x + ds_y)
//   major    = (e_x + e_y) / 2 + sqrt((e_x - e_y)^2 + g_xy^2) / 2,  e the summed strain in the lamina frame
//
// With the option RATE the thinning at failure is the curve LCTSRF over the rate of plastic strain. With RTCL
// (Rice, Tracey, Cockcroft and Latham; Tornqvist 2003, Design of Crashworthy Ship Structures, thesis,
// Technical University of Denmark) a point of a solid or a shell fails at the damage 1 of
//
//   dD = f(eta) dp / EPS0,   eta = mean stress / von Mises stress:
//   f = 0 below -1/3,  2 (1 + eta r) / (3 eta + r), r = root of 12 - 27 eta^2, up to 1/3,  exp(1.5 eta)
//   / 1.65 beyond; 0 above TRIAX, if that is given
//
// An element is deleted when NUMINT of its points have failed (0: all; negative: a percentage of them).
// State: plastic strain; with EPSTHIN or EPSMAJ also the summed strains e_x, e_y, g_xy and the plastic
// thickness strain; with LCTSRF or EPS0 also the damage, 1 where the point has failed. They do not change any
// more when the point has failed, so that it stays failed.
#pragma once

#include <memory>

#include "materials/plasticity/bounded_curve.hpp"
#include "materials/plasticity/j2_plasticity.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

/// Parameters of MAT_123.
struct ModifiedPiecewiseLaw {
  J2Law plasticity;
  bool by_strain = false;  ///< EPSTHIN or EPSMAJ is given: needs history
  double thinning = 1e21, major = 1e21;
  bool keeps_damage = false;      ///< LCTSRF or EPS0 is given: one more history variable
  FlowCurves thinning_at_rate;    ///< LCTSRF; no curve: `thinning`
  double uniaxial_strain = 0;     ///< EPS0; 0: no damage
  double most_triaxiality = 1e3;  ///< TRIAX
};

/// History variables where `by_strain`: e_x, e_y, g_xy, plastic thickness strain; then the damage.
inline constexpr int kSummedStrains = 4, kModifiedDamage = kSummedStrains;

inline namespace CRUMPLE_ISA {

/// dD / dp of RTCL, times EPS0.
template <class V>
V rtcl_share(const ModifiedPiecewiseLaw& law, const V (&s)[6]) {
  const V mean = V(1.0 / 3) * (s[0] + s[1] + s[2]);
  const V a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  const V square = V(0.5) * (a * a + b * b + c * c) + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  const V third(1.0 / 3), eta = simd::min(mean / simd::sqrt(simd::max(square, V(1e-30))), V(10));
  const V low = simd::max(simd::min(eta, third), -third), root = simd::sqrt(V(12) - V(27) * low * low);
  const V shear = V(2) * (V(1) + low * root) / (V(3) * low + root);
  const V share = simd::select(eta > third, V(1 / 1.65) * simd::exp(V(1.5) * eta), shear);
  return simd::select(eta > V(law.most_triaxiality), V(0), share);
}

/// Adds the damage of a step; `failed` are points that fail otherwise. Those with the damage 1 stay as they
/// are. Returns all that have failed.
template <class V, class Point>
simd::mask_t<V> add_rtcl(const ModifiedPiecewiseLaw& law, Point& point, V plastic_before,
                         simd::mask_t<V> failed) {
  const V damage = point.history.template load<V>(kModifiedDamage);
  V grown = damage;
  if (law.uniaxial_strain > 0) {
    const V flow = point.plastic_strain - plastic_before;
    grown += V(1 / law.uniaxial_strain) * rtcl_share(law, point.s) * flow;
  }
  const simd::mask_t<V> now = failed || grown >= V(1);
  const V kept = simd::select(now, simd::max(grown, V(1)), grown);
  point.history.store(kModifiedDamage, simd::select(damage >= V(1), damage, kept));
  return now || damage >= V(1);
}

/// Solids use FAIL and EPS0 only.
template <class V>
void update_solid(const ModifiedPiecewiseLaw& law, SolidPoint<V>& point) {
  if (!law.keeps_damage) return update_solid(law.plasticity, point);
  const V before = point.plastic_strain;
  const simd::mask_t<V> gone = point.history.template load<V>(kModifiedDamage) >= V(1);
  update_solid(law.plasticity, point);
  const simd::mask_t<V> failed = add_rtcl(law, point, before, never(before));
  point.plastic_strain = simd::select(gone, before, point.plastic_strain);
  for (V& s : point.s) s = simd::select(failed, V(0), s);
  point.failed = point.failed || failed;
}

/// Points whose strains are beyond a thinning or EPSMAJ.
template <class V>
simd::mask_t<V> beyond_limits(const ModifiedPiecewiseLaw& law, const V (&e)[kSummedStrains], V thinning) {
  const V difference = e[0] - e[1];
  const V radius = simd::sqrt(difference * difference + e[2] * e[2]);
  return -e[3] > thinning || V(0.5) * (e[0] + e[1] + radius) > V(law.major);
}

/// The thinning at failure in a step with this plastic flow.
template <class V>
V thinning_at(const ModifiedPiecewiseLaw& law, V flow, V dt) {
  if (law.thinning_at_rate.n_curves == 0) return V(law.thinning);
  const V rate = flow / simd::max(dt, V(1e-30));
  return bounded_curve(law.thinning_at_rate, rate).value;
}

template <class V>
void update_shell(const ModifiedPiecewiseLaw& law, ShellPoint<V>& point) {
  if (!law.by_strain) return update_shell(law.plasticity, point);
  const ElasticLaw& elastic = law.plasticity.elastic;
  V e[kSummedStrains];
  load_history(point.history, e);
  simd::mask_t<V> before = beyond_limits(law, e, V(law.thinning));
  if (law.keeps_damage) before = before || point.history.template load<V>(kModifiedDamage) >= V(1);
  const V plastic_before = point.plastic_strain, sum_before = point.s[0] + point.s[1];

  update_shell(law.plasticity, point);
  const V elastic_thinning = V(elastic.poisson / elastic.young) * (point.s[0] + point.s[1] - sum_before);
  const V increment[kSummedStrains] = {point.d[0], point.d[1], point.d[3], point.d[2] + elastic_thinning};
  for (int i = 0; i < kSummedStrains; ++i) e[i] = simd::select(before, e[i], e[i] + increment[i]);
  store_history(point.history, e);

  const V thinning = thinning_at(law, point.plastic_strain - plastic_before, point.dt);
  simd::mask_t<V> failed = beyond_limits(law, e, thinning);
  if (law.keeps_damage) failed = add_rtcl(law, point, plastic_before, failed);
  point.plastic_strain = simd::select(before, plastic_before, point.plastic_strain);
  for (V& s : point.s) s = simd::select(failed, V(0), s);
  point.d[2] = simd::select(failed, V(0), point.d[2]);
  point.failed = point.failed || failed;
}

/// Beams use FAIL only.
template <class V>
void update_beam(const ModifiedPiecewiseLaw& law, BeamPoint<V>& point) {
  update_beam(law.plasticity, point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/plasticity/j2_fields.hpp"
#include "materials/plasticity/piecewise_linear_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// The parameters together with MAT_024's, whose curves they use.
struct OwnedModifiedLaw {
  ModifiedPiecewiseLaw law;
  std::shared_ptr<const void> plasticity;
  std::unique_ptr<FlowCurveStorage> thinning;
};

/// Card 5 of the options RATE and RTCL.
inline void read_damage_card(const model::Model& model, const model::Material& material,
                             OwnedModifiedLaw& owned) {
  ModifiedPiecewiseLaw& law = owned.law;
  if (const auto id = static_cast<GlobalId>(material.field("LCTSRF")); id != 0) {
    const LocalId index = model.curve_index(id);
    if (index == model::kNone) refuse(material, "CR-M106", "LCTSRF", fmt::format("there is no curve {}", id));
    const model::Curve& curve =
        checked_curve(material, "LCTSRF", model.curves[static_cast<std::size_t>(index)]);
    const double rate = 0;
    owned.thinning = std::make_unique<FlowCurveStorage>(std::span(&curve, 1), std::span(&rate, 1));
    law.thinning_at_rate = owned.thinning->view();
    law.thinning = 1e21;
  }
  law.uniaxial_strain = not_negative_field(material, "EPS0");
  if (const double most = not_negative_field(material, "TRIAX"); most > 0) law.most_triaxiality = most;
  law.keeps_damage = law.thinning_at_rate.n_curves > 0 || law.uniaxial_strain > 0;
  law.by_strain |= law.keeps_damage;
}

/// A limit of strain; 0 means none.
inline void set_limit(const model::Material& material, const std::string& field, const std::string& negative,
                      ModifiedPiecewiseLaw& law, double& limit) {
  const double value = material.field(field);
  if (value < 0)
    refuse(material, "CR-M105", field, fmt::format("{} is {}: {} is not supported", field, value, negative));
  if (value == 0) return;
  limit = value;
  law.by_strain = true;
}

inline Prepared prepare_modified_piecewise_linear_plasticity(const model::Model& model,
                                                             const model::Material& material) {
  Prepared prepared = prepare_piecewise_linear(model, material);
  const auto owned = std::make_shared<OwnedModifiedLaw>();
  ModifiedPiecewiseLaw& law = owned->law;
  owned->plasticity = prepared.parameters;
  law.plasticity = *static_cast<const J2Law*>(prepared.parameters.get());
  set_limit(material, "EPSTHIN", "thinning of the whole element", law, law.thinning);
  set_limit(material, "EPSMAJ", "the filter of the major strain", law, law.major);
  read_damage_card(model, material, *owned);
  prepared.n_history = law.keeps_damage ? kModifiedDamage + 1 : law.by_strain ? kSummedStrains : 0;
  prepared.points_to_fail = material.field("NUMINT");
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(ModifiedPiecewiseLaw, {.number = 123,
                                   .keyword = "MAT_MODIFIED_PIECEWISE_LINEAR_PLASTICITY",
                                   .supports = {.solid = true, .shell = true, .beam = true},
                                   .elastic_fields = true,
                                   .prepare = prepare_modified_piecewise_linear_plasticity})
