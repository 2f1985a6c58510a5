// Reactions of constraints, forces of prescribed motions and loads, gathered on rank 0 for spcforc and
// bndout.
#pragma once

#include <vector>

#include "explicit/solver.hpp"
#include "output/results.hpp"

namespace crumple::output {

/// Nodes with single-point constraints, those of rigid bodies too, ascending.
std::vector<HeldNode> held_nodes(const model::Model& whole);
/// Nodes and bodies that loads and prescribed motions act on, each once and ascending.
BoundaryInfo boundary_info(const model::Model& whole);

/// At the solver's kept moment, on rank 0; `catalogue` is used there only. Collective.
SpcforcBlock gather_constraint_forces(const parallel::Communicator& comm, const Catalogue& catalogue,
                                      const explicit_dynamics::Solver& solver);
BndoutBlock gather_boundary_forces(const parallel::Communicator& comm, const Catalogue& catalogue,
                                   const explicit_dynamics::Solver& solver);

/// Cross sections in the axes they ask for, on rank 0. Collective.
std::vector<SecforcRow> gather_sections(const explicit_dynamics::Solver& solver);

}  // namespace crumple::output
