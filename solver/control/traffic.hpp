// What each rank would compute and send to the others, without running them: the file decomposition.json.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "decomposition/distribution.hpp"
#include "decomposition/partition.hpp"

namespace crumple::control {

/// How many nodes go to or come from a rank.
using Shared = std::vector<std::pair<int, std::int64_t>>;

/// Nodes of one rank and what it shares of them: the same wherever the nodes are.
struct RankNodes {
  std::int64_t all = 0, owned = 0;
  Shared shared, tied;
  std::vector<char> has_body;  ///< by rigid body: whether some of its nodes are there
};

/// Nodes that are tied, or to whose segments others are.
std::vector<bool> nodes_of_ties(const model::Model& whole);

RankNodes rank_nodes(const decomposition::Subdomain& subdomain, const std::vector<bool>& tied);

/// JSON of a decomposition; docs/decomposition.md says what is in it. Contacts are those where nodes are at
/// `x`.
std::string traffic_json(const model::Model& whole, const decomposition::Partition& partition,
                         const decomposition::Cutter& cutter, std::span<const RankNodes> nodes,
                         std::span<const Vec3> x);

}  // namespace crumple::control
