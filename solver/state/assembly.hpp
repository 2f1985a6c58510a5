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

/// Mass of each part's elements over all ranks; the last entry is that of lumped masses. Collective.
std::vector<double> part_masses(const model::Model& model, const parallel::Communicator& comm);

/// Masses of the rank's nodes from the elements of some parts, summed over the ranks; without lumped masses.
/// Collective.
struct LumpedMasses {
  std::vector<double> mass, inertia;
};
LumpedMasses lump_parts(const model::Model& model, std::span<const LocalId> parts,
                        const parallel::Halo& halo);

/// Takes some part of the nodes' own masses; returns it after ties have transferred it to their segments'
/// nodes.
using Transfer = std::function<std::vector<double>(std::vector<double>)>;

}  // namespace crumple::state
