// An implicit run: steps, their iterations on the screen, results.
#pragma once

#include <chrono>

#include "control/echo.hpp"
#include "control/options.hpp"
#include "control/start_up.hpp"
#include "control/version.hpp"
#include "decomposition/distribution.hpp"
#include "output/results.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// What the run has from its start, on rank 0.
struct ImplicitStart {
  output::Catalogue catalogue;
  StartUp start_up;
  Echo echo;
  std::size_t dropped = 0;  ///< parts of the deck that are left out (--allow-unsupported)
  std::chrono::steady_clock::time_point began;
};

/// Steps to the end time. Throws Error before the first step. Collective.
/// @param subdomain what only the start needs is freed
/// @returns the exit status
int run_implicit(const Options& options, const parallel::Communicator& comm,
                 decomposition::Subdomain& subdomain, ImplicitStart start, const Version& version);

}  // namespace crumple::control
