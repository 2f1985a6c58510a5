// MAT_123 (*MAT_MODIFIED_PIECEWISE_LINEAR_PLASTICITY): MAT_024 with three criteria of failure.
//
// Stress, hardening and strain rates are MAT_024's. A point fails at a plastic strain beyond FAIL, and in
// plane stress also at a plastic thinning beyond EPSTHIN or a major in-plane strain beyond EPSMAJ
// (LS-DYNA keyword manual, vol. II, MAT_123):
//
//   thinning = -sum(d_zz - d_zz^e),  d_zz^e = -nu / E (ds_x + ds_y)
//   major    = (e_x + e_y) / 2 + sqrt((e_x - e_y)^2 + g_xy^2) / 2,  e the summed strain in the lamina frame
//
// An element is deleted when NUMINT of its points have failed (0: all; negative: a percentage of them).
// State: plastic strain; with EPSTHIN or EPSMAJ also the summed strains e_x, e_y, g_xy and the plastic
// thickness strain. They do not change any more when the point has failed, so that it stays failed.
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_123.
struct ModifiedPiecewiseLaw {
  J2Law plasticity;
  bool by_strain = false;  ///< EPSTHIN or EPSMAJ is given: needs history
  double thinning = 1e21, major = 1e21;
};

/// History variables where `by_strain`: e_x, e_y, g_xy, plastic thickness strain.
inline constexpr int kSummedStrains = 4;

inline namespace CRUMPLE_ISA {

/// Solids use FAIL only.
template <class V>
void update_solid(const ModifiedPiecewiseLaw& law, SolidPoint<V>& point) {
  update_solid(law.plasticity, point);
}

/// Points whose strains are beyond EPSTHIN or EPSMAJ.
template <class V>
simd::mask_t<V> beyond_limits(const ModifiedPiecewiseLaw& law, const V (&e)[kSummedStrains]) {
  const V difference = e[0] - e[1];
  const V radius = simd::sqrt(difference * difference + e[2] * e[2]);
  return -e[3] > V(law.thinning) || V(0.5) * (e[0] + e[1] + radius) > V(law.major);
}

template <class V>
void update_shell(const ModifiedPiecewiseLaw& law, ShellPoint<V>& point) {
  if (!law.by_strain) return update_shell(law.plasticity, point);
  const ElasticLaw& elastic = law.plasticity.elastic;
  V e[kSummedStrains];
  load_history(point.history, e);
  const simd::mask_t<V> before = beyond_limits(law, e);
  const V plastic_before = point.plastic_strain, sum_before = point.s[0] + point.s[1];

  update_shell(law.plasticity, point);
  const V elastic_thinning = V(elastic.poisson / elastic.young) * (point.s[0] + point.s[1] - sum_before);
  const V increment[kSummedStrains] = {point.d[0], point.d[1], point.d[3], point.d[2] + elastic_thinning};
  for (int i = 0; i < kSummedStrains; ++i) e[i] = simd::select(before, e[i], e[i] + increment[i]);
  store_history(point.history, e);

  const simd::mask_t<V> failed = beyond_limits(law, e);
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
#include "materials/plasticity/piecewise_linear_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// The parameters together with MAT_024's, whose curves they use.
struct OwnedModifiedLaw {
  ModifiedPiecewiseLaw law;
  std::shared_ptr<const void> plasticity;
};

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
  prepared.n_history = law.by_strain ? kSummedStrains : 0;
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
