// MAT_S04 (*MAT_SPRING_NONLINEAR_ELASTIC): F = LCD(d) LCR(v) (LS-DYNA keyword manual, vol. II).
//
// Beyond the ends the force curve is extrapolated linearly; the scale LCR is constant.
#pragma once

#include <cmath>
#include <memory>

#include "materials/discrete/force_curve.hpp"
#include "materials/discrete/law.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

struct SpringNonlinearElasticLaw {
  ForceCurve force;  ///< LCD
  ForceCurve scale;  ///< LCR; no points: 1
};

inline namespace CRUMPLE_ISA {

inline void update_discrete(const SpringNonlinearElasticLaw& law, double d, double v, DiscreteState& state) {
  state.force = law.force(d, true) * (law.scale.n > 0 ? law.scale(v, false) : 1.0);
}

template <class Visit>
void visit_tangents(const SpringNonlinearElasticLaw& law, double d, double v,
                    const double (&)[kDiscreteHistory], Visit visit) {
  const bool scaled = law.scale.n > 0;
  const double scale = scaled ? std::fabs(law.scale(v, false)) : 1.0;
  const double damping = scaled ? std::fabs(law.force(d, true)) * law.scale.steepest() : 0.0;
  law.force.visit_slopes(d, [&](double gap, double slope) {
    visit(gap, DiscreteTangent{std::fmax(scale * slope, 0.0), damping});
  });
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete/force_curve_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_spring_nonlinear_elastic(const model::Model& model, const model::Material& material) {
  WithCurves<SpringNonlinearElasticLaw> made;
  made.law().force = made.read(model, material, "LCD");
  if (material.field("LCR") != 0) made.law().scale = made.read(model, material, "LCR");
  return made.prepared();
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(SpringNonlinearElasticLaw, {.number = 1004,
                                        .keyword = "MAT_SPRING_NONLINEAR_ELASTIC",
                                        .supports = {.discrete = true},
                                        .prepare = prepare_spring_nonlinear_elastic})
