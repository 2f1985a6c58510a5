// Which nodes are coupled so strongly that they may share an aggregate.
//
// Nodes must hold each other in more than one direction: those of bodies that contact without friction
// presses together slide over each other without stress, which an aggregate of both could not do. So the
// measure of a block A_ij is how much is left beside its largest singular values. With C = D_i^-1 A_ij D_j^-1
// A_ij', whose eigenvalues are the squares s^2 of the singular values of the block scaled by both diagonals,
// and e_k the elementary symmetric functions of these, it is e_2 / e_1 for 3 unknowns a row, about the second
// s^2, and e_4 / e_3 for 6, about the fourth: contact of two surfaces holds a motion along the normal and two
// turns.
#pragma once

#include <span>

#include "implicit/linear/amg/level_products.hpp"
#include "implicit/linear/amg/row_pattern.hpp"

namespace crumple::implicit::linear::amg {

/// Neighbours of each node, without itself. Where a node has none by the measure (bars), all count with which
/// it shares a block.
/// @param inverse_diagonal (n_rows, block, block)
/// @param node of each row, ascending
RowPattern strong_graph(const LevelMatrix& a, std::span<const double> inverse_diagonal,
                        std::span<const std::int32_t> node, std::int32_t n_nodes, int threads);

}  // namespace crumple::implicit::linear::amg
