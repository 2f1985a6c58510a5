// Nodes that are inside segments before the first cycle: finding them, moving them out, reporting them.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_system.hpp"
#include "model/model.hpp"

namespace crumple::preparation {

using contact::InitialPenetration;

/// Initial penetrations of contacts with birth time 0 and IGNORE = 0, 1, 2. Those with IGNORE = 0 are
/// removed: nodes of `whole` are moved out of the segments, as in LS-DYNA. For rank 0, after build_surfaces.
///
/// If the nodes of both surfaces are tracked, each node moves half the distance, repeatedly. Nodes of rigid
/// bodies are not moved; their penetration gives no force, as with IGNORE = 1. The remaining penetration of
/// other nodes loads their springs from the start.
///
/// @return penetrations before any node was moved, by contact, node and segment
///
/// Each round measures all near pairs again. If one side cannot move, half of the depth remains after a
/// round: less than 2 % after six. One round is enough to find the penetrations.
std::vector<InitialPenetration> remove_initial_penetrations(model::Model& whole, int rounds = 6);

/// The initial penetrations of one part's nodes into another's segments.
struct PenetrationPair {
  std::int32_t contact = 0;                  ///< into Model::contacts
  GlobalId node_part = 0, segment_part = 0;  ///< user ids; 0: none
  std::int64_t nodes = 0;                    ///< number of nodes
  double depth = 0.0;                        ///< of the deepest
  GlobalId deepest = 0;                      ///< its user id
};

/// By pair of parts, the deepest first. A node belongs to the part with the smallest id among its elements'
/// parts.
std::vector<PenetrationPair> by_parts(const model::Model& whole, std::span<const InitialPenetration> found);

/// The pairs as a table, the deepest first.
std::string to_text(const model::Model& whole, std::span<const PenetrationPair> pairs);

}  // namespace crumple::preparation
