// A law whose material expands with temperature (*MAT_ADD_THERMAL_EXPANSION, MAT_004).
//
// The thermal strain e 1 is taken off the strain increment that the law gets, so the law sees the part of the
// motion that strains the lattice: F = F_m exp(e) with a free stretch exp(e) (Stojanovic, Djuric and
// Vujosevic 1964; Lu and Pister 1975). Its volume ratio is that of F_m. In plane stress and in beams the law
// finds the strain across, to which e is added. The law itself does not know of it: this is one law that
// calls any other, so nothing is compiled for each law, and parts that do not expand have none of it.
//
// The strain e is that at the end of the step, the integral of the coefficient from the reference temperature
// to the present one. Code outside elements sets it before each step (loads/temperature/temperatures.hpp);
// what a point has seen of it so far is kept beside it, so that rounding does not add up, and a step that is
// tried again or left out changes nothing. It does not depend on the motion: the tangent is that of the law.
//
// State: that of the law, then e at the end of the step, e so far, and exp(-3 e) - 1.
#pragma once

#include <memory>

#include "materials/expansion.hpp"
#include "materials/prepared.hpp"
#include "materials/update.hpp"

namespace crumple::materials {

struct ExpansionLaw {
  Law law;
  int law_history = 0;  ///< history variables of the law, before those of the expansion
  std::shared_ptr<const Expansion> expansion;
};

/// History variables beyond the law's.
inline constexpr int kExpansionVariables = 3;

/// The expansion of a law, which may have a preload around it; null if it has none.
const ExpansionLaw* expansion_of(const Law& law);

/// `prepared` with an expansion.
Prepared add_expansion(Prepared prepared, std::shared_ptr<const Expansion> expansion);

inline namespace CRUMPLE_ISA {

/// The thermal strain of the step.
template <class V>
V expand(const ExpansionLaw& law, const History<simd::scalar_t<V>>& history) {
  const V now = history.template load<V>(law.law_history);
  const V before = history.template load<V>(law.law_history + 1);
  history.store(law.law_history + 1, now);
  return now - before;
}

template <class V>
void update_solid(const ExpansionLaw& law, SolidPoint<V>& point) {
  const V e = expand<V>(law, point.history);
  for (int i = 0; i < 3; ++i) point.d[i] -= e;
  point.volume_ratio += point.volume_ratio * point.history.template load<V>(law.law_history + 2);
  update_solid(law.law, point);
}

template <class V>
void update_shell(const ExpansionLaw& law, ShellPoint<V>& point) {
  const V e = expand<V>(law, point.history);
  for (int i = 0; i < 2; ++i) point.d[i] -= e;
  update_shell(law.law, point);
  point.d[2] = simd::select(point.failed, V(0), point.d[2] + e);
}

template <class V>
void update_beam(const ExpansionLaw& law, BeamPoint<V>& point) {
  point.d[0] -= expand<V>(law, point.history);
  update_beam(law.law, point);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

CRUMPLE_UPDATES(ExpansionLaw)
