// Data of the lines of contacts (edges of shells, and beams) for the search and the forces.
#pragma once

#include <array>
#include <cstdint>

#include "contact/search/segments.hpp"
#include "model/model.hpp"

namespace crumple::contact {

/// Nodes of a line: its two ends, then the far ends of the lines that continue at the first and at the second
/// end.
inline constexpr int kLineNodes = 2 + 2 * model::kLineNeighbours;

/// Properties of a line that follow from its elements that are not deleted.
struct LineNature {
  double radius = 0.0;     ///< of the thickest element
  double stiffness = 0.0;  ///< of the first element: penalty stiffness with all scales
  LocalId rigid_body = model::kNone;
  bool operator==(const LineNature&) const = default;
};
CRUMPLE_MEMBERS(LineNature, radius, stiffness, rigid_body)

/// A line on its home rank (the rank of its first element); constant during the run except for deletions.
struct LineRecord : LineNature {
  GlobalId order = 0;                         ///< in the surface of the whole model
  std::array<GlobalId, kLineNodes> id{};      ///< user ids of `node`; kNoNode: no node
  std::array<LocalId, kLineNodes> node{};     ///< local on the home rank; kNone: no node
  std::array<GlobalId, kLineNodes> beyond{};  ///< the line that ends at this node; -1 for the first two
  LocalId part = model::kNone;                ///< of its first element
  std::int8_t side = 0;                       ///< 0: surface a, 1: surface b
  bool beam = false;
  bool alive = true;
};
CRUMPLE_MEMBERS_AND_BASE(LineRecord, LineNature, order, id, node, beyond, part, side, beam, alive)

/// A line of any home rank that may be in contact with a line of this rank before the next sort.
struct CandidateLine {
  std::array<std::int32_t, kLineNodes> node{};  ///< into UsedNodes; -1: no node
  GlobalId order = 0;
  double radius = 0.0, stiffness = 0.0;
  LocalId part = model::kNone;
  bool rigid = false;

  /// Number of lines that meet at an end, including this one.
  int lines_at(int end) const {
    int n = 1;
    for (int k = 0; k < model::kLineNeighbours; ++k)
      n += node[2 + end * model::kLineNeighbours + k] >= 0 ? 1 : 0;
    return n;
  }
};

}  // namespace crumple::contact
