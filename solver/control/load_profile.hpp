// Seconds of each phase on each rank, as a table.
#pragma once

#include <string>

#include "base/timers.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// A line of phase names, then one line per rank; on rank 0, empty elsewhere. Collective.
std::string load_profile(const parallel::Communicator& comm, const Timers& timers);

/// Replaces the file at once, so that readers find a whole table. It is not forced onto the disk, for which
/// the run would have to wait.
/// @throws Error CR-O101, CR-O102
void replace_load_profile(const std::string& path, const std::string& table);

}  // namespace crumple::control
