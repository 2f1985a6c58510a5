// Nodes and elements by name, for archives (state/archive.hpp).
#pragma once

#include <span>

#include "model/model.hpp"
#include "parallel/index_map.hpp"
#include "state/archive.hpp"
#include "state/groups.hpp"
#include "state/nodal.hpp"

namespace crumple::state {

/// Positions, velocities, accelerations and masses. Loads belong to one cycle and are not state.
void archive_nodes(Archive& archive, const parallel::IndexMap& nodes, Nodal& nodal);

/// State, deletion, stable step and energies of every deformable element, part by part. Which elements a
/// group has depends on ranks, so fields are named by kind, part and formulation. The variables of a deleted
/// element may depend on ranks; nothing reads them any more.
template <class T>
void archive_groups(Archive& archive, const model::Model& model, std::span<ElementGroup<T>> groups);

}  // namespace crumple::state
