// The mean plastic strain of the elements around nodes, which ends ties there.
//
// Weighted with the volumes of the elements at the start. The strain of an element is the mean of its
// integration points; deleted elements no longer count. Sums are of integers, so that they do not depend on
// ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "modules/module.hpp"

namespace crumple::constraints {

class MeanPlasticStrains {
 public:
  /// Nodes, and the kind of the elements at them that count. A node is in one group only.
  struct Around {
    std::vector<LocalId> nodes;
    model::ElementKind kind = model::ElementKind::shell;
  };
  /// All ranks have all groups, with the nodes that they have. Collective.
  MeanPlasticStrains(const modules::Start& start, std::vector<Around> groups);

  /// Sets the strain of each group that is not `done`, where it has elements. Collective, unless all are
  /// done.
  void find(std::span<const state::GroupView> groups, std::span<const char> done, std::span<double> strain);

 private:
  /// An element at the nodes of a group.
  struct Watched {
    std::size_t at_nodes = 0, group = 0;  ///< which group of nodes, and of elements
    std::int32_t element = 0;             ///< in its group
    double volume = 0;
  };
  void find_elements(std::span<const state::GroupView> groups);

  const model::Model* model_;
  const parallel::Communicator* comm_;
  std::vector<Around> around_;
  double scale_ = 1;       ///< of the sums of volumes
  bool watching_ = false;  ///< `watched_` is known
  std::vector<Watched> watched_;
  std::vector<std::int64_t> sums_;  ///< volume, and volume times strain, of each group
};

}  // namespace crumple::constraints
