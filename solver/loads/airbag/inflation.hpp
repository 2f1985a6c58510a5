// Ideal gas in a control volume: what flows in, what leaves through holes, its mass and energy.
//
//   dm/dt = m_in - m_out,  dU/dt = m_in h(T_in) - m_out h(T) - p dV/dt,  p V = m R T,  U = m u(T)
//
// (Wang and Nefske 1988, A new CAL3D airbag inflation model, SAE 880654) with c_p = a + b T, so h = a T +
// b T^2 / 2 and u = h - R T. Through a hole of area A with coefficient C, for p above the ambient pressure
// pe,
//
//   m = C A p / sqrt(R T) sqrt(2 g / (g - 1) (Q^(2 / g) - Q^((g + 1) / g))),  Q = max(pe / p, Q_crit),
//   Q_crit = (2 / (g + 1))^(g / (g - 1)),  g = c_p / c_v at T
//
// the isentropic flow of a nozzle (Shapiro 1953, The Dynamics and Thermodynamics of Compressible Fluid Flow,
// chapter 4), choked at Q_crit. Nothing flows back in.
#pragma once

#include <vector>

#include "base/members.hpp"
#include "model/fields.hpp"
#include "model/stage.hpp"

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
};

template <class V>
void fields(V& v, Orifice& s) {
  using model::curves_of;
  model::members(v, s, s.coefficient, s.area, curves_of(s.coefficient_by_time),
                 curves_of(s.coefficient_by_pressure), curves_of(s.area_by_pressure), s.pops,
                 curves_of(s.speed_by_pressure));
}

/// Input of the gas.
struct Inflation {
  bool active = false;                       ///< else the pressure is a function of the volume
  double heat = 0, heat_slope = 0;           ///< a, b per mass
  double gas_constant = 0;                   ///< R per mass
  double ambient_pressure = 0;               ///< PE
  double ambient_temperature = 0;            ///< of the gas at the start, too
  LocalId inflow = model::kNone;             ///< mass per time over time
  double inflow_temperature = 0;             ///< T
  LocalId temperature_curve = model::kNone;  ///< LCT, instead of it
  LocalId outflow = model::kNone;            ///< LOU, LCEFR: mass per time over gauge pressure
  double pop_pressure = 0;                   ///< PPOP, gauge
  std::vector<Orifice> orifices;
};

template <class V>
void fields(V& v, Inflation& s) {
  using model::curves_of;
  model::members(v, s, s.active, s.heat, s.heat_slope, s.gas_constant, s.ambient_pressure,
                 s.ambient_temperature, curves_of(s.inflow), s.inflow_temperature,
                 curves_of(s.temperature_curve), curves_of(s.outflow), s.pop_pressure, s.orifices);
}

/// State of the gas at t_n.
struct GasState {
  double time = 0, volume = 0;
  double mass = 0, energy = 0, temperature = 0;
  double pressure = 0;             ///< absolute
  double inflow = 0, outflow = 0;  ///< mass per time
  std::int64_t started = 0, popped = 0;
};
CRUMPLE_MEMBERS(GasState, time, volume, mass, energy, temperature, pressure, inflow, outflow, started, popped)

/// Mass per time and area of isentropic flow from a vessel at `pressure` and `temperature`.
double orifice_flux(const Inflation& gas, double pressure, double temperature);

/// Ambient gas in `volume` at `time`.
GasState ambient_gas(const Inflation& gas, double time, double volume);

/// The gas at `time`, when its volume is `volume`; it changes linearly over the step. Fourth order
/// Runge-Kutta, in parts of the step where gas flows fast.
void advance_gas(const Inflation& gas, const model::Model& model, double time, double volume,
                 GasState& state);

}  // namespace crumple::loads
