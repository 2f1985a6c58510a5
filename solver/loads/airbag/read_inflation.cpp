// The gas of *AIRBAG_SIMPLE_AIRBAG_MODEL and *AIRBAG_WANG_NEFSKE.
#include "loads/airbag/read_inflation.hpp"

#include <string>

#include "loads/airbag/gas_reader.hpp"
#include "loads/airbag/porosity.hpp"

namespace crumple::loads {

using model::Builder;
using model::Record;

void read_simple_gas(Builder& build, const Record& r, const std::string& label, Airbag& bag) {
  GasReader read(build, r, label, bag);
  Inflation& gas = bag.inflation;
  read.heat_capacities();
  read.inflow("LCID");
  read.temperature_is_given();
  Orifice hole{.pops = true};
  read.value_or_curve("MU", hole.coefficient, hole.coefficient_by_pressure);
  read.value_or_curve("AREA", hole.area, hole.area_by_pressure);
  if (hole.coefficient != 0 && hole.area != 0) gas.orifices.push_back(hole);
  read.outflow("LOU");
  warn_of_porosity(build, label, bag);
}

void read_wang_nefske_gas(Builder& build, const Record& r, const std::string& label, Airbag& bag) {
  GasReader read(build, r, label, bag);
  Inflation& gas = bag.inflation;
  read.heat_capacities();
  read.inflow("LCMT");
  if (r.integer("LCMT") == 0)
    build.unsupported(fmt::format("{}: an inflator instead of a mass flow LCMT is not supported", label),
                      r.place("LCMT"));
  gas.temperature_curve = read.curve("LCT");
  read.temperature_is_given();
  if (r.real("GC") != 1)
    build.unsupported(
        fmt::format("{}: GC = {} is not supported; 1, of consistent units, is", label, r.real("GC")),
        r.place("GC"));
  read.vent();
  read.outflow("LCEFR");
  gas.pop_pressure = read.not_negative("PPOP");
  gas.first_overpressure = read.not_negative("POVER");
  gas.first_temperature = read.not_negative("IABT");
  if (r.real("CV") == 0) gas.heat_convection = read.not_negative("HCONV");
  if (gas.heat_convection != 0) gas.make_mixture();
  read_leakage(build, r, label, read.orifice("CP23", "LCCP23", "AP23", "LCAP23"), bag);
}

}  // namespace crumple::loads
