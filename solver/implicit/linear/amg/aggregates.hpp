// Aggregates of nodes: the nodes of the next level (Vanek, Mandel and Brezina 1996, "Algebraic multigrid by
// smoothed aggregation for second and fourth order elliptic problems", Computing 56, 179-196, algorithm 2).
//
// First nodes whose neighbours are all free take these: the nodes that do are the first maximal set, in the
// order of nodes, in which no two are within two edges. What is left joins an aggregate beside it, then forms
// aggregates of its own. All of it is defined by the order of nodes, not by who works on which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "implicit/linear/amg/row_pattern.hpp"

namespace crumple::implicit::linear::amg {

struct Aggregates {
  std::int32_t count = 0;
  std::vector<std::int32_t> of;  ///< by node
};

/// @param graph of nodes; a node may be its own neighbour
Aggregates aggregates_of(const RowPattern& graph);

/// Which nodes share a block.
/// @param node of each row, ascending
RowPattern node_graph(const RowPattern& rows, std::span<const std::int32_t> node, std::int32_t n_nodes);

}  // namespace crumple::implicit::linear::amg
