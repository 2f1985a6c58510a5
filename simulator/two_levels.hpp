// Short collectives in two levels: the ranks of a node among themselves, one of each node between nodes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment.hpp"

namespace crumple::simulator {

// Name of the algorithm in an experiment; all others are SimGrid's.
inline const std::string two_levels_name = "two-levels";

// What one rank of a job sends and receives in them.
class TwoLevels {
 public:
  using Message = std::function<void(int other, long bytes)>;

  // How a rank speaks with another; `exchange` is both at the same time.
  struct Messages {
    Message send, receive, exchange;
  };

  // Args: of each rank its host, of each host its node.
  TwoLevels(const Job& job, const std::vector<Host>& hosts);

  // A tree within each node up to its first rank, recursive doubling of these, trees down (Thakur,
  // Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005).
  void allreduce(int rank, long bytes, const Messages& messages) const;
  // From a root: among one rank of each node, which in the root's is the root, then within each.
  void broadcast(int rank, long bytes, int root, const Messages& messages) const;
  // The same backwards.
  void reduce(int rank, long bytes, int root, const Messages& messages) const;

  // Whether there is one of these for an operation of SMPI's replay.
  static bool has(const std::string& operation);

 private:
  int leader_of(int rank, int root) const;
  std::vector<int> leaders(int root) const;
  std::vector<int> ranks_beside(int rank, int leader) const;

  std::vector<int> node_;                // of each rank, counted from 0
  std::vector<std::vector<int>> ranks_;  // of each node
};

}  // namespace crumple::simulator
