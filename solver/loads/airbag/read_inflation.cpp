// The gas of *AIRBAG_SIMPLE_AIRBAG_MODEL and *AIRBAG_WANG_NEFSKE.
#include "loads/airbag/read_inflation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace crumple::loads {

using model::Builder;
using model::kNone;
using model::Record;

namespace {

constexpr int kFabric = 34;

/// Reads one airbag's fields, and reports with its label.
class GasReader {
 public:
  GasReader(Builder& build, const Record& record, const std::string& label, Airbag& bag)
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
    return id == 0 ? kNone : build_.find_curve(id, label_, r_.place(field));
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

  void inflow(const char* field) {
    gas_.inflow = curve(field);
    if (gas_.inflow == kNone) return;
    const model::Curve& rate = build_.model.curves[static_cast<std::size_t>(gas_.inflow)];
    if (rate.sidr != 0)
      build_.unsupported(fmt::format("{}: inflow in dynamic relaxation (SIDR of curve {}) is not supported",
                                     label_, rate.id),
                         r_.place(field));
    if (std::ranges::any_of(rate.y, [](double y) { return y < 0; }))
      wrong(field, fmt::format("curve {} has a negative mass flow", rate.id));
  }
  void temperature_is_given() {
    gas_.inflow_temperature = not_negative("T");
    if (gas_.inflow != kNone && gas_.temperature_curve == kNone && gas_.inflow_temperature == 0)
      wrong("T", "the temperature T of the inflow is missing");
  }
  void outflow(const char* field) {
    gas_.outflow = curve(field);
    const bool holes = std::ranges::any_of(gas_.orifices, [](const Orifice& o) { return o.pops; });
    if (gas_.outflow != kNone && holes)
      build_.unsupported(fmt::format("{}: {} together with an orifice is not supported", label_, field),
                         r_.place(field));
  }

  Builder& build_;
  const Record& r_;
  const std::string& label_;
  Airbag& bag_;
  Inflation& gas_;
};

/// Leakage through a material.
struct Porosity {
  double flc = 0, fac = 0;  ///< negative: the number of a curve
  GlobalId option = 0;      ///< FVOPT
  double area = 0;          ///< in the bag
  std::string of;           ///< "*MAT_FABRIC 3"
  Place place;
};

/// Porous materials: *MAT_ADD_AIRBAG_POROSITY_LEAKAGE takes the place of what *MAT_FABRIC gives.
std::map<LocalId, Porosity> porous_materials(const Builder& build) {
  std::map<LocalId, Porosity> all;
  const std::vector<model::Material>& materials = build.model.materials;
  for (std::size_t k = 0; k < materials.size(); ++k) {
    const model::Material& m = materials[k];
    if (m.law == kFabric && m.field("FLC") != 0 && m.field("FAC") != 0)
      all[static_cast<LocalId>(k)] = {m.field("FLC"),
                                      m.field("FAC"),
                                      std::llround(m.field("FVOPT")),
                                      0,
                                      fmt::format("*{} {}", m.name, m.id),
                                      m.place};
  }
  for (const model::Keyword& k : build.deck.all("MAT_ADD_AIRBAG_POROSITY_LEAKAGE"))
    for (const Record& r : k.records())
      if (const LocalId m = build.materials.find(r.integer("MID")); m != kNone)
        all[m] = {r.real("X2/FLC"),
                  r.real("X3/FAC"),
                  r.integer("FVOPT"),
                  0,
                  fmt::format("*{} {}", k.name(), r.integer("MID")),
                  r.place()};
  return all;
}

/// Those that an airbag has, with their areas.
std::map<LocalId, Porosity> porous_areas(const Builder& build,
                                         const std::vector<std::array<LocalId, 4>>& segments) {
  const model::Model& m = build.model;
  std::map<LocalId, Porosity> all = porous_materials(build);
  if (all.empty()) return all;
  std::map<std::set<LocalId>, LocalId> shells;
  for (std::size_t e = 0; e < m.shells.size(); ++e) {
    const LocalId material = m.parts[static_cast<std::size_t>(m.shells.part[e])].material;
    if (all.contains(material))
      shells.emplace(std::set(m.shells.nodes[e].begin(), m.shells.nodes[e].end()), material);
  }
  for (const auto& segment : segments) {
    const auto found = shells.find(std::set(segment.begin(), segment.end()));
    if (found == shells.end()) continue;
    const auto x = [&](std::size_t a) { return m.nodes.x[static_cast<std::size_t>(segment[a])]; };
    all[found->second].area += 0.5 * norm(cross(x(2) - x(0), x(3) - x(1)));
  }
  std::erase_if(all, [](const auto& item) { return item.second.area == 0; });
  return all;
}

/// OPT = 1: FLC and FAC, with the initial area.
void read_porosity(GasReader& read, Builder& build) {
  for (const auto& item : porous_areas(build, read.bag_.segments)) {
    const Porosity& porous = item.second;
    if (porous.option != 0 && porous.option != 1 && porous.option != 7) {
      build.unsupported(fmt::format("{}: leakage with FVOPT = {} of {} is not supported; 1 and 7 are",
                                    read.label_, porous.option, porous.of),
                        porous.place);
      continue;
    }
    Orifice fabric{porous.flc, porous.area};
    const auto curve = [&](double number) {
      return build.find_curve(std::llround(-number), read.label_, porous.place);
    };
    if (porous.flc < 0) fabric.coefficient_by_time = curve(porous.flc);
    if (porous.option == 7 && porous.fac >= 0) {
      build.error("CR-D310",
                  fmt::format("{}: with FVOPT = 7, FAC of {} must be the negative number of a curve",
                              read.label_, porous.of),
                  porous.place);
      continue;
    }
    if (porous.option == 7)
      fabric.speed_by_pressure = curve(porous.fac);
    else if (porous.fac < 0)
      fabric.area_by_pressure = curve(porous.fac);
    else
      fabric.area *= porous.fac;
    read.gas_.orifices.push_back(fabric);
  }
}

/// The first porous material of an airbag, if it has any.
std::optional<Porosity> porous_fabric(const Builder& build, const Airbag& bag) {
  const std::map<LocalId, Porosity> areas = porous_areas(build, bag.segments);
  return areas.empty() ? std::nullopt : std::optional(areas.begin()->second);
}

}  // namespace

