// MAT_S08 (*MAT_SPRING_INELASTIC): a spring that acts in tension or in compression only (LS-DYNA keyword
// manual, vol. II).
//
// With the displacement u >= 0 in its direction, the curve f of LCFD and the permanent part p,
//
//   F = max(0, min(f(u), K (u - p))),  K the larger one of KU and of the steepest slope of f,
//
// and p grows so that K (u - p) is at most f(u): first loading follows the curve, unloading and loading again
// the stiffness K, and below p there is no force. Beyond its end the curve is straight. State: p.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "materials/discrete/force_curve.hpp"
#include "materials/discrete/law.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

struct SpringInelasticLaw {
  ForceCurve force;      ///< LCFD
  double unloading = 0;  ///< K
  double sign = -1;      ///< of the elongations in which it acts
};

inline namespace CRUMPLE_ISA {

inline void update_discrete(const SpringInelasticLaw& law, double d, double, DiscreteState& state) {
  double& permanent = state.history[0];
  const double u = law.sign * d;
  const double limit = u > 0 ? std::max(0.0, law.force(u, true)) : 0.0;
  if (u > 0) permanent = std::max(permanent, u - limit / law.unloading);
  state.force = law.sign * std::clamp(law.unloading * (u - permanent), 0.0, limit);
}

template <class Visit>
void visit_tangents(const SpringInelasticLaw& law, double, double, const double (&)[kDiscreteHistory],
                    Visit visit) {
  visit(0.0, DiscreteTangent{law.unloading, 0});
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete/force_curve_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_spring_inelastic(const model::Model& model, const model::Material& material) {
  WithCurves<SpringInelasticLaw> made;
  SpringInelasticLaw& law = made.law();
  law.force = made.read(model, material, "LCFD");
  if (law.force.x[0] < 0 || std::fabs(law.force(0, true)) > 1e-9 * std::fabs(law.force.y[law.force.n - 1]))
    refuse(material, "CR-M107", "LCFD",
           "the curve of LCFD must begin at the origin, without negative abscissae");
  law.unloading = std::max(not_negative_field(material, "KU"), law.force.steepest());
  if (!(law.unloading > 0)) refuse(material, "CR-M107", "LCFD", "the curve of LCFD must rise");
  const double direction = material.field("CTF");
  if (direction != 0 && direction != 1 && direction != -1)
    refuse(material, "CR-M108", "CTF", fmt::format("CTF is {}, it must be 1 or -1", direction));
  law.sign = direction == -1 ? 1 : -1;
  return made.prepared();
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(SpringInelasticLaw, {.number = 1008,
                                 .keyword = "MAT_SPRING_INELASTIC",
                                 .supports = {.discrete = true},
                                 .prepare = prepare_spring_inelastic})
