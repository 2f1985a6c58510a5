// How far nodes have moved at some time of a run: the file that --write-displacements leaves and
// --displacements takes.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "state/nodal.hpp"

namespace crumple::control {

/// The file has 32 bytes for each node: its id (an 8-byte integer) and how far it has moved along x, y, z
/// (8-byte floats). Here it is in ascending order of ids. Collective.
void write_displacements(const std::string& path, const state::Nodal& nodal,
                         const parallel::Communicator& comm);

/// Positions of all nodes, in their order; those that the file does not name, in any order, stay where they
/// are. Throws Error CR-P023 if it cannot be read, is cut off, or names a node that is not in the model.
std::vector<Vec3> displaced_nodes(const model::Nodes& nodes, const std::string& path);

}  // namespace crumple::control
