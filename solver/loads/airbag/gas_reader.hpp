// Reads fields of airbags whose gas has mass, with reports that name the bag.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "loads/airbag/airbag.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

/// Reads one airbag's fields, and reports with its label.
class GasReader {
 public:
  GasReader(model::Builder& build, const model::Record& record, const std::string& label, Airbag& bag)
      : build_(build), r_(record), label_(label), bag_(bag), gas_(bag.inflation) {
    gas_.active = true;
  }

  void wrong(const char* field, const std::string& what) {
    build_.error("CR-D310", fmt::format("{}: {}", label_, what), r_.place(field));
  }
  double positive(const char* field) {
    const double value = r_.real(field);
    if (!(value > 0)) wrong(field, fmt::format("{} is {}, it must be positive", field, value));
    return value;
  }
  double not_negative(const char* field) {
    const double value = r_.real(field);
    if (value < 0) wrong(field, fmt::format("{} is {}, it must not be negative", field, value));
    return value;
  }
  LocalId curve(const char* field) {
    const GlobalId id = r_.integer(field);
    return id == 0 ? model::kNone : build_.find_curve(id, label_, r_.place(field));
  }
  /// A value, or with a minus the number of a curve.
  void value_or_curve(const char* field, double& value, LocalId& curve) {
    value = r_.real(field);
    if (value >= 0) return;
    curve = build_.find_curve(std::llround(-value), label_, r_.place(field));
    value = 1;
  }

  /// CV, CP or A, B, MW, GASC; PE, RO, TEXT.
  void heat_capacities() {
    gas_.ambient_pressure = positive("PE");
    const double density = positive("RO");
    if (r_.real("CV") != 0) {
      gas_.heat = positive("CP");
      gas_.gas_constant = gas_.heat - positive("CV");
      if (!(gas_.gas_constant > 0)) return wrong("CP", "CP must be above CV");
      gas_.ambient_temperature = gas_.ambient_pressure / (density * gas_.gas_constant);
      return;
    }
    const double weight = positive("MW");
    gas_.heat = positive("A") / weight;
    gas_.heat_slope = not_negative("B") / weight;
    gas_.gas_constant = positive("GASC") / weight;
    gas_.ambient_temperature = positive("TEXT");
    if (!(gas_.heat > gas_.gas_constant)) return wrong("A", "A must be above GASC");
    const double of_gas = gas_.ambient_pressure / (gas_.gas_constant * gas_.ambient_temperature);
    if (std::abs(of_gas - density) > 0.01 * density)
      build_.warn("CR-D330",
                  fmt::format("{}: RO = {} is not that of its gas at PE and TEXT, {}, which it has here",
                              label_, density, of_gas),
                  r_.place("RO"));
  }

  /// A mass flow over time; 0 is none.
  LocalId mass_flow(GlobalId id, const Place& place) {
    if (id == 0) return model::kNone;
    const LocalId found = build_.find_curve(id, label_, place);
    if (found == model::kNone) return found;
    const model::Curve& rate = build_.model.curves[static_cast<std::size_t>(found)];
    if (rate.sidr != 0)
      build_.unsupported(fmt::format("{}: inflow in dynamic relaxation (SIDR of curve {}) is not supported",
                                     label_, rate.id),
                         place);
    if (std::ranges::any_of(rate.y, [](double y) { return y < 0; }))
      build_.error("CR-D310", fmt::format("{}: curve {} has a negative mass flow", label_, rate.id), place);
    return found;
  }
  void inflow(const char* field) { gas_.inflow = mass_flow(r_.integer(field), r_.place(field)); }
  void temperature_is_given() {
    gas_.inflow_temperature = not_negative("T");
    if (gas_.inflow != model::kNone && gas_.temperature_curve == model::kNone && gas_.inflow_temperature == 0)
      wrong("T", "the temperature T of the inflow is missing");
  }
  /// An orifice by a coefficient or its curve over time, and an area or its curve over pressure.
  Orifice orifice(const char* coefficient, const char* by_time, const char* area, const char* by_pressure) {
    Orifice hole{.coefficient = not_negative(coefficient), .area = r_.real(area)};
    if (hole.area < 0)
      build_.unsupported(
          fmt::format("{}: {} = {}, the area of a part as a vent, is not supported", label_, area, hole.area),
          r_.place(area));
    if (hole.coefficient == 0) hole.coefficient_by_time = curve(by_time);
    if (hole.area == 0) hole.area_by_pressure = curve(by_pressure);
    if (hole.area_by_pressure != model::kNone) hole.area = 1;
    return hole;
  }
  /// C23 to LCA23.
  void vent() {
    Orifice hole = orifice("C23", "LCC23", "A23", "LCA23");
    hole.pops = true;
    if (hole.is_open()) gas_.orifices.push_back(hole);
  }
  void outflow(const char* field) {
    gas_.outflow = curve(field);
    const bool holes = std::ranges::any_of(gas_.orifices, [](const Orifice& o) { return o.pops; });
    if (gas_.outflow != model::kNone && holes)
      build_.unsupported(fmt::format("{}: {} together with an orifice is not supported", label_, field),
                         r_.place(field));
  }

  model::Builder& build_;
  const model::Record& r_;
  const std::string& label_;
  Airbag& bag_;
  Inflation& gas_;
};

}  // namespace crumple::loads
