// Reads and checks the deck and builds the whole model, on rank 0.
#pragma once

#include "control/options.hpp"
#include "control/start_up.hpp"
#include "deck/deck.hpp"
#include "decomposition/directions.hpp"
#include "model/history_names.hpp"
#include "model/model.hpp"
#include "preparation/initial_penetrations.hpp"

namespace crumple::control {

struct Input {
  deck::Deck deck;
  model::Model model;
  std::vector<preparation::PenetrationPair> penetrations;  ///< at the start, the deepest first
  decomposition::Directions directions;                    ///< of the deck
  model::HistoryNames history_names;
  deck::DeckSize deck_size;
  std::uint64_t deck_checksum = 0;  ///< of all its files; 0 if nothing is run
  StartUp start_up;
};

/// Reads the deck, builds the model, applies the command line's overrides and prepares it.
/// Problems are in `deck.problems()`.
/// @param restart_decks whose changes are applied to the model; null: there are none
Input read_input(const Options& options, class RestartDecks* restart_decks = nullptr);

/// Of all files of a deck, in the order in which they are read.
std::uint64_t checksum_of(const deck::Deck& deck);

/// Prints problems as `file:line: error CR-...: text`, with a maximum per kind, and their number.
/// @returns number of errors
std::size_t print_problems(const deck::Deck& deck);

/// The keyword matrix as Markdown, from the schema. @returns the exit status
int print_keywords();

/// `crumple check`: reports the contents of the deck. @returns the exit status
int check(const Options& options);

}  // namespace crumple::control
