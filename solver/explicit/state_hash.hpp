// One number for the whole state: equal numbers mean equal bits on any number of ranks and threads.
#pragma once

#include <cstdint>
#include <span>

#include "parallel/communicator.hpp"
#include "state/group_view.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// Hash over all nodal and element state of the run. Each entity's bits are mixed with its kind and its
/// id; the sum over all entities does not depend on how they are distributed. Collective.
std::uint64_t state_hash(const parallel::Communicator& comm, const state::Nodal& nodal,
                         std::span<const state::GroupView> groups);

}  // namespace crumple::explicit_dynamics
