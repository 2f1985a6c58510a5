// The ranks of an implicit run: rank 0 has the model, all share the linear equations.
#pragma once

#include "control/options.hpp"
#include "implicit/linear/workers.hpp"

namespace crumple::control {

/// Part of the memory that a machine has left, for stiffness and factor: as RDCMEM of
/// *CONTROL_IMPLICIT_SOLVER has by default.
inline constexpr double kOfMemory = 0.85;

/// What rank 0 has of the others.
struct LinearRanks {
  implicit::linear::Workers* workers = nullptr;  ///< null: there is one rank
  int on_machine = 1;                            ///< ranks that share the memory of this machine
};

/// Ranks of the run on this machine. Collective.
int ranks_on_machine(const parallel::Communicator& comm);

/// Works for the linear equations of rank 0 until the run ends, on another rank. Returns the status of the
/// run. Throws Error.
int help_rank_0(const Options& options, const parallel::Communicator& comm, int on_machine);
/// What help_rank_0 of the other ranks begins with. On rank 0.
void tell_helpers(const Options& options, const parallel::Communicator& comm);

}  // namespace crumple::control
