// MAT_S01 (*MAT_SPRING_ELASTIC): F = K d (LS-DYNA keyword manual, vol. II).
#pragma once

#include <cmath>
#include <memory>

#include "materials/discrete/force_curve.hpp"
#include "materials/discrete/law.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

struct SpringElasticLaw {
  double stiffness = 0;  ///< K
};

inline namespace CRUMPLE_ISA {

inline void update_discrete(const SpringElasticLaw& law, double d, double, DiscreteState& state) {
  state.force = law.stiffness * d;
}

template <class Visit>
void visit_tangents(const SpringElasticLaw& law, double, double, const double (&)[kDiscreteHistory],
                    Visit visit) {
  visit(0.0, DiscreteTangent{law.stiffness, 0});
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete/force_curve_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_spring_elastic(const model::Model&, const model::Material& material) {
  return prepared_with(SpringElasticLaw{not_negative_field(material, "K")});
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(SpringElasticLaw, {.number = 1001,
                               .keyword = "MAT_SPRING_ELASTIC",
                               .supports = {.discrete = true},
                               .prepare = prepare_spring_elastic})
