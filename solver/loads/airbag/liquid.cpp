// Pressure and mass of a liquid in a closed surface.
#include "loads/airbag/liquid.hpp"

#include <algorithm>
#include <cmath>

#include "loads/load_curve.hpp"

namespace crumple::loads {

namespace {
constexpr int kHalvings = 60;
}

double liquid_pressure(const Liquid& liquid, const model::Model& model, double mass, double volume,
                       double time, model::Stage stage) {
  const double bulk = curve_or(model, liquid.bulk_curve, time, liquid.bulk);
  const double p = bulk * std::max(0.0, std::log(mass / (liquid.density * volume))) +
                   load_value(model, liquid.added, time, stage);
  const double limit = curve_or(model, liquid.limit_curve, time, liquid.limit);
  return limit > 0 || liquid.limit_curve != model::kNone ? std::min(p, limit) : p;
}

namespace {

/// The mass at the end of a step whose flows by time give `fed`: M = fed - dt H(p(M)).
double mass_after(const Liquid& liquid, const model::Model& model, double fed, double step, double time,
                  double volume, model::Stage stage) {
  const auto out = [&](double mass) {
    const double p = liquid_pressure(liquid, model, mass, volume, time, stage);
    return std::max(0.0, curve_or(model, liquid.outflow_by_pressure, p, 0));
  };
  double high = fed, low = fed - step * out(fed);
  if (!(low < high)) return fed;
  while (low > 0 && low + step * out(low) > fed) low -= high - low;  // where more leaves at less pressure
  low = std::max(low, 0.0);
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    (middle + step * out(middle) > fed ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

void advance_liquid(const Liquid& liquid, const model::Model& model, double time, double volume,
                    model::Stage stage, GasState& s) {
  const double step = time - s.time;
  const bool flows = stage == model::Stage::transient;
  if (s.started == 0) {
    s.mass = liquid.density * volume;
    s.started = 1;
  } else if (flows && step > 0) {
    const auto over = [&](LocalId curve) {
      return 0.5 * step * (load_value(model, curve, s.time, stage) + load_value(model, curve, time, stage));
    };
    const double into = over(liquid.inflow), out = over(liquid.outflow), fed = s.mass + into - out;
    s.mass = mass_after(liquid, model, fed, step, time, volume, stage);
    s.inflow = into / step, s.outflow = (out + fed - s.mass) / step;
  }
  s.time = time, s.volume = volume;
  s.pressure = liquid_pressure(liquid, model, s.mass, volume, time, stage);
}

}  // namespace crumple::loads
