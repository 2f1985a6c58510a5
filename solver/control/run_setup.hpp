// What every run does before its first step: the choice of kernels, options of results, room for them.
#pragma once

#include <string>
#include <vector>

#include "control/options.hpp"
#include "control/restarted.hpp"
#include "control/time_limit.hpp"
#include "control/version.hpp"
#include "elements/kernel.hpp"
#include "output/recorder.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// The best instruction set that every rank has, or the requested one. Collective.
elements::Isa choose_isa(const parallel::Communicator& comm, const std::string& asked);

/// @param restarted files are cut back to its moment and go on; null: they are new
output::RecorderOptions recorder_options(const Options& options, const Version& version,
                                         const Restarted* restarted);

/// Moves results of an earlier run, when the deck can no longer stop this run. Local. @returns their new
/// folder, empty if there were none
std::string make_room(const Options& options, const parallel::Communicator& comm, const Restarted* restarted);

/// A line that says where they are; nothing if there were none.
std::string moved_text(const std::string& folder);

/// Limits of --walltime, of a Slurm job and of *CONTROL_CPU. For rank 0.
/// @param began from when elapsed time counts
TimeLimit limits_of_run(const Options& options, const model::Control& control,
                        TimeLimit::Clock::time_point began);

/// The peak memory of each rank, as a line of text. Collective.
std::string peak_memory_text(const parallel::Communicator& comm);
/// @param all bytes of each rank
std::string peak_memory_text(const std::vector<double>& all);

/// The line at the end of a run with --allow-unsupported, or nothing.
/// @param dropped places of the deck that were left out
std::string without_text(std::size_t dropped);

}  // namespace crumple::control
