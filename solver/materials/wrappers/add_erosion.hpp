// *MAT_ADD_EROSION: criteria of failure added to any other law, whose update it calls.
//
// With pressure p = -tr(s) / 3, principal stresses s1 >= s3, equivalent stress q, the strain e summed over
// the steps (rotated with the element), its deviator e' and principal values e1 >= e3, a point fails once NCS
// of the criteria that are given hold at the same time (LS-DYNA keyword manual, vol. II):
//
//   p > MXPRES    p < MNPRES    s1 > SIGP1    q > SIGVM    e1 > MXEPS    e3 < MNEPS
//   (e1 - e3) / 2 > EPSSH       sqrt(2/3 e':e') > EFFEPS, or plastic strain > -EFFEPS if it is negative
//   tr(e) > VOLEPS, or tr(e) < VOLEPS if it is negative
//   integral of max(0, s1 - SIGTH)^2 dt > IMPULSE (Tuler and Butcher 1968)
//   -e_zz > EPSTHIN in shells
//
// SIGVM and MXEPS, if negative, are curves over the rate of effective strain, sqrt(2/3 d':d') / dt with the
// strain increment's deviator d', without a filter.
//
// The inequalities are strict, so that with MNPRES = 0 and another EXCL an unloaded point does not fail.
//
// A criterion is given if its value differs from EXCL (default 0); MXPRES, MNEPS, EFFEPS, VOLEPS and EPSTHIN
// must also differ from 0. The element is deleted when NUMFIP points have failed by the criteria (default 1;
// in shells a negative value is a percentage, below -100 a number). The law's own number (NUMINT of shells,
// or all) counts all failed points, whatever the criterion. After FAILTM the element is deleted in any case.
// In a beam the two lateral strains are those of isochoric flow. State: that of the law, then whether the
// point has failed, the impulse, and the six strains.
#pragma once

#include "materials/prepared.hpp"
#include "materials/principal_values.hpp"
#include "materials/tensors.hpp"
#include "materials/update.hpp"
#include "materials/wrappers/failed_point.hpp"
#include "materials/wrappers/tabulated.hpp"

namespace crumple::model {
struct Material;
struct Model;
}  // namespace crumple::model

namespace crumple::materials {

/// An optional limit.
struct Limit {
  double value = 0;
  bool given = false;
};

/// The law that computes the stress, and the criteria.
struct ErosionLaw {
  Law law;
  int law_history = 0;  ///< history variables of the law, before those of the criteria
  Limit largest_pressure, smallest_pressure, largest_stress, equivalent_stress;
  Limit largest_strain, smallest_strain, shear_strain, effective_strain, plastic_strain, volume_strain;
  Limit impulse, thinning;
  bool stress_by_rate = false, strain_by_rate = false;
  Tabulated stress_limit, strain_limit;  ///< of equivalent stress and largest strain over the strain rate
  double threshold = 0;                  ///< SIGTH
  double needed = 1;                     ///< NCS

  bool needs_strain() const {
    return largest_strain.given || smallest_strain.given || shear_strain.given || effective_strain.given ||
           volume_strain.given || thinning.given;
  }
};

/// History variables beyond the law's.
inline constexpr int kErosionVariables = 8;

/// `prepared` with the criteria of *MAT_ADD_EROSION, if the material has them: fields EROSION.MXPRES etc.
Prepared add_erosion(const model::Model& model, const model::Material& material, Prepared prepared);

/// NUMFIP as a number of points, > 0, or a percentage, < 0.
double points_to_delete(double numfip);

/// Whether criteria or damage can be added to a law.
bool takes_criteria(const Row& row);

inline namespace CRUMPLE_ISA {

/// Counts the criteria that hold.
template <class V>
struct CriteriaMet {
  V count = V(0);
  void add(const Limit& limit, V value) { add(limit, value, V(limit.value)); }
  void add(const Limit& limit, V value, V most) {
    if (limit.given) count += simd::select(value > most, V(1), V(0));
  }
  void add_below(const Limit& limit, V value) {
    if (limit.given) count += simd::select(value < V(limit.value), V(1), V(0));
  }
};

/// Rate of effective strain; engineering shears.
template <class V>
V effective_strain_rate(const V (&d)[6], V dt) {
  const V mean = V(1.0 / 3) * (d[0] + d[1] + d[2]);
  const V x = d[0] - mean, y = d[1] - mean, z = d[2] - mean;
  const V shear = V(0.5) * (d[3] * d[3] + d[4] * d[4] + d[5] * d[5]);
  return simd::sqrt(V(2.0 / 3) * (x * x + y * y + z * z + shear)) / dt;
}

/// Criteria on stress; updates the impulse.
template <class V>
void stress_criteria(const ErosionLaw& law, const V (&s)[6], V rate, V dt, V& impulse, CriteriaMet<V>& met) {
  const V pressure = V(-1.0 / 3) * (s[0] + s[1] + s[2]);
  met.add(law.largest_pressure, pressure);
  met.add_below(law.smallest_pressure, pressure);
  if (law.equivalent_stress.given) {
    const V x = s[0] - s[1], y = s[1] - s[2], z = s[2] - s[0];
    const V shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    met.add(law.equivalent_stress, simd::sqrt(V(0.5) * (x * x + y * y + z * z) + V(3) * shear),
            law.stress_by_rate ? value_of(law.stress_limit, rate, V(0)) : V(law.equivalent_stress.value));
  }
  if (law.largest_stress.given || law.impulse.given) {
    const V largest = principal_range(s).largest;
    met.add(law.largest_stress, largest);
    const V over = simd::max(largest - V(law.threshold), V(0));
    impulse += over * over * dt;
    met.add(law.impulse, impulse);
  }
}

/// Criteria on the summed strain, a tensor.
template <class V>
void strain_criteria(const ErosionLaw& law, const V (&e)[6], V rate, CriteriaMet<V>& met) {
  const V volume = e[0] + e[1] + e[2];
  if (law.volume_strain.value > 0)
    met.add(law.volume_strain, volume);
  else
    met.add_below(law.volume_strain, volume);
  if (law.effective_strain.given) {
    const V shear = e[3] * e[3] + e[4] * e[4] + e[5] * e[5];
    const V square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] - V(1.0 / 3) * volume * volume + V(2) * shear;
    met.add(law.effective_strain, simd::sqrt(V(2.0 / 3) * simd::max(square, V(0))));
  }
  if (law.largest_strain.given || law.smallest_strain.given || law.shear_strain.given) {
    const PrincipalRange<V> range = principal_range(e);
    met.add(law.largest_strain, range.largest,
            law.strain_by_rate ? value_of(law.strain_limit, rate, V(0)) : V(law.largest_strain.value));
    met.add_below(law.smallest_strain, range.smallest);
    met.add(law.shear_strain, V(0.5) * (range.largest - range.smallest));
  }
}

/// The history variables of the criteria at a point.
template <class V>
struct ErosionState {
  V failed, impulse, strain[6];
  const History<simd::scalar_t<V>>& history;
  int first;

