// A run from deck to results.
#pragma once

#include "control/options.hpp"
#include "control/version.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// Runs the deck on all ranks; results carry `version`. Collective. Throws Error; what rank 0 alone finds is
/// thrown there alone.
/// @returns the exit status
int run(const Options& options, const parallel::Communicator& comm, const Version& version);

}  // namespace crumple::control
