// The nodes to prefetch for each block: those that no block shortly before has used.
#pragma once

#include <cstddef>
#include <span>

#include "state/groups.hpp"

namespace crumple::state {

/// Fill ElementGroup::prefetch and first_prefetch in the order in which a cycle runs the blocks: those at the
/// border first.
///
/// @param n_nodes nodes of the rank
template <class T>
void list_prefetch(std::span<ElementGroup<T>> groups, std::size_t n_nodes);

}  // namespace crumple::state
