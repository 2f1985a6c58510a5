// Holes through which gas leaves a volume, and the flow of a nozzle.
//
// Through a hole of area A with coefficient C, from the pressure p to the pressure q < p,
//
//   m = C A p / sqrt(R T) sqrt(2 g / (g - 1) (Q^(2 / g) - Q^((g + 1) / g))),  Q = max(q / p, Q_crit),
//   Q_crit = (2 / (g + 1))^(g / (g - 1)),  g = c_p / c_v at T
//
// the isentropic flow of a nozzle (Shapiro 1953, The Dynamics and Thermodynamics of Compressible Fluid Flow,
// chapter 4), choked at Q_crit.
#pragma once

#include "model/fields.hpp"

namespace crumple::loads {

/// A hole, or porous fabric.
struct Orifice {
  double coefficient = 0;  ///< without a curve
  double area = 0;         ///< times its curve, if there is one
  LocalId coefficient_by_time = model::kNone, coefficient_by_pressure = model::kNone;
  LocalId area_by_pressure = model::kNone;  ///< of absolute pressure, as coefficient_by_pressure
  bool pops = false;                        ///< opens at the pop pressure
  /// Gas of the bag's density leaves with this speed, a curve of absolute pressure, while its pressure is
  /// above the ambient one (porous fabric that was measured so), instead of the flow of a nozzle.
  LocalId speed_by_pressure = model::kNone;

  bool is_open() const {
    return (coefficient != 0 || coefficient_by_time != model::kNone ||
            coefficient_by_pressure != model::kNone) &&
           area != 0;
  }
};

template <class V>
void fields(V& v, Orifice& s) {
  using model::curves_of;
  model::members(v, s, s.coefficient, s.area, curves_of(s.coefficient_by_time),
                 curves_of(s.coefficient_by_pressure), curves_of(s.area_by_pressure), s.pops,
                 curves_of(s.speed_by_pressure));
}

/// The value of a curve, or without one `otherwise`.
double curve_or(const model::Model& model, LocalId curve, double at, double otherwise);

/// Mass per time and area of isentropic flow from `pressure` to `outside`; none if this is not lower.
double nozzle_flux(double gas_constant, double exponent, double pressure, double temperature, double outside);

/// The gas before a hole.
struct BeforeHole {
  double time, pressure, mass, volume;
  double outside;  ///< pressure behind the hole
  double flux;     ///< of a nozzle
};

/// Mass per time; an orifice that pops is taken to be open.
double flow_through(const Orifice& hole, const model::Model& model, const BeforeHole& gas);

}  // namespace crumple::loads
