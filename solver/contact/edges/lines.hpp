// What the search and the force evaluation know of the lines of contacts: edges of shells, and beams.
#pragma once

#include <array>
#include <cstdint>

#include "contact/search/segments.hpp"
#include "model/model.hpp"

namespace crumple::contact {

/// Nodes of a line: its two ends, then the far ends of the lines that go on at the first and at the second.
inline constexpr int kLineNodes = 2 + 2 * model::kLineNeighbours;

/// What the elements of a line make it: those that live.
struct LineNature {
  double radius = 0.0;     ///< of the thickest
  double stiffness = 0.0;  ///< of the first: penalty stiffness with all scales
  LocalId rigid_body = model::kNone;
  bool operator==(const LineNature&) const = default;
};
CRUMPLE_MEMBERS(LineNature, radius, stiffness, rigid_body)

/// A line on its home rank (the one that has its first element), fixed for the run except for what dies.
struct LineRecord : LineNature {
  GlobalId order = 0;                         ///< in the surface of the whole model
  std::array<GlobalId, kLineNodes> id{};      ///< user ids of `node`; kNoNode where there is none
  std::array<LocalId, kLineNodes> node{};     ///< local on the home rank; kNone where there is none
  std::array<GlobalId, kLineNodes> beyond{};  ///< the line that ends there; -1 at the first two
  std::int8_t side = 0;                       ///< 0: surface a, 1: surface b
  bool beam = false;
  bool alive = true;
};
CRUMPLE_MEMBERS_AND_BASE(LineRecord, LineNature, order, id, node, beyond, side, beam, alive)

/// A line that some line of this rank may touch before the next sort, or that may touch one. Home anywhere.
struct CandidateLine {
  std::array<std::int32_t, kLineNodes> node{};  ///< into UsedNodes; -1 where there is none
  GlobalId order = 0;
  double radius = 0.0, stiffness = 0.0;
  bool rigid = false;

  /// Lines that meet at an end, this one included.
  int lines_at(int end) const {
    int n = 1;
    for (int k = 0; k < model::kLineNeighbours; ++k)
      n += node[2 + end * model::kLineNeighbours + k] >= 0 ? 1 : 0;
    return n;
  }
};

}  // namespace crumple::contact
