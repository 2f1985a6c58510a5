// A run that changes between implicit and explicit.
#pragma once

#include "control/restart_decks.hpp"
#include "control/run_services.hpp"

namespace crumple::control {

/// All phases, one after the other. Collective. @returns the exit status
int run_phases(RunInput& input, Services& services, const RestartDecks& restart_decks);

/// Explicit cycles to the end of the phase. Throws Error before the first cycle. Collective.
PhaseEnd run_explicit(RunInput& input, Services& services, const PhaseOfRun& phase,
                      const RestartDecks& restart_decks);

}  // namespace crumple::control
