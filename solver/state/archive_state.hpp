// Nodes and elements by name, for archives (state/archive.hpp).
#pragma once

#include <span>

#include "model/model.hpp"
#include "parallel/index_map.hpp"
#include "state/archive.hpp"
#include "state/groups.hpp"
#include "state/nodal.hpp"

namespace crumple::state {

/// Positions, velocities, accelerations and masses; loads are of one cycle and no state.
void archive_nodes(Archive& archive, const parallel::IndexMap& nodes, Nodal& nodal);

/// State, life, stable step and energies of every element that deforms, part by part: which elements a group
/// has depends on ranks, so its fields are those of its kind, part and form. What a kernel leaves in the
/// variables of a deleted element may depend on ranks, and nothing that goes on does on it.
template <class T>
void archive_groups(Archive& archive, const model::Model& model, std::span<ElementGroup<T>> groups);

}  // namespace crumple::state
