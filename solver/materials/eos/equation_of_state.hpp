// Equations of state: pressure over density and internal energy, p = A(mu) + B(mu) E.
//
// mu = rho / rho0 - 1 = 1 / V - 1, V the relative volume, E the internal energy per initial volume (LS-DYNA
// keyword manual, vol. I, *EOS):
//
//   1 *EOS_LINEAR_POLYNOMIAL  A = C0 + C1 mu + C2 mu^2 + C3 mu^3, B = C4 + C5 mu + C6 mu^2, in expansion
//                             without C2 and C6
//   4 *EOS_GRUNEISEN          Mie-Grueneisen about the Hugoniot U = C + S1 u + S2 u^2 / U + S3 u^3 / U^2
//                             (Steinberg 1996, "Equation of state and strength properties of selected
//                             materials", eq. 1), B = GAMAO + A mu; in expansion A = rho0 C^2 mu
//   8 *EOS_TABULATED          A = C(ln V), B = GAMA T(ln V), linear between points and beyond them
//
// On the isentrope dE = -p dV, so the bulk modulus is K = (1 + mu) (A' + B' E + B p / (1 + mu)^2).
#pragma once

#include <algorithm>

#include "materials/law.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

/// Values at increasing abscissae.
struct PressureTable {
  static constexpr int kMostPoints = 10;
  int n = 0;
  double x[kMostPoints] = {}, y[kMostPoints] = {}, slope[kMostPoints] = {};  ///< slope from each point on
};

enum class StateForm : int { polynomial = 1, gruneisen = 4, tabulated = 8 };

struct EquationOfState {
  StateForm form = StateForm::polynomial;
  double c[7] = {};                    ///< C0 to C6
  double density = 0, speed = 0;       ///< rho0 and C of Grueneisen
  double s[3] = {}, gamma = 0, a = 0;  ///< S1 to S3, GAMAO or GAMA, A
  PressureTable cold, thermal;         ///< C and T
  double initial_energy = 0;           ///< E0
  double bulk = 0;                     ///< modulus at rest
};

inline namespace CRUMPLE_ISA {

/// A, B and their derivatives by mu.
template <class V>
struct StateTerms {
  V cold, thermal, cold_slope, thermal_slope;
};

template <class V>
StateTerms<V> polynomial_terms(const EquationOfState& eos, V mu) {
  const double(&c)[7] = eos.c;
  const simd::mask_t<V> expands = mu < V(0);
  const V c2 = simd::select(expands, V(0), V(c[2])), c6 = simd::select(expands, V(0), V(c[6]));
  return {V(c[0]) + mu * (V(c[1]) + mu * (c2 + mu * V(c[3]))), V(c[4]) + mu * (V(c[5]) + mu * c6),
          V(c[1]) + mu * (V(2) * c2 + V(3 * c[3]) * mu), V(c[5]) + V(2) * c6 * mu};
}

/// With u = mu / (1 + mu): A = rho0 C^2 n / d^2, n = mu (1 + (1 - g/2) mu - a/2 mu^2) and d = 1 - (S1 - 1) mu
/// - S2 mu u - S3 mu u^2.
template <class V>
StateTerms<V> gruneisen_terms(const EquationOfState& eos, V mu) {
  const V stiffness(eos.density * eos.speed * eos.speed), one(1);
  const V compressed = simd::max(mu, V(0)), r = one / (one + compressed), u = compressed * r;
  const V g1(1 - 0.5 * eos.gamma), a(eos.a), s1(eos.s[0] - 1), s2(eos.s[1]), s3(eos.s[2]);
  const V n = compressed * (one + compressed * (g1 - V(0.5) * a * compressed));
  const V n_slope = one + compressed * (V(2) * g1 - V(1.5) * a * compressed);
  const V d = one - compressed * (s1 + u * (s2 + s3 * u));
  const V d_slope = -(s1 + u * (s2 * (one + r) + s3 * u * (one + V(2) * r)));
  const V inverse = one / d, square = inverse * inverse;
  const simd::mask_t<V> expands = mu < V(0);
  return {stiffness * simd::select(expands, mu, n * square), V(eos.gamma) + a * mu,
          stiffness * simd::select(expands, one, (n_slope - V(2) * n * d_slope * inverse) * square), a};
}

/// Value and slope of a table at x.
template <class V>
void look_up(const PressureTable& table, V x, V& value, V& slope) {
  value = V(table.y[0]) + V(table.slope[0]) * (x - V(table.x[0]));
  slope = V(table.slope[0]);
  for (int k = 1; k < table.n - 1; ++k) {
    const simd::mask_t<V> beyond = x >= V(table.x[k]);
    value = simd::select(beyond, V(table.y[k]) + V(table.slope[k]) * (x - V(table.x[k])), value);
    slope = simd::select(beyond, V(table.slope[k]), slope);
  }
}

template <class V>
StateTerms<V> tabulated_terms(const EquationOfState& eos, V volume) {
  const V x = simd::log(volume), gamma(eos.gamma);
  StateTerms<V> t;
  look_up(eos.cold, x, t.cold, t.cold_slope);
  look_up(eos.thermal, x, t.thermal, t.thermal_slope);
  t.cold_slope *= -volume;  // d ln V / d mu
  t.thermal *= gamma;
  t.thermal_slope *= -volume * gamma;
  return t;
}

/// At the relative volume `volume`.
template <class V>
StateTerms<V> state_terms(const EquationOfState& eos, V volume) {
  if (eos.form == StateForm::tabulated) return tabulated_terms(eos, volume);
  const V mu = (V(1) - volume) / volume;  // the difference first, so that nothing is lost near 1
  return eos.form == StateForm::gruneisen ? gruneisen_terms(eos, mu) : polynomial_terms(eos, mu);
}

/// Bulk modulus on the isentrope.
template <class V>
V isentropic_bulk(const StateTerms<V>& t, V volume, V energy, V pressure) {
  return (t.cold_slope + t.thermal_slope * energy + t.thermal * pressure * volume * volume) / volume;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
