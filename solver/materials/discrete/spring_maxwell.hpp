// MAT_S07 (*MAT_SPRING_MAXWELL): a spring whose stiffness relaxes from K0 to KI,
//
//   K(t) = KI + (K0 - KI) exp(-BETA t)
//
// (LS-DYNA keyword manual, vol. II, MAT_S07; Schwer, Cheva and Hallquist 1991). COPT = 0: the hereditary
// integral of K(t - s) d'(s) over s (Herrmann and Peterson 1968), so that nothing relaxes before it moves. In
// a step of constant velocity the part q that relaxes becomes, exactly,
//
//   q = exp(-BETA dt) q + (K0 - KI) (1 - exp(-BETA dt)) / (BETA dt) (d - d before).
//
// COPT not 0: F = K(t) d with the time of the run. After the time TC the force is FC. History: q, d.
#pragma once

#include <algorithm>
#include <cmath>

#include "materials/discrete/spring_state.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

struct SpringMaxwellLaw {
  double at_once = 0, at_last = 0;  ///< K0, KI
  double decay = 0;                 ///< BETA
  double end = 0, end_force = 0;    ///< TC, FC
  bool by_time = false;             ///< COPT
};

inline namespace CRUMPLE_ISA {

inline void update_discrete(const SpringMaxwellLaw& law, double d, double, DiscreteState& state) {
  const SpringState& of = spring_state(state);
  const double relaxing = law.at_once - law.at_last, passed = law.decay * of.dt;
  const double left = passed > 0 ? -std::expm1(-passed) / passed : 1.0;
  state.history[0] = std::exp(-passed) * state.history[0] + relaxing * left * (d - state.history[1]);
  state.history[1] = d;
  const double part = law.by_time ? relaxing * std::exp(-law.decay * of.time) * d : state.history[0];
  state.force = of.time > law.end ? law.end_force : law.at_last * d + part;
}

template <class Visit>
void visit_tangents(const SpringMaxwellLaw& law, double, double, const double (&)[kDiscreteHistory],
                    Visit visit) {
  visit(0.0, DiscreteTangent{std::max(law.at_once, law.at_last), 0});
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "base/no_limit.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_spring_maxwell(const model::Model&, const model::Material& material) {
  const double end = not_negative_field(material, "TC");
  return prepared_with(SpringMaxwellLaw{.at_once = positive_field(material, "K0"),
                                        .at_last = not_negative_field(material, "KI"),
                                        .decay = not_negative_field(material, "BETA"),
                                        .end = end > 0 ? end : kNoLimit,
                                        .end_force = material.field("FC"),
                                        .by_time = material.field("COPT") != 0});
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(SpringMaxwellLaw, {.number = 1007,
                               .keyword = "MAT_SPRING_MAXWELL",
                               .supports = {.discrete = true},
                               .prepare = prepare_spring_maxwell})
