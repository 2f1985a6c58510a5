// The tree of an elimination: which row of blocks is eliminated next of those that a row's elimination
// changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "implicit/linear/ordering.hpp"

namespace crumple::implicit::linear {

/// A graph's vertices by their place in the order of elimination, in which every vertex comes after all that
/// are below it in the tree, and the vertices of each subtree follow each other.
struct EliminationTree {
  std::vector<std::int32_t> order;   ///< vertex of the graph, by place
  std::vector<std::int32_t> place;   ///< of each vertex of the graph
  std::vector<std::int32_t> parent;  ///< place; -1 of a root
  /// Equations of a place's column of the factor: its own, and all below the diagonal.
  std::vector<std::int64_t> count;
};

/// The tree (Liu 1990, "The role of elimination trees in sparse factorization"), with the order changed to a
/// postorder of it, which fills as much; and the counts of columns (Gilbert, Ng and Peyton 1994, "An
/// efficient algorithm to compute row and column counts for sparse Cholesky factorization"), with a weight
/// for each row.
/// @param order vertices in an order of elimination
/// @param sizes equations of each vertex of the graph, above 0
EliminationTree elimination_tree(const RowGraph& graph, std::vector<std::int32_t> order,
                                 std::span<const std::int32_t> sizes);

/// Nodes of a forest, every one after its children, in ascending order of rank.
/// @param parent -1 of a root
/// @param rank of each node; equal ranks, and all nodes if there are none, by number
std::vector<std::int32_t> postorder(std::span<const std::int32_t> parent, std::span<const double> rank = {});

}  // namespace crumple::implicit::linear
