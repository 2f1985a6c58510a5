// Adds the update matrices of its children to a front that is not made in one piece, or where some are in
// the file.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "implicit/linear/assembly.hpp"
#include "implicit/linear/factor_store.hpp"

namespace crumple::implicit::linear {

/// Each entry of the front takes what its children give in their order, as if they came one after the other:
/// the order of sums is the same as in memory.
template <class T>
class ChildUpdates {
 public:
  /// First value of a child's update matrix in memory.
  using InMemory = std::function<const T*(std::int32_t child)>;

  /// Keeps references.
  /// @param by_panels the front is made panel by panel: its pivots first, then its update matrix
  ChildUpdates(const Fronts& fronts, const Plan& plan, const FactorStore& store, std::int32_t front,
               const FrontRows& rows, bool by_panels, InMemory in_memory);

  /// Adds all, or what belongs to the next part of a front that is made panel by panel: the pivots' columns,
  /// then those of one panel of the update matrix after the other. Throws what reading threw.
  void add_next(const FrontMemory<T>& into, int threads);

 private:
  struct Piece {
    std::size_t child;  ///< of the front's
    ChildColumns columns;
  };
  void add_part(std::int64_t first_row, std::int64_t last_row);

  const Fronts& fronts_;
  const Plan& plan_;
  const std::span<const std::int32_t> children_;
  const InMemory in_memory_;
  std::vector<std::vector<RowRun>> runs_;  ///< of each child
  std::vector<Piece> pieces_;              ///< in the order in which they are added
  std::vector<std::size_t> part_end_;      ///< pieces up to the end of each part
  std::size_t part_ = 0, piece_ = 0;
  std::unique_ptr<FactorReader> reader_;
};

}  // namespace crumple::implicit::linear
