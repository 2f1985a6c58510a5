// From files to the whole model, with everything that is wrong said at once.
#include "control/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "constraints/massless_freedoms.hpp"
#include "contact/build_surfaces.hpp"
#include "contact/tied/find_ties.hpp"
#include "contact/unused_fields.hpp"
#include "control/wide_ids.hpp"
#include "deck/coverage.hpp"
#include "decomposition/costs.hpp"
#include "decomposition/deck_cards.hpp"
#include "model/deck_to_model.hpp"
#include "state/part_masses.hpp"

namespace crumple::control {

namespace {

/// Initial penetrations by pair of parts, and a warning for each contact that has any.
std::vector<contact::PenetrationPair> initial_penetrations(deck::Deck& deck, model::Model& model) {
  const auto found = contact::remove_initial_penetrations(model);
  auto pairs = contact::by_parts(model, found);
  std::set<std::int32_t> told;
  for (const contact::PenetrationPair& deepest : pairs) {
    if (!told.insert(deepest.contact).second) continue;
    const model::Contact& contact = model.contacts[deepest.contact];
    std::int64_t nodes = 0, n_pairs = 0;
    for (const contact::PenetrationPair& pair : pairs)
      if (pair.contact == deepest.contact) nodes += pair.nodes, ++n_pairs;
    deck.report(deck::Severity::warning, "CR-C013",
                fmt::format("contact {}: {} initial penetrations in {} pairs of parts; the deepest: node {} "
                            "of part {} is {:.4g} inside part {}{}",
                            contact.id, nodes, n_pairs, deepest.deepest, deepest.node_part, deepest.depth,
                            deepest.segment_part,
                            contact.ignore == 0 && contact.soft != 2
                                ? "; nodes of deformable parts were moved out, those of rigid bodies push "
                                  "only where they go deeper"
                                : ""),
                contact.place);
  }
  return pairs;
}

/// Contact surfaces and initial penetrations; what the user should know becomes warnings of the deck.
void prepare_contacts(deck::Deck& deck, model::Model& model,
                      std::vector<contact::PenetrationPair>& penetrations) {
  using deck::Severity;
  try {
    for (const contact::SurfaceWarning& w : contact::build_surfaces(model))
      deck.report(Severity::warning, w.id, w.message, w.place);
    for (const contact::SurfaceWarning& w : contact::unused_fields(model))
      deck.report(Severity::warning, w.id, w.message, w.place);
    for (const contact::SurfaceWarning& w : contact::find_ties(model))
      deck.report(Severity::warning, w.id, w.message, w.place);
  } catch (const Error& error) {
    deck.report(Severity::error, error.id(), error.message(), error.place());
    return;
  }
  penetrations = initial_penetrations(deck, model);
}

/// Rows of *NODE of nodes that may be without mass where something acts on them, while the deck has its rows;
/// ties, which may move some of them, are found later.
std::map<GlobalId, Place> places_of_massless_nodes(const deck::Deck& deck, const model::Model& model) {
  std::map<GlobalId, Place> places;
  for (const auto& freedom : constraints::find_massless_freedoms(model)) places[freedom.node] = {};
  if (places.empty()) return places;
  const deck::Bulk& rows = deck.bulk("NODE");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const auto found = places.find(rows.integers[0][i]); found != places.end())
      found->second = deck.place(rows.file[i], rows.line[i]);
  return places;
}

/// Whether parts are left out, as --allow-unsupported asks.
bool parts_left_out(const deck::Deck& deck) {
  return std::ranges::any_of(deck.problems(), [](const deck::Problem& p) { return p.id == "CR-D321"; });
}

/// Nodes without mass that springs and loads would act on in vain. Where parts are left out, what acts on
/// their nodes is, too.
void check_massless_freedoms(deck::Deck& deck, model::Model& model, const std::map<GlobalId, Place>& places) {
  constexpr std::size_t most = 20;
  if (parts_left_out(deck)) {
    const std::vector<GlobalId> nodes = constraints::release_massless_freedoms(model);
    if (!nodes.empty())
      deck.report(
          deck::Severity::warning, "CR-E406",
          fmt::format("{} node{} no mass since parts are left out, such as node {}: springs, loads and "
                      "pressures on {} are left out, too",
                      nodes.size(), nodes.size() == 1 ? " has" : "s have", nodes.front(),
                      nodes.size() == 1 ? "it" : "them"),
          {});
    return;
  }
  const std::vector<constraints::MasslessFreedom> found = constraints::find_massless_freedoms(model);
  for (std::size_t k = 0; k < std::min(found.size(), most); ++k) {
    const auto& [node, rotation, by] = found[k];
    const std::string others =
        k + 1 == most && found.size() > most ? fmt::format("; so are {} others", found.size() - most) : "";
    const auto place = places.find(node);
    deck.report(deck::Severity::error, "CR-E405",
                fmt::format("node {} has no {} and is free where {} acts on it: {}{}", node,
                            rotation ? "rotational inertia" : "mass", by,
                            rotation ? "hold its rotation, or attach what has inertia"
                                     : "give it mass (*ELEMENT_MASS), hold it or move it",
                            others),
                place == places.end() ? Place{} : place->second);
  }
}

/// What *ELEMENT_MASS_PART asks for needs the elements' masses, which the model does not know.
void prepare_part_masses(deck::Deck& deck, model::Model& model) {
  try {
    for (const model::PartMass& lost : state::spread_part_masses(model))
      deck.report(deck::Severity::warning, "CR-E011",
                  fmt::format("*ELEMENT_MASS_PART {}: no shells or solids take the mass", lost.id),
                  lost.place);
  } catch (const Error& error) {
    deck.report(deck::Severity::error, error.id(), error.message(), error.place());
  }
}

/// What cards of the deck say about the decomposition; a mistake in a pfile there is an error of the deck.
decomposition::Directions deck_directions(deck::Deck& deck) {
  try {
    return decomposition::read_cards(deck);
  } catch (const Error& error) {
    deck.report(deck::Severity::error, error.id(), error.message(), error.place());
    return {};
  }
}

/// Those of the command line go before those of the deck.
std::string units_of(const Options& options, const deck::Deck& deck, const std::string& of_deck) {
  if (!options.units.empty() && !of_deck.empty() && options.units != of_deck)
    deck.report(deck::Severity::warning, "CR-K003",
                fmt::format("--units {} goes before *CONTROL_UNITS, which says {}", options.units, of_deck),
                deck.all("CONTROL_UNITS").back().place());
  return options.units.empty() ? of_deck : options.units;
}

}  // namespace

