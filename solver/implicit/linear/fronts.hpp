// The fronts of a multifrontal factorisation: which rows of blocks each eliminates, which it changes, and the
// tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "implicit/linear/elimination_tree.hpp"
#include "implicit/linear/front_shape.hpp"

namespace crumple::implicit::linear {

/// Fronts in postorder. A place is that of a row of blocks in the order of elimination.
struct Fronts {
  std::vector<std::int32_t> row;  ///< row of the pattern, by place
  std::vector<std::int32_t>
      equation;                      ///< first equation of a place, counted in order of elimination; (n + 1)
  std::vector<std::int32_t> begin;   ///< first place that a front eliminates; (n_fronts + 1)
  std::vector<std::int32_t> parent;  ///< -1 of a root
  std::vector<std::int64_t> updates_begin;
  std::vector<std::int32_t> updates;  ///< places that a front changes and does not eliminate, ascending
  std::vector<FrontShape> shape;
  std::vector<std::int32_t> child_begin;
  std::vector<std::int32_t> child;  ///< children of a front, in the order in which they are added up

  std::int32_t size() const { return static_cast<std::int32_t>(parent.size()); }
  std::span<const std::int32_t> updates_of(std::int32_t front) const {
    return std::span(updates).subspan(
        static_cast<std::size_t>(updates_begin[front]),
        static_cast<std::size_t>(updates_begin[front + 1] - updates_begin[front]));
  }
  std::span<const std::int32_t> children_of(std::int32_t front) const {
    return std::span(child).subspan(static_cast<std::size_t>(child_begin[front]),
                                    static_cast<std::size_t>(child_begin[front + 1] - child_begin[front]));
  }
};

/// Fronts of supernodes: places of the same column but for what is eliminated. A front is joined to its
/// parent while that makes few entries that are zero (Ashcraft and Grimes 1989, "The influence of relaxed
/// supernode partitions on the multifrontal method"); the rule is in fronts.cpp. Children come in the order
/// that takes the least memory for update matrices (Liu 1986, "On the storage requirement in the out-of-core
/// multifrontal method").
/// @param sizes equations of each vertex of the graph
Fronts make_fronts(const RowGraph& graph, const EliminationTree& tree, std::span<const std::int32_t> sizes);

}  // namespace crumple::implicit::linear
