// Ties in runs, one for each thread, and which of them meet ties of other runs at a node.
//
// Ties that follow each other share segments, so that the thread of a run adds forces to nodes where no other
// adds any, but for the few ties where two runs meet. Only these need atomic additions, each of which takes
// as long as ten plain ones. Sums are integers: the order changes nothing.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace crumple::contact {

/// Where run `run` of `runs` begins among `n` ties, and so where the one before it ends.
inline std::size_t run_begin(std::size_t n, std::size_t run, std::size_t runs) { return n * run / runs; }

/// By tie: whether another run has a tie to one of its nodes, too.
///
/// @param segments the nodes to which each tie adds
/// @param n_nodes more than any of them
std::vector<char> find_meetings(std::span<const std::array<LocalId, 4>> segments, std::size_t runs,
                                std::size_t n_nodes);

}  // namespace crumple::contact
