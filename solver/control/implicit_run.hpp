// Implicit steps of a run: their iterations on the screen, results, dumps.
#pragma once

#include "control/run_services.hpp"

namespace crumple::control {

/// Steps to the end of the phase. Throws Error before the first step. Collective.
PhaseEnd run_implicit(RunInput& input, Services& services, const PhaseOfRun& phase);

}  // namespace crumple::control
