// Ideal gas in a control volume: what flows in, what leaves through holes, its mass and energy.
//
//   dm/dt = m_in - m_out,  dU/dt = m_in h(T_in) - m_out h(T) - p dV/dt,  p V = m R T,  U = m u(T)
//
// (Wang and Nefske 1988, A new CAL3D airbag inflation model, SAE 880654) with c_p = a + b T, so h = a T +
// b T^2 / 2 and u = h - R T. Gas leaves through orifices (orifice.hpp); nothing flows back in. Mixtures, and
// bags that are joined by holes, are in gas_network.hpp.
#pragma once

#include <vector>

#include "base/members.hpp"
#include "loads/airbag/gas_mixture.hpp"
#include "loads/airbag/orifice.hpp"
#include "model/fields.hpp"
#include "model/stage.hpp"

namespace crumple::loads {

/// Input of the gas.
struct Inflation {
  bool active = false;                       ///< else the pressure is a function of the volume
  double heat = 0, heat_slope = 0;           ///< a, b per mass
  double gas_constant = 0;                   ///< R per mass
  double ambient_pressure = 0;               ///< PE
  double ambient_temperature = 0;            ///< of the gas at the start, too, if it has no other
  double first_overpressure = 0;             ///< POVER: of the gas at the start, gauge
  double first_temperature = 0;              ///< IABT, if it is not zero
  LocalId inflow = model::kNone;             ///< mass per time over time
  double inflow_temperature = 0;             ///< T
  LocalId temperature_curve = model::kNone;  ///< LCT, instead of it
  LocalId outflow = model::kNone;            ///< LOU, LCEFR: mass per time over gauge pressure
  double pop_pressure = 0;                   ///< PPOP, gauge
  std::vector<Orifice> orifices;
  /// A mixture, whose gases come in each by itself or, with a curve of their mass per time, together.
  std::vector<MixedGas> gases;
  LocalId total_inflow = model::kNone;  ///< LCIDM0
  double heat_convection = 0;           ///< HCONV, of mixtures: heat per time, area and difference to outside

  double pressure_at_start() const { return ambient_pressure + first_overpressure; }
  double temperature_at_start() const {
    return first_temperature > 0 ? first_temperature : ambient_temperature;
  }
  /// Treats a single gas as a mixture of one.
  void make_mixture() {
    if (!gases.empty()) return;
    gases.push_back({{gas_constant, heat, heat_slope, 0}, 1, inflow, temperature_curve, inflow_temperature});
  }
};

template <class V>
void fields(V& v, Inflation& s) {
  using model::curves_of;
  model::members(v, s, s.active, s.heat, s.heat_slope, s.gas_constant, s.ambient_pressure,
                 s.ambient_temperature, s.first_overpressure, s.first_temperature, curves_of(s.inflow),
                 s.inflow_temperature, curves_of(s.temperature_curve), curves_of(s.outflow), s.pop_pressure,
                 s.orifices, s.gases, curves_of(s.total_inflow), s.heat_convection);
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

/// The gas of the start in `volume` at `time`.
GasState ambient_gas(const Inflation& gas, double time, double volume);

/// The gas at `time`, when its volume is `volume`; it changes linearly over the step. Fourth order
/// Runge-Kutta, in parts of the step where gas flows fast.
void advance_gas(const Inflation& gas, const model::Model& model, double time, double volume,
                 GasState& state);

}  // namespace crumple::loads
