// The input of a run, read and checked on rank 0 before the model is distributed.
#pragma once

#include <optional>

#include "control/input.hpp"
#include "control/options.hpp"
#include "control/restart_decks.hpp"
#include "control/restarted.hpp"
#include "decomposition/directions.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// Data of rank 0 before the model is distributed.
struct Plan {
  std::optional<Input> input;
  decomposition::Directions directions;
  RestartDecks restart_decks;
  bool show = false;  ///< only the decomposition is requested
};

/// Reads and checks the deck on rank 0; errors that stop the run are printed. Collective.
/// @param restarted the dump from which the run goes on: then the deck must be its deck, or a restart deck
/// @returns the exit status
Exit read_on_root(Options& options, const parallel::Communicator& comm,
                  const std::optional<Restarted>& restarted, Plan& plan);

}  // namespace crumple::control