Input read_input(const Options& options) {
  StartUp start_up;
  deck::Deck deck = deck::read_deck(options.deck, {options.allow_unsupported});
  model::Model model = model::build_model(deck, {options.allow_unsupported});
  if (!options.double_files) report_wide_ids(deck);
  model.control.units = units_of(options, deck, model.control.units);
  const deck::DeckSize deck_size = deck.size();
  std::map<GlobalId, Place> massless;
  if (!deck.has_errors()) massless = places_of_massless_nodes(deck, model);
  deck.release_rows();
  start_up.done("read");
  if (options.end_time) model.control.end_time = *options.end_time;
  if (options.end_cycle) model.control.end_cycle = *options.end_cycle;
  if (!deck.has_errors()) prepare_part_masses(deck, model);
  std::vector<contact::PenetrationPair> penetrations;
  if (!deck.has_errors()) prepare_contacts(deck, model, penetrations);
  if (!deck.has_errors()) check_massless_freedoms(deck, model, massless);
  decomposition::set_costs(model, options.costs.empty()
                                      ? decomposition::MeasuredCosts{}
                                      : decomposition::read_costs(options.costs, options.single_precision));
  decomposition::Directions directions = deck_directions(deck);
  model::HistoryNames names = model::read_history_names(deck);
  deck::report_unused(deck);
  start_up.done("contact surfaces");
  return {std::move(deck), std::move(model), std::move(penetrations), std::move(directions), std::move(names),
          deck_size,       start_up};
}

std::size_t print_problems(const deck::Deck& deck) {
  std::size_t errors = 0, warnings = 0;
  for (const deck::Problem& p : deck.problems()) {
    const bool error = p.severity == deck::Severity::error;
    ++(error ? errors : warnings);
    fmt::print("{}: {} {}: {}\n", p.place.text(), error ? "error" : "warning", p.id, p.text);
  }
  if (errors + warnings > 0)
    fmt::print("{} error{}, {} warning{}\n", errors, errors == 1 ? "" : "s", warnings,
               warnings == 1 ? "" : "s");
  return errors;
}

}  // namespace crumple::control
