// Mixtures of ideal gases at one temperature: their heat capacity, enthalpy and temperature.
//
//   c_p = a + b T + c T^2,  h = a T + b T^2 / 2 + c T^3 / 3,  u = h - R T  for each gas, per mass,
//   m h = sum of m_i h_i,  U = sum of m_i u_i(T),  p V = T sum of m_i R_i  (Dalton)
#pragma once

#include <span>

#include "model/fields.hpp"

namespace crumple::loads {

/// An ideal gas, per mass.
struct GasKind {
  double constant = 0;                                  ///< R
  double heat = 0, heat_slope = 0, heat_curvature = 0;  ///< a, b, c
  friend bool operator==(const GasKind&, const GasKind&) = default;
};

/// One gas of a mixture, and how it comes in.
struct MixedGas {
  GasKind kind;
  double share = 0;                          ///< of the mass at the start
  LocalId inflow = model::kNone;             ///< mass per time over time; molar share with one flow for all
  LocalId temperature_curve = model::kNone;  ///< of what comes in
  double inflow_temperature = 0;             ///< without a curve
};

/// Enthalpy of a gas per mass.
inline double enthalpy_of(const GasKind& g, double t) {
  return ((g.heat_curvature / 3 * t + 0.5 * g.heat_slope) * t + g.heat) * t;
}

/// Sums over the gases of a mixture, each times its mass.
struct Mixture {
  double mass = 0, constant = 0, heat = 0, slope = 0, curvature = 0;

  void add(const GasKind& g, double of_mass) {
    mass += of_mass;
    constant += of_mass * g.constant;
    heat += of_mass * g.heat;
    slope += of_mass * g.heat_slope;
    curvature += of_mass * g.heat_curvature;
  }
  double capacity(double t) const { return (curvature * t + slope) * t + heat; }  ///< m c_p
  double enthalpy(double t) const { return ((curvature / 3 * t + 0.5 * slope) * t + heat) * t; }
  double energy(double t) const { return enthalpy(t) - constant * t; }
  double exponent(double t) const { return capacity(t) / (capacity(t) - constant); }  ///< c_p / c_v
  /// With this internal energy, by Newton's method; not a number where no temperature with c_v > 0 has it.
  double temperature(double energy) const;
};

}  // namespace crumple::loads
