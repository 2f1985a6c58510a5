// Adds up a front: blocks of the matrix first, then the update matrices of its children, in their order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/members.hpp"
#include "implicit/linear/front_memory.hpp"
#include "implicit/linear/fronts.hpp"

namespace crumple::implicit::linear {

/// Which blocks of the matrix each front takes: those of its own rows that were not eliminated before.
struct FrontBlocks {
  struct Use {
    std::int64_t value;  ///< first value of the block
    std::int32_t other;  ///< place of its other row
    bool transposed;     ///< its columns belong to the front's own row
  };
  std::vector<std::int64_t> begin;  ///< by place; (n + 1)
  std::vector<Use> uses;
};

FrontBlocks front_blocks(const BlockPattern& pattern, const Fronts& fronts);

/// First row of places in the front at hand; one per thread.
class FrontRows {
 public:
  explicit FrontRows(std::size_t places) : row_(places, -1) {}
  void set(const Fronts& fronts, std::int32_t front);
  std::int32_t operator[](std::int32_t place) const { return row_[place]; }

 private:
  std::vector<std::int32_t> row_;
};

/// Rows of a child's update matrix that follow each other in its parent, too.
struct RowRun {
  std::int64_t child, parent, length;
};
CRUMPLE_MEMBERS(RowRun, child, parent, length)
std::vector<RowRun> row_runs(const Fronts& fronts, std::int32_t child, const FrontRows& rows);

void add_matrix(const Fronts& fronts, const FrontBlocks& blocks, std::span<const double> values,
                std::int32_t front, const FrontRows& rows, const FrontMemory<double>& into);
void add_matrix(const Fronts& fronts, const FrontBlocks& blocks, std::span<const double> values,
                std::int32_t front, const FrontRows& rows, const FrontMemory<float>& into);

/// Columns before the first that belongs to a row of the parent, or to one further down.
std::int64_t columns_before(std::span<const RowRun> runs, std::int64_t parent_row);

/// Columns [begin, end) of the update matrix of a child.
struct ChildColumns {
  std::int64_t updated = 0;  ///< rows of the matrix
  std::int64_t begin = 0, end = 0;
};
/// @param from first value of the first column
void add_child(const double* from, const ChildColumns& columns, std::span<const RowRun> runs,
               const FrontMemory<double>& into, int threads);
void add_child(const float* from, const ChildColumns& columns, std::span<const RowRun> runs,
               const FrontMemory<float>& into, int threads);

}  // namespace crumple::implicit::linear
