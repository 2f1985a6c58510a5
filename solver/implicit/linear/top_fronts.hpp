// Fronts that several ranks make together, or from what others made: those above the subtrees of ranks.
//
// The panels of such a front (front_shape.hpp) are on ranks, each whole on one. All ranks know all of these
// fronts, of which there are few; the matrix's blocks only come to those whose panels take them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/members.hpp"
#include "implicit/linear/assembly.hpp"
#include "implicit/linear/tiles.hpp"

namespace crumple::implicit::linear {

/// A child of a top front.
struct TopChild {
  std::int32_t top = -1;   ///< its number among top fronts; -1: a rank makes it alone
  std::int32_t rank = 0;   ///< which, then
  std::int32_t front = 0;  ///< and its number among the fronts of that rank
  std::int64_t updated = 0;
  std::vector<RowRun> runs;  ///< its rows in the parent
};
CRUMPLE_MEMBERS(TopChild, top, rank, front, updated, runs)

struct TopFront {
  FrontShape shape;
  std::int32_t parent = -1;        ///< among top fronts
  std::int64_t equation = 0;       ///< its first, in order of elimination
  std::int64_t scale = 0;          ///< its first among the pivots of all top fronts
  std::vector<std::int32_t> rank;  ///< of each panel: those of pivots, then those of the update matrix
  std::vector<TopChild> children;  ///< in the order in which they are added up

  /// Ranks that begin and end a solution's way up through the pivots' panels.
  std::int32_t first_rank() const { return rank.front(); }
  std::int32_t last_rank() const { return rank[static_cast<std::size_t>((shape.pivots - 1) / kTile)]; }
};
CRUMPLE_MEMBERS(TopFront, shape, parent, equation, scale, rank, children)

/// A block of the matrix in a top front.
struct TopBlock {
  std::int64_t value = 0;            ///< its first
  std::int32_t column = 0, row = 0;  ///< of the front
  std::int16_t columns = 0, rows = 0;
  std::int32_t transposed = 0;  ///< its values are column by column of the front's rows
};
CRUMPLE_MEMBERS(TopBlock, value, column, row, columns, rows, transposed)

/// Where columns of a child's update matrix go: to one panel of the parent, from one rank to one rank. Their
/// values follow each other in the child's memory.
struct UpdatePiece {
  std::size_t child = 0;   ///< of the front's
  std::int64_t panel = 0;  ///< of the parent
  ChildColumns columns;
  std::int32_t from = 0, to = 0;  ///< ranks

  std::int64_t first_value() const { return FrontShape::column(columns.updated, columns.begin); }
  std::int64_t values() const { return FrontShape::column(columns.updated, columns.end) - first_value(); }
};

/// All pieces, in the order in which they are added up.
std::vector<UpdatePiece> update_pieces(const std::vector<TopFront>& tops, std::size_t front);

/// Values of a panel, which is the same for pivots and for the update matrix.
struct PanelValues {
  std::int64_t begin = 0, end = 0;  ///< among those of all pivots' panels, or of the update matrix
  std::int64_t size() const { return end - begin; }
};
PanelValues panel_values(const FrontShape& shape, const Tiles& tiles, std::int64_t panel);

}  // namespace crumple::implicit::linear
