// Work and messages of each rank, predicted without a run: the file decomposition.json.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "decomposition/distribution.hpp"
#include "decomposition/partition.hpp"
#include "output/d3plot/state_layout.hpp"
#include "output/vtkhdf/step_rows.hpp"

namespace crumple::control {

/// Numbers of nodes that are sent to or received from ranks.
using Shared = std::vector<std::pair<int, std::int64_t>>;

/// Rows of plot states: pieces in which there are some, and how many.
using RowsInPieces = std::vector<std::pair<std::size_t, std::int32_t>>;

/// Nodes of one rank, its shared nodes and its rows of plot states; does not depend on positions.
struct RankNodes {
  std::int64_t all = 0, owned = 0;
  Shared shared, tied;
  RowsInPieces node_rows;
  std::array<RowsInPieces, output::kPlotKinds.size()> element_rows;
  RowsInPieces point_rows, cell_rows;  ///< of results.vtkhdf
  std::vector<char> has_body;          ///< by rigid body: whether the rank has nodes of it
};

/// Tied nodes, and nodes of segments to which others are tied.
std::vector<bool> nodes_of_ties(const model::Model& whole);

/// @param steps of the whole model
RankNodes rank_nodes(const decomposition::Subdomain& subdomain, const std::vector<bool>& tied,
                     const output::StepCounts& steps);

/// JSON of a decomposition; docs/decomposition.md describes it. Contacts are those with nodes at positions
/// `x`.
std::string traffic_json(const model::Model& whole, const decomposition::Partition& partition,
                         const decomposition::Cutter& cutter, std::span<const RankNodes> nodes,
                         const output::StepCounts& steps, std::span<const Vec3> x);

}  // namespace crumple::control
