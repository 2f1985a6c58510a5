// Each cycle's traffic: motion of segment nodes out to the ranks that use them, forces back home.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "contact/search/segments.hpp"
#include "parallel/communicator.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {

class NodeExchange {
 public:
  /// Collective. `wanted[r]` are the nodes (local there) that this rank copies from rank r. Copies are
  /// numbered rank by rank in that order.
  void connect(const parallel::Communicator& comm, const std::vector<std::vector<LocalId>>& wanted);

  /// Start sending positions and velocities of wanted nodes.
  void post(const state::Nodal& nodal);
  /// Wait for them and fill the copies of `used`.
  void finish(UsedNodes& used);
  /// Send forces on copies home and add those that come back to `force` (3 a local node). Forces on a
  /// node come back from several ranks in any order: they are integers.
  void return_forces(const UsedNodes& used, std::span<std::int64_t> force);

 private:
  struct Neighbour {
    int rank = 0;
    std::vector<LocalId> send;                 ///< local nodes that it copies
    std::size_t copies_begin = 0, copies = 0;  ///< of its nodes here
    std::vector<double> out, in;               ///< x and v, 6 a node
    std::vector<std::int64_t> force_out, force_in;
  };
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<Neighbour> neighbours_;
  std::vector<MPI_Request> requests_;
};

}  // namespace crumple::contact
