// A run from deck to results.
#pragma once

#include "control/options.hpp"
#include "control/version.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// Runs the deck on all ranks; results carry `version`. Collective. Throws Error; errors that only rank 0
/// finds are thrown on rank 0 only.
/// @returns the exit status
int run(const Options& options, const parallel::Communicator& comm, const Version& version);

}  // namespace crumple::control
