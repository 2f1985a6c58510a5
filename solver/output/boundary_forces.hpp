// Reactions of constraints, forces of prescribed motions and loads, gathered on rank 0 for spcforc and
// bndout.
#pragma once

#include <vector>

#include "output/results_view.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

/// Nodes with single-point constraints, including those of rigid bodies, ascending.
std::vector<HeldNode> held_nodes(const model::Model& whole);
/// Nodes and bodies with loads or prescribed motions, each once and ascending.
BoundaryInfo boundary_info(const model::Model& whole);

/// On rank 0, from the rank's own model; `catalogue` is used on rank 0 only. Collective.
SpcforcBlock gather_constraint_forces(const parallel::Communicator& comm, const model::Model& local,
                                      const Catalogue& catalogue, const ResultsView& results);
BndoutBlock gather_boundary_forces(const parallel::Communicator& comm, const model::Model& local,
                                   const Catalogue& catalogue, const ResultsView& results);

}  // namespace crumple::output
