// Nodal arrays at t = 0: lumped masses, scales of the fixed-point sums, initial velocities.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "decomposition/distribution.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/halo.hpp"
#include "state/nodal.hpp"

namespace crumple::state {

/// Nodal arrays of a subdomain, masses summed over ranks and scales equal on all copies. Collective.
/// Throws Error CR-E... naming element and part for bad geometry.
Nodal make_nodal(const decomposition::Subdomain& subdomain, const parallel::Communicator& comm,
                 const parallel::Halo& halo);

/// Mass of each part's elements, and last of lumped masses, over all ranks. Collective.
std::vector<double> part_masses(const model::Model& model, const parallel::Communicator& comm);

/// What the elements of some parts give each of the rank's nodes, summed over the ranks; without lumped
/// masses. Collective.
struct LumpedMasses {
  std::vector<double> mass, inertia;
};
LumpedMasses lump_parts(const model::Model& model, std::span<const LocalId> parts,
                        const parallel::Halo& halo);

/// What some part of the nodes' own masses is where ties hand it on.
using Transfer = std::function<std::vector<double>(std::vector<double>)>;

}  // namespace crumple::state
