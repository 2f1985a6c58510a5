// Which thread works on which blocks of elements, and where their forces go.
//
// Threads add to the rank's sums of forces at once, without waiting for each other: a block at whose nodes
// only one thread has elements adds to them directly. The others (a few per cent) add to sums that a thread
// keeps apart, and their nodes' sums are joined in the end. Sums are integers: the order changes nothing.
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"
#include "state/groups.hpp"

namespace crumple::explicit_dynamics {

/// Blocks [begin, end) of a group.
struct BlockRange {
  std::size_t group;
  std::int32_t begin, end;
  bool apart;  ///< add to sums that the thread keeps apart
};

struct BlockShares {
  std::vector<std::vector<BlockRange>> of_thread;
  std::vector<LocalId> joined;  ///< nodes at which a thread keeps sums apart, ascending
};

/// Shares for `threads` threads of about equal cost, of all groups at the border or of all others. Thread 0
/// keeps nothing apart.
///
/// @param costs of each group's blocks; empty: what their formulation says
template <class T>
BlockShares share_blocks(std::span<const state::ElementGroup<T>> groups, bool border, std::size_t n_nodes,
                         int threads, std::span<const std::vector<double>> costs = {});

}  // namespace crumple::explicit_dynamics
