// The cases of a deck (*CASE), run one after another: results are told apart by the JOBID of their case.
#pragma once

#include "control/options.hpp"
#include "control/version.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// Does what the command line asks for, with a deck of cases for each of them that is chosen (case=), in the
/// deck's order; a request to stop ends the cases that follow, too. Collective. Throws as run() does.
/// @returns the exit status, of several cases the largest
int run_cases(const Options& options, const parallel::Communicator& comm, const Version& version);

/// The options with what the deck says of the case with this jobid: its subcases, and the words of its
/// command line that were not given. Local. Throws Error CR-D018, CR-K011.
Options with_case(Options options);

}  // namespace crumple::control
