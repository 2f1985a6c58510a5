// MAT_S05 (*MAT_DAMPER_NONLINEAR_VISCOUS): F = LCDR(v) (LS-DYNA keyword manual, vol. II).
//
// The curve is extrapolated linearly beyond its ends.
#pragma once

#include <cmath>
#include <memory>

#include "materials/discrete/force_curve.hpp"
#include "materials/discrete/law.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

struct DamperNonlinearViscousLaw {
  ForceCurve force;  ///< LCDR
};

inline namespace CRUMPLE_ISA {

inline void update_discrete(const DamperNonlinearViscousLaw& law, double, double v, DiscreteState& state) {
  state.force = law.force(v, true);
}

template <class Visit>
void visit_tangents(const DamperNonlinearViscousLaw& law, double, double, const double (&)[kDiscreteHistory],
                    Visit visit) {
  visit(0.0, DiscreteTangent{0, law.force.steepest()});
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete/force_curve_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_damper_nonlinear_viscous(const model::Model& model, const model::Material& material) {
  WithCurves<DamperNonlinearViscousLaw> made;
  made.law().force = made.read(model, material, "LCDR");
  return made.prepared();
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(DamperNonlinearViscousLaw, {.number = 1005,
                                        .keyword = "MAT_DAMPER_NONLINEAR_VISCOUS",
                                        .supports = {.discrete = true},
                                        .prepare = prepare_damper_nonlinear_viscous})
