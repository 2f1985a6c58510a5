// MAT_S15 (*MAT_SPRING_MUSCLE): a Hill-type muscle as a spring (hill_muscle.hpp).
//
//   F = FMAX (a(t) TL(L) TV(V) + FPE(L)),   L = length / L0,   V = v / (VMAX SV(a))
//
// (LS-DYNA keyword manual, vol. II, MAT_S15). The length is that between the nodes, as in the same author's
// law in FEBio (Maas and others 2012); of elements to ground and rotational ones it is L0 at the start. v is
// positive while the muscle lengthens. History: the length at the start.
#pragma once

#include "materials/discrete/hill_muscle.hpp"
#include "materials/discrete/spring_state.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

struct SpringMuscleLaw {
  HillMuscle muscle;   ///< rates of L: the fastest is VMAX / L0
  double peak = 0;     ///< FMAX
  double at_rest = 1;  ///< L0
  /// The ratio L at the elongation d.
  double ratio(double d, double start) const { return ((start > 0 ? start : at_rest) + d) / at_rest; }
};

inline namespace CRUMPLE_ISA {

inline void update_discrete(const SpringMuscleLaw& law, double d, double v, DiscreteState& state) {
  const SpringState& of = spring_state(state);
  state.force = law.peak * law.muscle.tension(law.ratio(d, of.length), v / law.at_rest, of.time,
                                              law.muscle.active_at(of.time));
  state.history[0] = of.length;
}

template <class Visit>
void visit_tangents(const SpringMuscleLaw& law, double d, double, const double (&history)[kDiscreteHistory],
                    Visit visit) {
  const double per_length = law.peak / law.at_rest;
  visit(0.0, DiscreteTangent{per_length * law.muscle.slope_over_length(law.ratio(d, history[0])),
                             per_length * law.muscle.slope_over_rate()});
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete/hill_muscle_fields.hpp"

namespace crumple::materials {

inline Prepared prepare_spring_muscle(const model::Model& model, const model::Material& material) {
  WithCurves<SpringMuscleLaw> made;
  SpringMuscleLaw& law = made.law();
  law.peak = positive_field(material, "FMAX");
  law.at_rest = positive_field(material, "L0");
  set_hill_muscle(made, model, material, {"A", "TL", "TV", "SV", "FPE", "KSH", "LMAX"}, law.muscle);
  if (law.muscle.over_rate.n > 0) law.muscle.fastest_rate = positive_field(material, "VMAX") / law.at_rest;
  return made.prepared();
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(SpringMuscleLaw, {.number = 1015,
                              .keyword = "MAT_SPRING_MUSCLE",
                              .supports = {.discrete = true},
                              .prepare = prepare_spring_muscle})
