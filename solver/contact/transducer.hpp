// Which forces a transducer counts: all on the nodes of A, or only those between A and B.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {

struct Transducer {
  std::int32_t contact = 0;
  bool between = false;        ///< SURFB is given
  std::vector<GlobalId> a, b;  ///< user ids of the nodes of all ranks, ascending
  std::vector<LocalId> nodes;  ///< every local copy of those of a

  /// Factor of a force from a segment on a node in the force on A: 1, -1 or 0.
  double between_sign(GlobalId node, const std::array<GlobalId, 4>& segment) const;
  /// The same for a force from a line with the nodes `second` on a line with the nodes `first`.
  double between_sign(std::span<const GlobalId, 2> first, std::span<const GlobalId, 2> second) const;
  /// Whether a node is of A.
  bool on_a(GlobalId node) const;
};

/// Transducers of penalty contacts, or those of ties. Collective.
std::vector<Transducer> find_transducers(const model::Model& model, const state::Nodal& nodal,
                                         const parallel::Communicator& comm, bool of_ties);

}  // namespace crumple::contact
