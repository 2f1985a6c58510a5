// The messages of each cycle: motion of segment nodes to the ranks that use them, forces back to the home
// ranks.
#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <vector>

#include "contact/search/segments.hpp"
#include "parallel/communicator.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {

/// Nodes of other ranks that this one copies, numbered rank by rank, and ascending in each.
class WantedNodes {
 public:
  explicit WantedNodes(int ranks) : nodes_(static_cast<std::size_t>(ranks)) {}
  /// Add a node by its local index on `rank`. It may be added several times.
  void add(int rank, LocalId node) { nodes_[static_cast<std::size_t>(rank)].push_back(node); }
  /// Numbers the added nodes and returns their count. No node may be added after that.
  std::size_t number();
  /// Number of a node that was added.
  std::size_t operator()(int rank, LocalId node) const;
  const std::vector<std::vector<LocalId>>& by_rank() const { return nodes_; }

 private:
  std::vector<std::vector<LocalId>> nodes_;
  std::vector<std::size_t> first_;
};

class NodeExchange {
 public:
  /// Collective.
  /// @param masses whether masses of nodes may change, and so are sent, too; the same on every rank
  void connect(const parallel::Communicator& comm, const WantedNodes& wanted, bool masses);

  /// Start sending positions and velocities of wanted nodes, and masses where they may change.
  void post(const state::Nodal& nodal);
  /// Wait for the motion and fill the copies in `used`, with their masses where these may change.
  void finish(UsedNodes& used);
  /// Send forces on copies to their home ranks and add received forces to `loads` (by local node). The order
  /// of ranks does not matter, because forces are integers.
  void return_forces(const UsedNodes& used, std::span<parallel::LoadSum> loads);

 private:
  struct Neighbour {
    int rank = 0;
    std::vector<LocalId> send;                 ///< local nodes that the neighbour copies
    std::size_t copies_begin = 0, copies = 0;  ///< copies of the neighbour's nodes on this rank
    std::vector<double> out, in;               ///< x, v and, where it may change, mass
    std::vector<std::int64_t> force_out, force_in;
  };
  std::optional<parallel::Communicator> comm_;  ///< none before `connect`
  MPI_Comm mpi_ = MPI_COMM_NULL;                ///< its
  std::vector<Neighbour> neighbours_;
  bool masses_ = false;  ///< are sent
  std::vector<MPI_Request> requests_;
};

}  // namespace crumple::contact
