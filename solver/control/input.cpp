// From files to the whole model; all errors are reported together.
#include "control/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "control/restart_decks.hpp"
#include "control/wide_ids.hpp"
#include "deck/coverage.hpp"
#include "decomposition/deck_cards.hpp"
#include "implicit/refused.hpp"
#include "model/deck_to_model.hpp"
#include "preparation/prepare.hpp"
#include "restart/checksum.hpp"

namespace crumple::control {

namespace {

/// Rows of *NODE of loaded nodes that may be without mass, taken while the deck still has its rows. Ties,
/// which may move some of them, are found later.
std::map<GlobalId, Place> places_of_massless_nodes(const deck::Deck& deck, const model::Model& model) {
  std::map<GlobalId, Place> places;
  for (const GlobalId node : preparation::nodes_without_mass(model)) places[node] = {};
  if (places.empty()) return places;
  const deck::Bulk& rows = deck.bulk("NODE");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const auto found = places.find(rows.integers[0][i]); found != places.end())
      found->second = deck.place(rows.file[i], rows.line[i]);
  return places;
}

/// Whether parts are left out because of --allow-unsupported.
bool parts_left_out(const deck::Deck& deck) {
  return std::ranges::any_of(deck.problems(), [](const deck::Problem& p) { return p.id == "CR-D321"; });
}

/// The decomposition cards of the deck; a mistake in a pfile in the deck is an error of the deck.
decomposition::Directions deck_directions(deck::Deck& deck) {
  try {
    return decomposition::read_cards(deck);
  } catch (const Error& error) {
    deck.report(deck::Severity::error, error.id(), error.message(), error.place());
    return {};
  }
}

/// The units of the command line have priority over those of the deck.
std::string units_of(const Options& options, const deck::Deck& deck, const std::string& of_deck) {
  if (!options.units.empty() && !of_deck.empty() && options.units != of_deck)
    deck.report(
        deck::Severity::warning, "CR-K003",
        fmt::format("--units {} has priority over *CONTROL_UNITS, which has {}", options.units, of_deck),
        deck.all("CONTROL_UNITS").back().place());
  return options.units.empty() ? of_deck : options.units;
}

/// Data that preparation needs beside the model, taken while the deck still has its rows.
preparation::Request request_of(const Options& options, const deck::Deck& deck, const model::Model& model) {
  preparation::Request request;
  request.costs_only = deck.has_errors();
  if (!request.costs_only) request.places_of_nodes = places_of_massless_nodes(deck, model);
  request.parts_left_out = parts_left_out(deck);
  if (!options.costs.empty())
    request.costs = decomposition::read_costs(options.costs, options.single_precision);
  return request;
}

/// Findings become problems of the deck.
void report(deck::Deck& deck, std::span<const preparation::Finding> findings) {
  for (const preparation::Finding& finding : findings)
    deck.report(finding.is_error ? deck::Severity::error : deck::Severity::warning, finding.id,
                finding.message, finding.place);
}

/// What an implicit run does not have is an error, since it cannot be left out.
void report_implicit(deck::Deck& deck, const model::Model& model) {
  if (!model.control.implicit.active || deck.has_errors()) return;
  Place place;
  for (const char* const asks :
       {"CONTROL_DYNAMIC_RELAXATION", "INTERFACE_SPRINGBACK_SEAMLESS", "CONTROL_IMPLICIT_GENERAL"})
    if (const auto keywords = deck.all(asks); !keywords.empty()) place = keywords.back().place();
  for (std::string& text : implicit::refused(model))
    deck.report(deck::Severity::error, "CR-I101", std::move(text), place);
  for (std::string& text : implicit::without_effect(model))
    deck.report(deck::Severity::warning, "CR-D330", std::move(text), place);
}

}  // namespace

std::uint64_t checksum_of(const deck::Deck& deck) {
  restart::Checksum sum;
  std::vector<char> piece(std::size_t(1) << 20);
  for (const std::string& path : deck.files())
    for (std::ifstream file(path, std::ios::binary);
         file.read(piece.data(), std::ssize(piece)), file.gcount() > 0;)
      sum.add(std::as_bytes(std::span(piece).first(static_cast<std::size_t>(file.gcount()))));
  return sum.value();
}

Input read_input(const Options& options, RestartDecks* restart_decks) {
  StartUp start_up;
  deck::Deck deck = deck::read_deck(options.deck, {options.allow_unsupported, options.subcases});
  model::Model model = model::build_model(deck, {options.allow_unsupported});
  if (!options.double_files) report_wide_ids(deck);
  model.control.units = units_of(options, deck, model.control.units);
  if (restart_decks) restart_decks->apply(model);
  if (options.end_time) model.control.end_time = *options.end_time;
  if (options.end_cycle) model.control.end_cycle = *options.end_cycle;
  if (options.dump_cycles) model.output.dumps.runrsf = *options.dump_cycles;
  const deck::DeckSize deck_size = deck.size();
  const std::uint64_t checksum = options.command == Command::run ? checksum_of(deck) : 0;
  preparation::Request request = request_of(options, deck, model);
  deck.release_rows();
  start_up.done("read");
  preparation::Prepared prepared = preparation::prepare(std::move(model), request);
  report(deck, prepared.findings);
  report_implicit(deck, prepared.model);
  decomposition::Directions directions = deck_directions(deck);
  model::HistoryNames names = model::read_history_names(deck);
  deck::report_unused(deck);
  start_up.done("contact surfaces");
  return {std::move(deck),
          std::move(prepared.model),
          std::move(prepared.penetrations),
          std::move(directions),
          std::move(names),
          deck_size,
          checksum,
          start_up};
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
