// The nodes' shares of the area, volume and mass of parts.
#include "preparation/part_masses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "state/foam_shapes.hpp"
#include "state/groups.hpp"

namespace crumple::preparation {

using model::ElementKind;
using model::Model;

namespace {

using state::compact;
using state::Compact;
using state::element_input;
using state::part_formulation;
using state::PartFormulation;

struct Weights {
  std::map<LocalId, double> of_node;  ///< area, volume or mass
  double total = 0, mass = 0;
  bool shells = false, solids = false;
};

double area(const elements::ElementInput& input, std::size_t corners) {
  const Vec3* x = input.x;
  return corners == 3 ? 0.5 * norm(cross(x[1] - x[0], x[2] - x[0]))
                      : 0.5 * norm(cross(x[2] - x[0], x[3] - x[1]));
}

/// Adds the elements of one kind that belong to the parts.
void add_elements(const Model& m, ElementKind kind, const std::vector<LocalId>& part_of,
                  const model::PartMass& asked, Weights& weights) {
  std::map<std::pair<LocalId, std::pair<int, LocalId>>, PartFormulation> ready;
  const state::FoamShapes foams(m);
  for (LocalId e = 0; e < static_cast<LocalId>(part_of.size()); ++e) {
    const LocalId part = part_of[e];
    if (std::ranges::find(asked.parts, part) == asked.parts.end()) continue;
    const Compact c = compact(m, kind, e);
    auto it = ready.find({part, c.form()});
    if (it == ready.end())
      it = ready.emplace(std::pair{part, c.form()}, part_formulation(m, m.parts[part], c)).first;
    elements::ElementInput input = element_input(m, kind, e, c.nodes);
    foams.put(kind, part, c.nodes, input);
    const elements::NodalShare share = it->second.formulation->mass(input, it->second.parameters);
    double mass = 0;
    for (std::size_t a = 0; a < c.nodes.size(); ++a) mass += share.mass[a];
    // With one density, the mass of solids is proportional to their volume.
    const double measure = asked.by_mass                ? mass
                           : kind == ElementKind::shell ? area(input, c.nodes.size())
                                                        : mass / it->second.parameters.density;
    for (std::size_t a = 0; a < c.nodes.size(); ++a)
      weights.of_node[c.nodes[a]] += measure * share.mass[a] / mass;
    weights.total += measure;
    weights.mass += mass;
    (kind == ElementKind::shell ? weights.shells : weights.solids) = true;
  }
}

[[noreturn]] void refuse(const model::PartMass& asked, const std::string& why) {
  throw Error("CR-E010", fmt::format("*ELEMENT_MASS_PART {}: {}", asked.id, why), asked.place);
}

}  // namespace

std::vector<model::PartMass> spread_part_masses(Model& whole) {
  std::vector<model::PartMass> lost;
  for (const model::PartMass& asked : whole.part_masses) {
    Weights weights;
    add_elements(whole, ElementKind::shell, whole.shells.part, asked, weights);
    add_elements(whole, ElementKind::solid, whole.solids.part, asked, weights);
    if (!(weights.total > 0)) {
      lost.push_back(asked);
      continue;
    }
    if (weights.shells && weights.solids && !asked.by_mass)
      refuse(asked, "areas of shells and volumes of solids do not compare; MWD = 1 spreads by mass");
    const double added = asked.final_mass > 0 ? asked.final_mass - weights.mass : asked.added;
    if (!(added > 0))
      refuse(asked, fmt::format("the parts have {:.6g} already, more than FINMASS = {:.6g}", weights.mass,
                                asked.final_mass));
    for (const auto& [node, weight] : weights.of_node) {
      whole.masses.add(asked.id, node, added * (weight / weights.total));
    }
  }
  whole.part_masses.clear();
  return lost;
}

}  // namespace crumple::preparation
