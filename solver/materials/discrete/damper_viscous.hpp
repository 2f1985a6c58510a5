// MAT_S02 (*MAT_DAMPER_VISCOUS): F = DC v (LS-DYNA keyword manual, vol. II).
#pragma once

#include <cmath>
#include <memory>

#include "materials/discrete/force_curve.hpp"
#include "materials/discrete/law.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

struct DamperViscousLaw {
  double damping = 0;  ///< DC
};

inline namespace CRUMPLE_ISA {

inline void update_discrete(const DamperViscousLaw& law, double, double v, DiscreteState& state) {
  state.force = law.damping * v;
}

template <class Visit>
void visit_tangents(const DamperViscousLaw& law, double, double, const double (&)[kDiscreteHistory],
                    Visit visit) {
  visit(0.0, DiscreteTangent{0, law.damping});
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete/force_curve_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_damper_viscous(const model::Model&, const model::Material& material) {
  return prepared_with(DamperViscousLaw{not_negative_field(material, "DC")});
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(DamperViscousLaw, {.number = 1002,
                               .keyword = "MAT_DAMPER_VISCOUS",
                               .supports = {.discrete = true},
                               .prepare = prepare_damper_viscous})
