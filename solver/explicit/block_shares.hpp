// Which thread computes which blocks of elements, and to which sums it adds their forces.
//
// Threads add forces concurrently, without locks. A block whose nodes belong to one thread only adds directly
// to the rank's sums. The other blocks (a few per cent) add to separate sums of their thread, which are added
// to the rank's sums at the end. Sums are integers: the order does not matter.
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
  bool apart;  ///< add to the thread's separate sums
};

struct BlockShares {
  std::vector<std::vector<BlockRange>> of_thread;
  std::vector<LocalId> joined;  ///< nodes with separate sums of a thread, ascending
};

/// Shares of about equal cost for `threads` threads, of all groups at the border or of all others. Thread 0
/// has no separate sums.
///
/// @param costs of each group's blocks; empty: the costs of the formulations
template <class T>
BlockShares share_blocks(std::span<const state::ElementGroup<T>> groups, bool border, std::size_t n_nodes,
                         int threads, std::span<const std::vector<double>> costs = {});

}  // namespace crumple::explicit_dynamics
