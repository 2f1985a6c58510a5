// A run that finds modes of free vibration: eigout, d3eigv, and a table on the screen.
#pragma once

#include "control/implicit_run.hpp"

namespace crumple::control {

/// Finds the modes about the model's state at the start. Throws Error. Collective.
/// @returns the exit status
int run_eigenvalues(const Options& options, const parallel::Communicator& comm,
                    const decomposition::Subdomain& subdomain, ImplicitStart start, const Version& version);

}  // namespace crumple::control
