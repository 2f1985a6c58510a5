// MAT_100 (*MAT_SPOTWELD): bilinear J2 plasticity with isotropic hardening, and failure of weld beams.
//
// The flow stress is SIGY + EH p, with p the plastic strain: EH is the plastic modulus, not the tangent.
// EFAIL is the plastic strain at which a point of the cross-section fails; the weld fails with its last
// point. It also fails by the forces and moments of the beam (Hallquist 2006, LS-DYNA Theory Manual, material
// 100), when
//
//   (max(N_rr, 0) / NRR)^2 + (N_rs / NRS)^2 + (N_rt / NRT)^2 + (M_rr / MRR)^2 + (M_ss / MSS)^2 + (M_tt /
//   MTT)^2 >= 1,
//
// without the components whose limit is 0, or at the time TFAIL. The element checks these
// (elements/beam/spot_weld.hpp). Not supported: curves of yield stress or of limits (negative values),
// filtered resultants (NF). State: plastic strain. The update is the engine's (j2_plasticity.hpp).
#pragma once

#include "materials/plasticity/j2_law.hpp"
#include "materials/wrappers/preload.hpp"

namespace crumple::materials {

/// Parameters of points, and the limits of the whole beam.
struct SpotWeldLaw : J2Law {
  /// 1 / limit of axial tension, shear s, shear t, moment s, moment t, torsion; 0 without a limit.
  double inverse_limit[6] = {};
  double fail_time = 0;  ///< TFAIL, 0: never
};

/// The limits of a weld's law, preloaded or not; its updates are those of MAT_024.
inline const SpotWeldLaw& spot_weld_law(const Law& law) {
  const PreloadLaw* const preload = preload_of(law);
  const void* const parameters = preload ? preload->law.parameters : law.parameters;
  return static_cast<const SpotWeldLaw&>(*static_cast<const J2Law*>(parameters));
}

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/plasticity/j2_fields.hpp"
#include "materials/plasticity/j2_plasticity.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// A field that must not be negative (in LS-DYNA a negative value names a curve).
inline double field_without_curve(const model::Material& material, const std::string& field) {
  const double value = material.field(field);
  if (value < 0)
    refuse(material, "CR-M105", field,
           fmt::format("{} is {}: a curve in place of a number is not supported", field, value));
  return value;
}

inline Prepared prepare_spot_weld(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  auto law = std::make_shared<SpotWeldLaw>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  field_without_curve(material, "SIGY");
  law->yield = positive_field(material, "SIGY");
  law->hardening = material.field("EH");
  if (law->hardening < 0)
    refuse(material, "CR-M108", "EH", fmt::format("EH is {}, it must not be negative", law->hardening));
  set_failure_strain(material, "EFAIL", *law);
  law->fail_time = field_without_curve(material, "TFAIL");
  // In the order of a beam's resultants.
  constexpr const char* fields[6] = {"NRR", "NRS", "NRT", "MSS", "MTT", "MRR"};
  for (int k = 0; k < 6; ++k)
    if (const double limit = field_without_curve(material, fields[k]); limit > 0)
      law->inverse_limit[k] = 1 / limit;
  prepared.step_at_start = field_without_curve(material, "DT");
  set_least_yield(*law);
  prepared.parameters = std::shared_ptr<const J2Law>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(J2Law, {.number = 100,
                    .keyword = "MAT_SPOTWELD",
                    .supports = {.beam = true},
                    .elastic_fields = true,
                    .spot_weld = true,
                    .prepare = prepare_spot_weld})
