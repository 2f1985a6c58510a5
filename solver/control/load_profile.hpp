// Seconds of each phase on each rank, as a table.
#pragma once

#include <string>

#include "base/timers.hpp"
#include "parallel/communicator.hpp"

namespace crumple::control {

/// A line of phase names, then one line per rank; on rank 0, empty elsewhere. Collective.
std::string load_profile(const parallel::Communicator& comm, const Timers& timers);

}  // namespace crumple::control
