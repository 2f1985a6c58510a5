// abstat as text and in binout, with LS-DYNA's layout and names.
#include "loads/airbag/abstat.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "output/ascii/histories.hpp"
#include "output/ascii/numbers.hpp"
#include "output/binout/binout.hpp"

namespace crumple::loads {

void Abstat::write(output::AsciiHistories& file, double time, std::int64_t) const {
  using output::real;
  output::AsciiHistories::Legend legend;
  std::string text =
      "\n\n      time   airbag/cv #  volume        pressure    internal energy      dm/dt in      density "
      "dm/dt out  total mass gas temp. surface area   reaction\n";
  for (std::size_t i = 0; i < gas_.states().size(); ++i) {
    const Airbags::State& s = gas_.states()[i];
    const Airbag& bag = gas_.inputs()[i];
    const GasState& gas = gas_.gases()[i];
    const double density = gas.started ? gas.mass / gas.volume : 0.0;
    if (!bag.title.empty()) legend.emplace_back(bag.id, bag.title);
    text += fmt::format("{}{:8d}{}{}{}{}{}", real(time, 12, 5), bag.id, real(s.volume, 15, 4),
                        real(s.pressure, 15, 4), real(s.energy, 15, 4), real(gas.inflow, 15, 4),
                        real(density, 15, 4));
    text += fmt::format("{}{}{}{}{}\n", real(gas.outflow, 11, 3), real(gas.mass, 11, 3),
                        real(gas.temperature, 11, 3), real(s.area, 11, 3), real(0.0, 11, 3));
  }
  file.append("abstat", legend, "", text);
}

void Abstat::write(output::BinoutWriter& file, double time, std::int64_t cycle) const {
  if (file.begin("abstat")) {
    std::vector<GlobalId> ids;
    std::vector<std::string> titles;
    for (const Airbag& bag : gas_.inputs()) ids.push_back(bag.id), titles.push_back(bag.title);
    file.ids("ids", ids);
    file.legend(ids, titles);
  }
  using State = Airbags::State;
  const std::span<const State> rows = gas_.states();
  file.begin_state("abstat");
  file.real("time", time);
  file.integer("cycle", cycle);
  file.column("volume", rows, [](const State& s) { return s.volume; });
  file.column("pressure", rows, [](const State& s) { return s.pressure; });
  file.column("internal_energy", rows, [](const State& s) { return s.energy; });
  file.column("surface_area", rows, [](const State& s) { return s.area; });
  const std::span<const GasState> gases = gas_.gases();
  file.column("dm_dt_in", gases, [](const GasState& g) { return g.inflow; });
  file.column("density", gases, [](const GasState& g) { return g.started ? g.mass / g.volume : 0.0; });
  file.column("dm_dt_out", gases, [](const GasState& g) { return g.outflow; });
  file.column("total_mass", gases, [](const GasState& g) { return g.mass; });
  file.column("gas_temp", gases, [](const GasState& g) { return g.temperature; });
  file.column("reaction", rows, [](const State&) { return 0.0; });
  file.publish();
}

}  // namespace crumple::loads
