// Tells the other ranks how much memory they may take, and lets them work.
#include "control/linear_ranks.hpp"

#include <algorithm>
#include <cmath>

#include "base/free_memory.hpp"
#include "control/freed_memory.hpp"

namespace crumple::control {

namespace {

/// Bytes of memory2=, or of memory=, for each rank that has no part of the model; the deck may give it, which
/// only rank 0 has read. 0: no limit is given. Collective.
double given_limit(const Options& options, const parallel::Communicator& comm) {
  const MemoryLimit& limit = options.memory;
  const double words = limit.memory2.value_or(limit.memory.value_or(0.0));
  return comm.max(comm.root() ? words * (options.single_precision ? sizeof(float) : sizeof(double)) : 0.0);
}

}  // namespace

int ranks_on_machine(const parallel::Communicator& comm) { return static_cast<int>(comm.sum_on_machine(1)); }

int help_rank_0(const Options& options, const parallel::Communicator& comm, int on_machine) {
  double limit = given_limit(options, comm);
  if (limit <= 0.0) {
    const double left = available_memory();
    limit = std::isfinite(left) ? kOfMemory * left / on_machine : 0.0;
  }
  keep_freed_memory();
  return implicit::linear::work(comm, {options.threads, limit});
}

void tell_helpers(const Options& options, const parallel::Communicator& comm) { given_limit(options, comm); }

}  // namespace crumple::control
