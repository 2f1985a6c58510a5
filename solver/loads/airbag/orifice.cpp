// Flow through holes.
#include "loads/airbag/orifice.hpp"

#include <algorithm>
#include <cmath>

namespace crumple::loads {

double curve_or(const model::Model& model, LocalId curve, double at, double otherwise) {
  return curve == model::kNone ? otherwise : model.curves[static_cast<std::size_t>(curve)](at);
}

double nozzle_flux(double gas_constant, double g, double pressure, double temperature, double outside) {
  if (!(pressure > outside)) return 0;
  const double critical = std::pow(2 / (g + 1), g / (g - 1));
  const double q = std::max(outside / pressure, critical);
  return pressure / std::sqrt(gas_constant * temperature) *
         std::sqrt(2 * g / (g - 1) * (std::pow(q, 2 / g) - std::pow(q, (g + 1) / g)));
}

double flow_through(const Orifice& hole, const model::Model& model, const BeforeHole& gas) {
  const double c = hole.coefficient_by_time != model::kNone
                       ? curve_or(model, hole.coefficient_by_time, gas.time, 0)
                       : curve_or(model, hole.coefficient_by_pressure, gas.pressure, hole.coefficient);
  double through = gas.flux;
  if (hole.speed_by_pressure != model::kNone) {
    const double speed = gas.pressure > gas.outside
                             ? std::max(0.0, curve_or(model, hole.speed_by_pressure, gas.pressure, 0))
                             : 0;
    through = speed * gas.mass / gas.volume;
  }
  return c * hole.area * curve_or(model, hole.area_by_pressure, gas.pressure, 1.0) * through;
}

}  // namespace crumple::loads
