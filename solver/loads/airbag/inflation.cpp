// The gas over a step.
#include "loads/airbag/inflation.hpp"

#include <algorithm>
#include <cmath>

#include "loads/load_curve.hpp"

namespace crumple::loads {

namespace {

/// Change of mass and energy in a step's part must be below this share.
constexpr double kSmallChange = 0.02;
constexpr int kMostParts = 1000;

double heat_capacity(const Inflation& gas, double t) { return gas.heat + gas.heat_slope * t; }
double enthalpy(const Inflation& gas, double t) { return (gas.heat + 0.5 * gas.heat_slope * t) * t; }

/// The root of u = (a - R) T + b T^2 / 2, also where b is 0.
double temperature_of(const Inflation& gas, double u) {
  const double cv = gas.heat - gas.gas_constant;
  return 2 * u / (cv + std::sqrt(cv * cv + 2 * gas.heat_slope * u));
}

/// What the gas has at an instant.
struct Instant {
  double time, volume, mass, energy;
};

struct Rates {
  double inflow, outflow, heating, pressure, temperature;
};

Rates rates_of(const Inflation& gas, const model::Model& model, const Instant& now, double volume_rate,
               bool popped) {
  Rates r{};
  r.temperature = temperature_of(gas, now.energy / now.mass);
  r.pressure = now.mass * gas.gas_constant * r.temperature / now.volume;
  r.inflow = load_value(model, gas.inflow, now.time, model::Stage::transient);
  const double hot = curve_or(model, gas.temperature_curve, now.time, gas.inflow_temperature);
  const BeforeHole before{now.time,   r.pressure,           now.mass,
                          now.volume, gas.ambient_pressure, orifice_flux(gas, r.pressure, r.temperature)};
  for (const Orifice& hole : gas.orifices)
    if (!hole.pops || popped) r.outflow += flow_through(hole, model, before);
  const double gauge = r.pressure - gas.ambient_pressure;
  if (popped && gauge > 0) r.outflow += std::max(0.0, curve_or(model, gas.outflow, gauge, 0));
  r.heating =
      r.inflow * enthalpy(gas, hot) - r.outflow * enthalpy(gas, r.temperature) - r.pressure * volume_rate;
  return r;
}

}  // namespace

double orifice_flux(const Inflation& gas, double pressure, double temperature) {
  const double cp = heat_capacity(gas, temperature);
  return nozzle_flux(gas.gas_constant, cp / (cp - gas.gas_constant), pressure, temperature,
                     gas.ambient_pressure);
}

GasState ambient_gas(const Inflation& gas, double time, double volume) {
  GasState s;
  s.time = time;
  s.volume = volume;
  s.temperature = gas.temperature_at_start();
  s.pressure = gas.pressure_at_start();
  s.mass = s.pressure * volume / (gas.gas_constant * s.temperature);
  s.energy = s.mass * (enthalpy(gas, s.temperature) - gas.gas_constant * s.temperature);
  s.started = 1;
  s.popped = gas.first_overpressure >= gas.pop_pressure ? 1 : 0;
  return s;
}

void advance_gas(const Inflation& gas, const model::Model& model, double time, double volume, GasState& s) {
  const double step = time - s.time;
  if (!(step > 0)) return;
  const double rate = (volume - s.volume) / step;
  const auto at = [&](const Instant& now) { return rates_of(gas, model, now, rate, s.popped != 0); };
  Instant now{s.time, s.volume, s.mass, s.energy};
  const Rates first = at(now);
  const double change =
      std::max({step * (first.inflow + first.outflow) / s.mass, step * std::abs(first.heating) / s.energy,
                std::abs(volume - s.volume) / std::min(volume, s.volume)});
  const int parts = static_cast<int>(std::clamp(std::ceil(change / kSmallChange), 1.0, double(kMostParts)));
  const double h = step / parts;
  for (int k = 0; k < parts; ++k) {
    const auto moved = [&](const Rates& r, double dt) {
      return Instant{now.time + dt, now.volume + dt * rate, now.mass + dt * (r.inflow - r.outflow),
                     now.energy + dt * r.heating};
    };
    const Rates a = at(now), b = at(moved(a, 0.5 * h)), c = at(moved(b, 0.5 * h)), d = at(moved(c, h));
    now.mass +=
        h / 6 *
        (a.inflow - a.outflow + 2 * (b.inflow - b.outflow + c.inflow - c.outflow) + d.inflow - d.outflow);
    now.energy += h / 6 * (a.heating + 2 * (b.heating + c.heating) + d.heating);
    now.time = s.time + (k + 1) * h;
    now.volume = s.volume + (k + 1) * h * rate;
  }
  now.time = time, now.volume = volume;
  const Rates last = at(now);
  s.time = time, s.volume = volume, s.mass = now.mass, s.energy = now.energy;
  s.temperature = last.temperature, s.pressure = last.pressure;
  s.inflow = last.inflow, s.outflow = last.outflow;
  if (s.pressure - gas.ambient_pressure > gas.pop_pressure) s.popped = 1;
}

}  // namespace crumple::loads
