// What each rank would compute and tell the others, without running them: the file decomposition.json.
#pragma once

#include <span>
#include <string>

#include "decomposition/distribution.hpp"
#include "decomposition/partition.hpp"

namespace crumple::control {

/// JSON of a decomposition; docs/decomposition.md says what is in it. Contacts are those where nodes are at
/// `x`.
std::string traffic_json(const model::Model& whole, const decomposition::Partition& partition,
                         const decomposition::Cutter& cutter, std::span<const Vec3> x);

}  // namespace crumple::control
