// A run that finds modes of free vibration: eigout, d3eigv, and a table on the screen.
#pragma once

#include "control/run_services.hpp"

namespace crumple::control {

/// Finds the modes about the model's state at the start. Throws Error. Collective.
/// @returns the exit status
int run_eigenvalues(RunInput& input);

}  // namespace crumple::control
