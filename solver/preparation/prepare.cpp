// The steps of preparation in their order, and their findings in words.
#include "preparation/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <type_traits>
#include <utility>

#include "preparation/build_surfaces.hpp"
#include "preparation/find_ties.hpp"
#include "preparation/massless_freedoms.hpp"
#include "preparation/part_masses.hpp"
#include "preparation/smoothing_lengths.hpp"
#include "preparation/unused_fields.hpp"

namespace crumple::preparation {

namespace {

using Findings = std::vector<Finding>;

/// Distributes the masses of *ELEMENT_MASS_PART; this needs the elements' masses, which are not in the deck.
void spread_masses(model::Model& model, Findings& findings) {
  for (const model::PartMass& lost : spread_part_masses(model))
    findings.push_back({"CR-E011",
                        fmt::format("*ELEMENT_MASS_PART {}: no shells or solids take the mass", lost.id),
                        lost.place});
}

/// Masses of parts, surfaces and ties. False if the deck's input is not possible.
bool fill_model(model::Model& model, Findings& findings) {
  const auto add = [&](Findings found) { std::ranges::move(found, std::back_inserter(findings)); };
  try {
    set_smoothing_lengths(model);
    spread_masses(model, findings);
    add(build_surfaces(model));
    add(unused_fields(model));
    add(find_ties(model));
    return true;
  } catch (const Error& error) {
    findings.push_back({error.id(), error.message(), error.place(), true});
    return false;
  }
}

/// Initial penetrations by pair of parts, and a warning for each contact that has any.
std::vector<PenetrationPair> initial_penetrations(model::Model& model, Findings& findings) {
  const auto found = remove_initial_penetrations(model);
  auto pairs = by_parts(model, found);
  std::set<std::int32_t> reported;
  for (const PenetrationPair& deepest : pairs) {
    if (!reported.insert(deepest.contact).second) continue;
    const model::Contact& contact = model.contacts[deepest.contact];
    std::int64_t nodes = 0, n_pairs = 0;
    for (const PenetrationPair& pair : pairs)
      if (pair.contact == deepest.contact) nodes += pair.nodes, ++n_pairs;
    findings.push_back(
        {"CR-C013",
         fmt::format("contact {}: {} initial penetrations in {} pairs of parts; the deepest: node {} "
                     "of part {} is {:.4g} inside part {}{}",
                     contact.id, nodes, n_pairs, deepest.deepest, deepest.node_part, deepest.depth,
                     deepest.segment_part,
                     contact.ignore == 0 && contact.soft != 2
                         ? "; nodes of deformable parts were moved out, those of rigid bodies push "
                           "only where they go deeper"
                         : ""),
         contact.place});
  }
  return pairs;
}

/// If parts are left out, the loads on their nodes are left out, too.
void leave_out_loads(model::Model& model, Findings& findings) {
  const std::vector<GlobalId> nodes = release_massless_freedoms(model);
  if (nodes.empty()) return;
  findings.push_back(
      {"CR-E406",
       fmt::format("{} node{} no mass since parts are left out, such as node {}: springs, loads and "
                   "pressures on {} are left out, too",
                   nodes.size(), nodes.size() == 1 ? " has" : "s have", nodes.front(),
                   nodes.size() == 1 ? "it" : "them"),
       {}});
}

/// Reports nodes without mass on which springs and loads would act without effect.
void refuse_massless_freedoms(const model::Model& model, const std::map<GlobalId, Place>& places,
                              Findings& findings) {
  constexpr std::size_t most = 20;
  const std::vector<MasslessFreedom> found = find_massless_freedoms(model);
  for (std::size_t k = 0; k < std::min(found.size(), most); ++k) {
    const auto& [node, rotation, by] = found[k];
    const std::string others =
        k + 1 == most && found.size() > most ? fmt::format("; so are {} others", found.size() - most) : "";
    const auto place = places.find(node);
    findings.push_back({"CR-E405",
                        fmt::format("node {} has no {} and is free where {} acts on it: {}{}", node,
                                    rotation ? "rotational inertia" : "mass", by,
                                    rotation ? "hold its rotation, or attach what has inertia"
                                             : "give it mass (*ELEMENT_MASS), hold it or move it",
                                    others),
                        place == places.end() ? Place{} : place->second, true});
  }
}

}  // namespace

Prepared prepare(model::Model model, const Request& request) {
  Prepared prepared;
  decomposition::set_costs(model, request.costs);
  if (!request.costs_only && fill_model(model, prepared.findings)) {
    // Implicit runs move no nodes: their contacts take initial penetrations into account by IGNORE.
    const model::Implicit& implicit = model.control.implicit;
    if (!implicit.active || implicit.springback.active)
      prepared.penetrations = initial_penetrations(model, prepared.findings);
    if (request.parts_left_out)
      leave_out_loads(model, prepared.findings);
    else
      refuse_massless_freedoms(model, request.places_of_nodes, prepared.findings);
  }
  prepared.model = std::move(model);
  return prepared;
}

std::vector<GlobalId> nodes_without_mass(const model::Model& model) {
  std::vector<GlobalId> nodes;
  for (const MasslessFreedom& freedom : find_massless_freedoms(model)) nodes.push_back(freedom.node);
  return nodes;
}

void release_start(model::Model& model) {
  if (model.control.implicit.eigenvalues.by_curve != model::kNone) return;  // solvers of modes start later
  const auto free = [](auto& array) { std::remove_reference_t<decltype(array)>().swap(array); };
  for (model::Contact& contact : model.contacts)
    for (model::Surface* side : {&contact.a, &contact.b}) {
      free(side->segments);
      for (auto* list : {&side->node_neighbours, &side->segment_neighbours, &side->line_neighbours})
        free(*list);
    }
  free(model.initial_velocities);
}

}  // namespace crumple::preparation
