// MAT_013 (*MAT_ISOTROPIC_ELASTIC_FAILURE): J2 plasticity of solids that become a fluid where they fail.
//
// Bilinear J2 plasticity with the plastic modulus ETAN, by radial return (Wilkins 1964; Krieg and Key 1976),
// and the pressure K (V0 / V - 1) of the volume. A point fails where its plastic strain exceeds EPF or its
// pressure falls below PRF. Then it has no deviator and no tension, only pressure (LS-DYNA keyword manual,
// vol. II, MAT_013; theory manual 2006, material 13). REM = 0 removes the element, otherwise it stays as a
// fluid. State: plastic strain, and whether the point has failed.
#pragma once

#include "materials/hooke.hpp"
#include "materials/plasticity/yield_return.hpp"

namespace crumple::materials {

/// Parameters of MAT_013.
struct ElasticFailureLaw {
  double shear = 0, bulk = 0, yield = 0, hardening = 0;
  double failure_strain = 0, failure_pressure = 0;
  bool eroded = true;  ///< REM = 0
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const ElasticFailureLaw& law, SolidPoint<V>& point) {
  const V(&d)[6] = point.d;
  V(&s)[6] = point.s;
  const V failed_before = point.history.template load<V>(0);
  const V mean = V(1.0 / 3) * (s[0] + s[1] + s[2]), volume = V(1.0 / 3) * (d[0] + d[1] + d[2]);
  const V shear(law.shear);
  for (int i = 0; i < 3; ++i) s[i] += V(2) * shear * (d[i] - volume) - mean;
  for (int i = 3; i < 6; ++i) s[i] += shear * d[i];
  const V square =
      V(1.5) * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  const Trial<V> trial = trial_of(square);
  const V k = V(law.yield) + V(law.hardening) * point.plastic_strain;
  const simd::mask_t<V> yields = trial.q > k && failed_before == V(0) && point.dt > V(0);
  const V dp = simd::select(yields, (trial.q - k) * V(1 / (3 * law.shear + law.hardening)), V(0));
  // The difference first, so that nothing is lost near 1.
  const V pressure = V(law.bulk) * ((V(1) - point.volume_ratio) / point.volume_ratio);
  point.plastic_strain += dp;
  const V failed =
      simd::select(point.plastic_strain > V(law.failure_strain) || pressure < V(law.failure_pressure), V(1),
                   failed_before);
  point.history.store(0, failed);
  const simd::mask_t<V> gone = failed > V(0);
  const V factor = simd::select(gone, V(0), V(1) - V(3 * law.shear) * dp * trial.inverse);
  const V carried = simd::select(gone, simd::max(pressure, V(0)), pressure);
  for (int i = 0; i < 6; ++i) s[i] *= factor;
  for (int i = 0; i < 3; ++i) s[i] -= carried;
  point.failed = never(factor);
  if (law.eroded) {
    for (int i = 0; i < 6; ++i) s[i] = simd::select(gone, V(0), s[i]);
    point.failed = gone;
  }
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_isotropic_elastic_failure(const model::Model&, const model::Material& material) {
  Prepared prepared;
  prepared.density = checked_density(material);
  auto law = std::make_shared<ElasticFailureLaw>();
  law->shear = positive_field(material, "G");
  law->bulk = positive_field(material, "BULK");
  const double g = law->shear, k = law->bulk;
  prepared.elastic = elastic_constants(9 * k * g / (3 * k + g), (3 * k - 2 * g) / (2 * (3 * k + g)));
  law->yield = positive_field(material, "SIGY");
  law->hardening = not_negative_field(material, "ETAN");
  law->failure_strain = positive_field(material, "EPF");
  law->failure_pressure = material.field("PRF");
  if (!(law->failure_pressure <= 0))
    refuse(material, "CR-M108", "PRF",
           fmt::format("PRF is {}, it must not be positive", law->failure_pressure));
  law->eroded = material.field("REM") == 0;
  prepared.min_time_step = not_negative_field(material, "TREM");
  prepared.n_history = 1;
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(ElasticFailureLaw, {.number = 13,
                                .keyword = "MAT_ISOTROPIC_ELASTIC_FAILURE",
                                .supports = {.solid = true},
                                .prepare = prepare_isotropic_elastic_failure})
