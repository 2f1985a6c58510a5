// Ties in runs (consecutive ranges, one per thread), and which ties share a node with ties of other runs.
//
// Consecutive ties share segments. So a thread adds forces to nodes to which no other thread adds, except for
// the few ties where two runs meet. Only these need atomic additions, which take as long as ten plain ones.
// Sums are integers: the order does not matter.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace crumple::contact {

/// Index of the first of `n` ties in run `run` of `runs`; the run before ends there.
inline std::size_t run_begin(std::size_t n, std::size_t run, std::size_t runs) { return n * run / runs; }

/// By tie: whether another run has a tie to one of its nodes, too.
///
/// @param segments the nodes to which each tie adds
/// @param n_nodes greater than any node index
std::vector<char> find_meetings(std::span<const std::array<LocalId, 4>> segments, std::size_t runs,
                                std::size_t n_nodes);

}  // namespace crumple::contact
