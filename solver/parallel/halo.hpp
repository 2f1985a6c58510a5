// Sums over copies of a node: every rank that has an element at a node holds a copy of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "parallel/communicator.hpp"
#include "parallel/index_map.hpp"
#include "parallel/load_sum.hpp"

namespace crumple::parallel {

/// Integers of every node: `width` of node i from `first[i * apart]`.
struct NodeSums {
  std::int64_t* first;
  int width, apart;

  NodeSums(std::span<std::int64_t> values, int width) : first(values.data()), width(width), apart(width) {}
  NodeSums(std::int64_t* first, int width, int apart) : first(first), width(width), apart(apart) {}
  std::int64_t* of(LocalId node) const { return first + static_cast<std::ptrdiff_t>(node) * apart; }
};

/// Forces and moments.
inline std::array<NodeSums, 2> sums_of(std::span<LoadSum> loads) {
  constexpr int apart = sizeof(LoadSum) / sizeof(std::int64_t);
  if (loads.empty()) return {NodeSums(nullptr, 3, apart), NodeSums(nullptr, 3, apart)};
  return {NodeSums(loads[0].force.sum.data(), 3, apart), NodeSums(loads[0].moment.sum.data(), 3, apart)};
}

/// Messages between ranks that share nodes. Both sides list shared nodes in the same order, so one message
/// each way suffices and every copy gets the same integer sum.
class Halo {
 public:
  /// @param map which nodes are shared with which ranks; default: none
  explicit Halo(const Communicator& comm, IndexMap map = {});
  Halo(Halo&&) noexcept;
  Halo& operator=(Halo&&) noexcept;
  ~Halo();

  /// Replace values of shared nodes by the sums over their copies; `width` integers per node in each of the
  /// arrays. Collective over neighbours.
  void sum(std::span<const std::span<std::int64_t>> arrays, int width) const;
  /// The same in two halves. Between them the arrays must not move and values of shared nodes must not
  /// change. Meanwhile a sum with another number of integers per node may be taken.
  void begin_sum(std::span<const NodeSums> arrays) const;
  void finish_sum(std::span<const NodeSums> arrays) const;

  /// Replace values of shared nodes by the maximum over their copies; one value per node. Collective over
  /// neighbours.
  void max(std::span<double> values) const;

  const IndexMap& map() const { return map_; }

 private:
  class Messages;
  Messages& messages(std::size_t per_node) const;
  Messages& messages_of(std::span<const NodeSums> arrays) const;

  const Communicator* comm_;
  IndexMap map_;
  mutable std::vector<std::unique_ptr<Messages>> messages_;  ///< for each number of integers per node
};

}  // namespace crumple::parallel
