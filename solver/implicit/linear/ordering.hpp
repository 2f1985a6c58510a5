// The order in which rows of blocks are eliminated: it decides how many entries and operations a factor has.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::linear {

/// Rows of blocks that have equations, and those of them that each shares a block with.
struct RowGraph {
  std::vector<std::int32_t> row;         ///< of the pattern, for each vertex
  std::vector<std::int64_t> begin;       ///< first neighbour of a vertex; (n_vertices + 1)
  std::vector<std::int32_t> neighbours;  ///< vertices, ascending; a vertex is not its own neighbour

  std::int32_t size() const { return static_cast<std::int32_t>(row.size()); }
  std::span<const std::int32_t> of(std::int32_t vertex) const {
    return std::span(neighbours)
        .subspan(static_cast<std::size_t>(begin[vertex]),
                 static_cast<std::size_t>(begin[vertex + 1] - begin[vertex]));
  }
};

RowGraph row_graph(const BlockPattern& pattern);

/// Vertices in order of elimination, by METIS (Karypis and Kumar 1998). Throws Error if METIS fails or the
/// graph is larger than its integers.
std::vector<std::int32_t> metis_order(const RowGraph& graph);

/// Vertices in order of elimination, by nested dissection (George 1973) with planes.
/// @param positions of the pattern's rows of blocks
std::vector<std::int32_t> geometric_order(const RowGraph& graph, std::span<const Vec3> positions);

/// One of both.
std::vector<std::int32_t> order_of(const RowGraph& graph, std::span<const Vec3> positions, Ordering ordering);

}  // namespace crumple::implicit::linear
