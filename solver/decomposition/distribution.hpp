// Cut the model by a partition and send every rank its part.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "decomposition/partition.hpp"
#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "parallel/index_map.hpp"

namespace crumple::decomposition {

/// The part of the model of one rank. Nodes are in the order in which elements use them (node_order.hpp).
struct Subdomain {
  model::Model model;
  parallel::IndexMap nodes;  ///< owners, positions in the whole model, copies on other ranks
};

/// Subdomains of all ranks, made one at a time from the whole model.
class Cutter {
 public:
  Cutter(const model::Model& whole, const Partition& partition);
  Subdomain cut(int rank) const;
  int owner(LocalId node) const { return owner_[node]; }
  int home(const model::Segment& segment) const;  ///< the home rank
  int home(const model::ContactLine& line) const;
  int home(const model::LineSharer& sharer) const;
  int home(const model::Tie& spring) const;
  int home(const model::PressureLoad& load) const;

 private:
  friend class Slice;

  const model::Model& whole_;
  const Partition& partition_;
  std::vector<int> owner_;
  std::vector<std::vector<LocalId>> nodes_of_rank_;  ///< in the order of memory
  std::vector<std::size_t> first_;                   ///< CSR of copies: ranks of each node
  std::vector<int> ranks_;
};

/// Partition on rank 0 and send. `whole` is used on rank 0 only (and may be null elsewhere). Collective.
Subdomain distribute(const parallel::Communicator& comm, const model::Model* whole, Method method,
                     const Directions& directions = {});

/// Elements, cost, nodes, shared nodes and neighbours of one rank.
struct Burden {
  double elements = 0, cost = 0, nodes = 0, shared = 0, neighbours = 0;
};
Burden burden(const Subdomain& subdomain);

/// A line for each rank, then the largest over the mean.
std::string balance_table(std::span<const Burden> ranks);

/// The same for a run. Collective; the text is on rank 0 only.
std::string balance_table(const parallel::Communicator& comm, const Subdomain& subdomain);

}  // namespace crumple::decomposition
