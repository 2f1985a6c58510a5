// Displacements of nodes at some time of a run: the file that --write-displacements writes and
// --displacements reads.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "state/nodal.hpp"

namespace crumple::control {

/// The file has 32 bytes for each node: its id (an 8-byte integer) and its displacement along x, y, z (8-byte
/// floats). This function writes ascending ids. Collective.
void write_displacements(const std::string& path, const state::Nodal& nodal,
                         const parallel::Communicator& comm);

/// Positions of all nodes, in their order. The file may have nodes in any order; nodes that are not in the
/// file keep their positions. Throws Error CR-P023 if the file cannot be read, is truncated, or has a node
/// that is not in the model.
std::vector<Vec3> displaced_nodes(const model::Nodes& nodes, const std::string& path);

}  // namespace crumple::control
