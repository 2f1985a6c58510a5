// Nodal arrays at t = 0: lumped masses, scales of the fixed-point sums, initial velocities.
#pragma once

#include <vector>

#include "decomposition/distribution.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/halo.hpp"
#include "state/nodal.hpp"

namespace crumple::state {

/// Nodal arrays of a share, masses summed over ranks and scales equal on all copies. Collective.
/// Throws Error CR-E... naming element and part for bad geometry.
Nodal make_nodal(const decomposition::Share& share, const parallel::Communicator& comm,
                 const parallel::Halo& halo);

/// Mass of each part's elements, and last of lumped masses, over all ranks. Collective.
std::vector<double> part_masses(const model::Model& model, const parallel::Communicator& comm);

}  // namespace crumple::state