void warn_of_porosity(Builder& build, const std::string& label, const Airbag& bag) {
  const std::optional<Porosity> fabric = porous_fabric(build, bag);
  if (!fabric) return;
  build.warn("CR-D330",
             fmt::format("{}: FLC and FAC of {} have no effect; *AIRBAG_WANG_NEFSKE with OPT = 1 uses them",
                         label, fabric->of),
             fabric->place);
}

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
  Orifice vent{.coefficient = read.not_negative("C23"), .area = read.not_negative("A23"), .pops = true};
  if (vent.coefficient == 0) vent.coefficient_by_time = read.curve("LCC23");
  if (vent.area == 0) vent.area_by_pressure = read.curve("LCA23");
  if (vent.area_by_pressure != kNone) vent.area = 1;
  if ((vent.coefficient != 0 || vent.coefficient_by_time != kNone) && vent.area != 0)
    gas.orifices.push_back(vent);
  read.outflow("LCEFR");
  gas.pop_pressure = read.not_negative("PPOP");
  Orifice leak{.coefficient = read.not_negative("CP23"), .area = read.not_negative("AP23")};
  if (leak.coefficient == 0) leak.coefficient_by_time = read.curve("LCCP23");
  if (leak.area == 0) leak.area_by_pressure = read.curve("LCAP23");
  if (leak.area_by_pressure != kNone) leak.area = 1;
  const GlobalId option = r.integer("OPT");
  if (option == 1) {
    if ((leak.coefficient != 0 || leak.coefficient_by_time != kNone) && leak.area != 0)
      build.warn("CR-D330",
                 fmt::format("{}: CP23 and AP23, or their curves, have no effect with OPT = 1", label),
                 r.place("CP23"));
    return read_porosity(read, build);
  }
  if (option != 0)
    build.unsupported(fmt::format("{}: OPT = {} is not supported; 0 and 1 are", label, option),
                      r.place("OPT"));
  if ((leak.coefficient != 0 || leak.coefficient_by_time != kNone) && leak.area != 0)
    gas.orifices.push_back(leak);
  if (const std::optional<Porosity> fabric = porous_fabric(build, bag))
    build.unsupported(fmt::format("{}: OPT = 0 with FLC and FAC of {} is not supported; OPT = 1 uses these",
                                  label, fabric->of),
                      r.place("OPT"));
}

}  // namespace crumple::loads
