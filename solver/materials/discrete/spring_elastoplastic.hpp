// MAT_S03 (*MAT_SPRING_ELASTOPLASTIC): isotropic hardening (LS-DYNA keyword manual, vol. II).
//
// F = K (d - d_p), |F| <= FY + H p, H = K KT / (K - KT). The return is one step, which is exact for linear
// hardening. State: d_p and the sum p of |d_p|.
#pragma once

#include <cmath>
#include <memory>

#include "materials/discrete/force_curve.hpp"
#include "materials/discrete/law.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

struct SpringElastoplasticLaw {
  double stiffness = 0;  ///< K
  double yield = 0;      ///< FY
  double hardening = 0;  ///< H
};

inline namespace CRUMPLE_ISA {

inline void update_discrete(const SpringElastoplasticLaw& law, double d, double, DiscreteState& state) {
  double(&history)[kDiscreteHistory] = state.history;  // plastic elongation and the sum of its magnitude
  const double trial = law.stiffness * (d - history[0]);
  const double excess = std::fabs(trial) - (law.yield + law.hardening * history[1]);
  if (excess > 0) {
    const double flow = excess / (law.stiffness + law.hardening);
    history[0] += std::copysign(flow, trial);
    history[1] += flow;
  }
  state.force = law.stiffness * (d - history[0]);
}

/// Unloading has the stiffness K.
template <class Visit>
void visit_tangents(const SpringElastoplasticLaw& law, double, double, const double (&)[kDiscreteHistory],
                    Visit visit) {
  visit(0.0, DiscreteTangent{law.stiffness, 0});
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete/force_curve_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_spring_elastoplastic(const model::Model&, const model::Material& material) {
  SpringElastoplasticLaw law;
  law.stiffness = positive_field(material, "K");
  law.yield = positive_field(material, "FY");
  const double tangent = material.field("KT");
  if (!(tangent >= 0 && tangent < law.stiffness))
    refuse(material, "CR-M108", "KT",
           fmt::format("KT is {}, it must lie between 0 and K = {}", tangent, law.stiffness));
  law.hardening = law.stiffness * tangent / (law.stiffness - tangent);
  return prepared_with(law);
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(SpringElastoplasticLaw, {.number = 1003,
                                     .keyword = "MAT_SPRING_ELASTOPLASTIC",
                                     .supports = {.discrete = true},
                                     .prepare = prepare_spring_elastoplastic})
