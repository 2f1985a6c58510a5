// Tells a restart deck from the deck of the run, and applies restart decks in their order.
#include "control/restart_decks.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "control/input.hpp"
#include "deck/coverage.hpp"
#include "restart/apply_changes.hpp"
#include "restart/deck_schema.hpp"

namespace crumple::control {

namespace fs = std::filesystem;

namespace {

deck::Deck read_deck(const std::string& path) { return deck::read_deck(path, {}, restart::deck_schema()); }

/// A model of its own makes a deck another one than that of the run.
void refuse_model(const deck::Deck& deck, const std::string& path, const Restarted& from) {
  for (const deck::Problem& p : deck.problems())
    for (const char* const keyword : {"*NODE", "*PART", "*ELEMENT_"})
      if (p.severity == deck::Severity::error && p.text.starts_with(keyword))
        throw Error("CR-T007",
                    fmt::format("the deck {} is not that of the dump {}, and no restart deck, as it has {}",
                                path, from.path, p.text.substr(0, p.text.find(':'))),
                    p.place);
}

}  // namespace

RestartDecks::RestartDecks(Options& options, const Restarted& from) {
  for (const restart::DeckUsed& used : from.index.decks) {
    if (!fs::exists(used.path))
      throw Error("CR-T030",
                  fmt::format("the restart deck {}, from which the run of the dump {} took changes, "
                              "is not there",
                              used.path, from.path));
    deck::Deck deck = read_deck(used.path);
    if (checksum_of(deck) != used.checksum)
      throw Error("CR-T030", fmt::format("the restart deck {} has changed since the run of the dump {} took "
                                         "changes from it",
                                         used.path, from.path));
    restart::Changes changes = restart::read_changes(deck);
    decks_.push_back({std::move(deck), std::move(changes), used});
  }
  const std::string path = path_from_root(options.deck), &of_run = from.index.origin.deck;
  if (path == of_run) return;
  deck::Deck deck = read_deck(options.deck);
  const std::uint64_t checksum = checksum_of(deck);
  if (checksum == from.index.origin.deck_checksum) return;  // the deck of the run in another place
  refuse_model(deck, options.deck, from);
  options.deck = of_run;
  // An automatic restart names the deck again, whose changes are in this dump already.
  if (!decks_.empty() && decks_.back().used.checksum == checksum) return;
  new_ = true;
  restart::Changes changes = restart::read_changes(deck);
  decks_.push_back({std::move(deck), std::move(changes), {path, checksum, from.index.moment}});
}

void RestartDecks::apply(model::Model& model) {
  for (Read& read : decks_) {
    const bool state = new_ && &read == &decks_.back();
    restart::apply(read.changes, read.deck, read.used.moment, model);
    if (state) state_ = restart::find_state_changes(read.changes, read.deck, read.used.moment, model);
    if (state) deck::report_unused(read.deck);
  }
}

std::size_t RestartDecks::print_problems() const {
  return new_ ? control::print_problems(decks_.back().deck) : 0;
}

std::vector<restart::DeckUsed> RestartDecks::used() const {
  std::vector<restart::DeckUsed> used;
  for (const Read& read : decks_) used.push_back(read.used);
  return used;
}

std::string RestartDecks::text() const {
  if (!new_) return {};
  return fmt::format(" restart deck {} changes:\n{}", decks_.back().used.path,
                     restart::to_text(decks_.back().changes));
}

}  // namespace crumple::control
