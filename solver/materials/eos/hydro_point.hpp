// The step of a solid point whose pressure comes from an equation of state.
//
// Internal energy E per initial volume, with dv the change of the relative volume in the step, v its value
// half way, s the deviator and q the bulk viscosity of the step (Wilkins 1964, "Calculation of
// elastic-plastic flow", section on the energy equation; LS-DYNA theory manual 2006, equations of state):
//
//   E1 = E0 + v (s0 + s1) : d / 2 - dv ((p0 + p1) / 2 + q),   p1 = A + B E1,
//
// which is linear in p1: p1 = (A + B E*) / (1 + B dv / 2) with E* all but the new pressure's part. These are
// the products that the element counts as internal energy.
#pragma once

#include "materials/eos/equation_of_state.hpp"
#include "materials/eos/hydro_history.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// The energy equation of a step. The point's stress is its deviator from the constructor to `finish`.
template <class V>
class HydroStep {
 public:
  HydroStep(const EquationOfState& eos, SolidPoint<V>& point) : eos_(eos), point_(point) {
    V(&s)[6] = point.s;
    const V(&d)[6] = point.d;
    const V mean = V(1.0 / 3) * (s[0] + s[1] + s[2]), trace = d[0] + d[1] + d[2];
    for (int i = 0; i < 3; ++i) s[i] -= mean;
    middle_ = point.volume_ratio / (V(1) + V(0.5) * trace);
    change_ = middle_ * trace;
    energy_ = V(eos.initial_energy) + point.history.template load<V>(kEnergyGained) + work() +
              change_ * (V(0.5) * mean - point.history.template load<V>(kViscousPressure));
    terms_ = state_terms(eos, point.volume_ratio);
  }

  /// Relative volume half way through the step.
  V middle() const { return middle_; }

  /// The pressure with the point's present deviator.
  V pressure() const {
    return (terms_.cold + terms_.thermal * (energy_ + work())) / (V(1) + V(0.5) * terms_.thermal * change_);
  }

  /// Add the pressure to the deviator, and store energy and stiffness.
  void finish(V pressure) {
    const V energy = energy_ + work() - V(0.5) * change_ * pressure;
    const V bulk = isentropic_bulk(terms_, point_.volume_ratio, energy, pressure);
    point_.history.store(kEnergyGained, energy - V(eos_.initial_energy));
    point_.history.store(kStiffening, simd::max(bulk - V(eos_.bulk), V(0)));
    for (int i = 0; i < 3; ++i) point_.s[i] -= pressure;
  }

 private:
  /// Half the work of the deviator.
  V work() const {
    const V(&d)[6] = point_.d;
    const V(&s)[6] = point_.s;
    return V(0.5) * middle_ *
           (s[0] * d[0] + s[1] * d[1] + s[2] * d[2] + s[3] * d[3] + s[4] * d[4] + s[5] * d[5]);
  }

  const EquationOfState& eos_;
  SolidPoint<V>& point_;
  V middle_, change_, energy_;
  StateTerms<V> terms_;
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