  ErosionState(const ErosionLaw& law, const History<simd::scalar_t<V>>& all)
      : history(all), first(law.law_history) {
    failed = history.template load<V>(first);
    impulse = history.template load<V>(first + 1);
    for (int i = 0; i < 6; ++i) strain[i] = history.template load<V>(first + 2 + i);
  }
  void store() const {
    history.store(first, failed);
    history.store(first + 1, impulse);
    for (int i = 0; i < 6; ++i) history.store(first + 2 + i, strain[i]);
  }
};

/// Whether points with stress `s` fail after a step with strain increment `d` (engineering shears). Points
/// that have failed stay failed.
template <class V>
simd::mask_t<V> erode(const ErosionLaw& law, const V (&d)[6], const V (&s)[6], V plastic_strain, V dt,
                      bool thins, ErosionState<V>& state) {
  CriteriaMet<V> met;
  const V rate = law.stress_by_rate || law.strain_by_rate ? effective_strain_rate(d, dt) : V(0);
  stress_criteria(law, s, rate, dt, state.impulse, met);
  met.add(law.plastic_strain, plastic_strain);
  if (law.needs_strain()) {
    for (int i = 0; i < 6; ++i) state.strain[i] += i < 3 ? d[i] : V(0.5) * d[i];
    strain_criteria(law, state.strain, rate, met);
    if (thins) met.add(law.thinning, -state.strain[2]);
  }
  state.failed = simd::select(met.count >= V(law.needed), V(1), state.failed);
  state.store();
  return state.failed > V(0);
}

template <class V>
void update_solid(const ErosionLaw& law, SolidPoint<V>& point) {
  ErosionState<V> state(law, point.history);
  if (point.rotation && law.needs_strain()) rotate(point.rotation, state.strain);
  const simd::mask_t<V> before = state.failed > V(0);
  const V plastic_before = point.plastic_strain;
  update_solid(law.law, point);
  fail(before, erode(law, point.d, point.s, point.plastic_strain, point.dt, false, state), plastic_before,
       point);
}

template <class V>
void update_shell(const ErosionLaw& law, ShellPoint<V>& point) {
  ErosionState<V> state(law, point.history);
  const simd::mask_t<V> before = state.failed > V(0);
  const V plastic_before = point.plastic_strain;
  update_shell(law.law, point);
  fail(before, erode(law, point.d, point.s, point.plastic_strain, point.dt, true, state), plastic_before,
       point);
  point.d[2] = simd::select(point.failed, V(0), point.d[2]);
}

template <class V>
void update_beam(const ErosionLaw& law, BeamPoint<V>& point) {
  ErosionState<V> state(law, point.history);
  const simd::mask_t<V> before = state.failed > V(0);
  const V plastic_before = point.plastic_strain;
  update_beam(law.law, point);
  const V lateral = V(-0.5) * point.d[0], zero(0);
  const V d[6] = {point.d[0], lateral, lateral, point.d[1], zero, point.d[2]};
  const V s[6] = {point.s[0], zero, zero, point.s[1], zero, point.s[2]};
  fail(before, erode(law, d, s, point.plastic_strain, point.dt, false, state), plastic_before, point);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

CRUMPLE_UPDATES(ErosionLaw)
