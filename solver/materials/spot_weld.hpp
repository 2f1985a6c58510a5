// MAT_100 (*MAT_SPOTWELD): bilinear J2 plasticity with isotropic hardening, and what makes a weld beam fail.
//
// The flow stress is SIGY + EH p, p the plastic strain: EH is the plastic modulus, not the tangent. EFAIL is
// the plastic strain at which a point of the cross-section fails; the weld goes with its last point. Forces
// and moments of the beam at their limits (Hallquist 2006, LS-DYNA Theory Manual, material 100) end it when
//
//   (max(N_rr, 0) / NRR)^2 + (N_rs / NRS)^2 + (N_rt / NRT)^2 + (M_rr / MRR)^2 + (M_ss / MSS)^2 + (M_tt /
//   MTT)^2 >= 1,
//
// without the components whose limit is 0; so does the time TFAIL. They are the element's to check
// (elements/beam/spot_weld.hpp). Not there: curves of yield stress or of limits (negative values), filtered
// resultants (NF). State: plastic strain. The update is the engine's (j2_plasticity.hpp).
#pragma once

#include "materials/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of points, and the limits of the whole beam.
struct SpotWeldLaw : J2Law {
  /// 1 / limit of axial tension, shear s, shear t, moment s, moment t, torsion; 0 where there is none.
  double inverse_limit[6] = {};
  double fail_time = 0;  ///< TFAIL, 0: never
};

Prepared prepare_spot_weld(const model::Model& model, const model::Material& material);

}  // namespace crumple::materials
