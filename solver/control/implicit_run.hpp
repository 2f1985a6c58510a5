// An implicit run: steps, their iterations on the screen, results.
#pragma once

#include <chrono>

#include "control/echo.hpp"
#include "control/linear_ranks.hpp"
#include "control/options.hpp"
#include "control/start_up.hpp"
#include "control/version.hpp"
#include "decomposition/distribution.hpp"
#include "output/results.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// What the run has from its start.
struct ImplicitStart {
  output::Catalogue catalogue;
  StartUp start_up;
  Echo echo;
  std::size_t dropped = 0;  ///< parts of the deck that are left out (--allow-unsupported)
  std::chrono::steady_clock::time_point began;
  LinearRanks linear{};
};

/// Steps to the end time. Throws Error before the first step. On rank 0, which has all of the model.
/// @param comm of this rank alone
/// @param subdomain what only the start needs is freed
/// @returns the exit status
int run_implicit(const Options& options, const parallel::Communicator& comm,
                 decomposition::Subdomain& subdomain, ImplicitStart start, const Version& version);

}  // namespace crumple::control
