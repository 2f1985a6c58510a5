// Nodes that are inside segments before the first cycle: finding them, moving them out, reporting them.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_system.hpp"
#include "model/model.hpp"

namespace crumple::preparation {

using contact::InitialPenetration;

/// Initial penetrations of contacts that are born at 0 with IGNORE = 0, 1, 2; those with 0 are removed by
/// moving nodes of `whole` out of the segments, as LS-DYNA does. For rank 0, after build_surfaces.
///
/// Where both surfaces track each other's nodes each node moves half way, several times over. Nodes of rigid
/// bodies stay, and their depth is kept without a force, as with IGNORE = 1. What is left of others loads
/// their springs from the start.
///
/// @return what was found before anything moved, by contact, node and segment
///
/// Each round measures all pairs that are near again. Where one side cannot move, it leaves half of what was
/// there: under 2 % after six. One is enough to know what there is.
std::vector<InitialPenetration> remove_initial_penetrations(model::Model& whole, int rounds = 6);

/// The initial penetrations of one part's nodes into another's segments.
struct PenetrationPair {
  std::int32_t contact = 0;                  ///< into Model::contacts
  GlobalId node_part = 0, segment_part = 0;  ///< user ids; 0: none
  std::int64_t nodes = 0;                    ///< how many
  double depth = 0.0;                        ///< of the deepest
  GlobalId deepest = 0;                      ///< its user id
};

/// By pair of parts, the deepest first. A node is of the part with the smallest id that has it.
std::vector<PenetrationPair> by_parts(const model::Model& whole, std::span<const InitialPenetration> found);

/// The pairs as a table, the deepest first.
std::string to_text(const model::Model& whole, std::span<const PenetrationPair> pairs);

}  // namespace crumple::preparation
