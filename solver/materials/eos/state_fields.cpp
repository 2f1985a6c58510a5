// The equation of state of a material from the deck.
#include "materials/eos/state_fields.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "materials/eos/hydro_history.hpp"

namespace crumple::materials {

namespace {

double field(const model::Material& material, const std::string& name) {
  return material.field("EOS." + name);
}

/// E0; refuses V0.
double initial_energy(const model::Material& material) {
  const double volume = field(material, "V0");
  if (volume != 0 && volume != 1)
    refuse(
        material, "CR-M105", "V0",
        fmt::format("V0 = {} of the equation of state: an initial relative volume is not supported", volume));
  return field(material, "E0");
}

void read_gruneisen(const model::Material& material, EquationOfState& eos) {
  eos.density = checked_density(material);
  eos.speed = field(material, "C");
  if (!(eos.speed > 0))
    refuse(material, "CR-M103", "C",
           fmt::format("C is {} in the equation of state, it must be positive", eos.speed));
  for (int k = 0; k < 3; ++k) eos.s[k] = field(material, fmt::format("S{}", k + 1));
  eos.gamma = field(material, "GAMAO");
  eos.a = field(material, "A");
}

/// The points EV1 to EV10 with the ordinates `letter`1 to 10.
PressureTable table_of(const model::Material& material, const std::string& letter) {
  std::vector<std::pair<double, double>> points;
  for (int k = 1; k <= PressureTable::kMostPoints; ++k)
    points.emplace_back(field(material, fmt::format("EV{}", k)),
                        field(material, fmt::format("{}{}", letter, k)));
  // Points at the end that are not given.
  const auto given = [&](std::size_t k) {
    return points[k].first != 0 || field(material, fmt::format("C{}", k + 1)) != 0 ||
           field(material, fmt::format("T{}", k + 1)) != 0;
  };
  while (!points.empty() && !given(points.size() - 1)) points.pop_back();
  std::ranges::sort(points, {}, &std::pair<double, double>::first);
  PressureTable table;
  table.n = static_cast<int>(points.size());
  if (table.n < 2)
    refuse(material, "CR-M107", "EV1",
           fmt::format("the equation of state has {} points, it needs two", table.n));
  for (int k = 0; k < table.n; ++k) {
    table.x[k] = points[static_cast<std::size_t>(k)].first;
    table.y[k] = points[static_cast<std::size_t>(k)].second;
    if (k > 0 && !(table.x[k] > table.x[k - 1]))
      refuse(material, "CR-M107", fmt::format("EV{}", k + 1),
             fmt::format("the equation of state has the volumetric strain {} twice", table.x[k]));
  }
  for (int k = 0; k + 1 < table.n; ++k)
    table.slope[k] = (table.y[k + 1] - table.y[k]) / (table.x[k + 1] - table.x[k]);
  return table;
}

}  // namespace

bool has_equation_of_state(const model::Material& material) { return material.fields.contains("EOS.FORM"); }

EquationOfState equation_of_state(const model::Material& material) {
  EquationOfState eos;
  eos.form = static_cast<StateForm>(static_cast<int>(field(material, "FORM")));
  eos.initial_energy = initial_energy(material);
  switch (eos.form) {
    case StateForm::polynomial:
      for (int k = 0; k < 7; ++k) eos.c[k] = field(material, fmt::format("C{}", k));
      break;
    case StateForm::gruneisen:
      read_gruneisen(material, eos);
      break;
    case StateForm::tabulated:
      eos.gamma = field(material, "GAMA");
      eos.cold = table_of(material, "C");
      eos.thermal = table_of(material, "T");
      break;
  }
  const StateTerms<double> rest = state_terms(eos, 1.0);
  const double energy = eos.initial_energy, pressure = rest.cold + rest.thermal * energy;
  eos.bulk = isentropic_bulk(rest, 1.0, energy, pressure);
  if (!(eos.bulk > 0))
    refuse(
        material, "CR-M103", "EOSID",
        fmt::format("the equation of state has the bulk modulus {} at rest, it must be positive", eos.bulk));
  return eos;
}

Prepared prepare_hydrodynamic(const model::Material& material, const EquationOfState& eos, double shear) {
  Prepared prepared;
  prepared.density = checked_density(material);
  const double k = eos.bulk;
  prepared.elastic = {9 * k * shear / (3 * k + shear), (3 * k - 2 * shear) / (2 * (3 * k + shear)), shear, k};
  prepared.n_history = kHydroVariables;
  return prepared;
}

}  // namespace crumple::materials
