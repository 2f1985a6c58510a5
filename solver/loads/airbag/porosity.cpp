// Porous materials of airbags.
#include "loads/airbag/porosity.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace crumple::loads {

using model::Builder;
using model::kNone;
using model::Record;

namespace {

constexpr int kFabric = 34;

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
void read_porosity(Builder& build, const std::string& label, Airbag& bag) {
  for (const auto& item : porous_areas(build, bag.segments)) {
    const Porosity& porous = item.second;
    if (porous.option != 0 && porous.option != 1 && porous.option != 7) {
      build.unsupported(fmt::format("{}: leakage with FVOPT = {} of {} is not supported; 1 and 7 are", label,
                                    porous.option, porous.of),
                        porous.place);
      continue;
    }
    Orifice fabric{porous.flc, porous.area};
    const auto curve = [&](double number) {
      return build.find_curve(std::llround(-number), label, porous.place);
    };
    if (porous.flc < 0) fabric.coefficient_by_time = curve(porous.flc);
    if (porous.option == 7 && porous.fac >= 0) {
      build.error("CR-D310",
                  fmt::format("{}: with FVOPT = 7, FAC of {} must be the negative number of a curve", label,
                              porous.of),
                  porous.place);
      continue;
    }
    if (porous.option == 7)
      fabric.speed_by_pressure = curve(porous.fac);
    else if (porous.fac < 0)
      fabric.area_by_pressure = curve(porous.fac);
    else
      fabric.area *= porous.fac;
    bag.inflation.orifices.push_back(fabric);
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

void read_leakage(Builder& build, const Record& r, const std::string& label, const Orifice& leak,
                  Airbag& bag) {
  const GlobalId option = r.integer("OPT");
  if (option == 1) {
    if (leak.is_open())
      build.warn("CR-D330",
                 fmt::format("{}: CP23 and AP23, or their curves, have no effect with OPT = 1", label),
                 r.place("CP23"));
    return read_porosity(build, label, bag);
  }
  if (option != 0)
    build.unsupported(fmt::format("{}: OPT = {} is not supported; 0 and 1 are", label, option),
                      r.place("OPT"));
  if (leak.is_open()) bag.inflation.orifices.push_back(leak);
  if (const std::optional<Porosity> fabric = porous_fabric(build, bag))
    build.unsupported(fmt::format("{}: OPT = 0 with FLC and FAC of {} is not supported; OPT = 1 uses these",
                                  label, fabric->of),
                      r.place("OPT"));
}

}  // namespace crumple::loads
