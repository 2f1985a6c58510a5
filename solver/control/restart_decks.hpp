// The small decks of restarts: the one of this restart, and those of the restarts before it.
#pragma once

#include <string>
#include <vector>

#include "control/options.hpp"
#include "control/restarted.hpp"
#include "deck/deck.hpp"
#include "explicit/state_changes.hpp"
#include "model/model.hpp"
#include "restart/changes.hpp"
#include "restart/index.hpp"

namespace crumple::control {

/// Restart decks in the order in which they were applied, on rank 0. Their changes of the model are applied
/// again at every restart; those of the state are in the dump, except for the last deck's if it is new.
class RestartDecks {
 public:
  RestartDecks() = default;
  /// Reads the decks that the dump names, and that of `options.deck` if it is not the deck of the run: then
  /// `options.deck` becomes the deck of the run. The last deck of the dump is not applied a second time.
  /// @throws Error CR-D001, CR-T030 if a deck of the dump is missing or was changed
  RestartDecks(Options& options, const Restarted& from);

  /// To be called when the model has been built, before it is prepared. Mistakes become problems of the
  /// decks.
  void apply(model::Model& model);
  /// Prints the problems of the decks. @returns number of errors
  std::size_t print_problems() const;
  /// For the index of later dumps.
  std::vector<restart::DeckUsed> used() const;
  /// Changes of state by the new deck.
  const explicit_dynamics::StateChanges& state() const { return state_; }
  /// What the new deck changes; empty without one.
  std::string text() const;

 private:
  struct Read {
    deck::Deck deck;
    restart::Changes changes;
    restart::DeckUsed used;
  };
  std::vector<Read> decks_;
  bool new_ = false;  ///< the last one is of this restart
  explicit_dynamics::StateChanges state_;
};

}  // namespace crumple::control
