// Where and in which order fronts are made: independent subtrees for threads, and memory for update matrices.
//
// Update matrices are on two stacks, one for fronts of even depth in the tree and one for those of odd depth:
// a front takes those of its children from the top of one while its own is on top of the other, so that
// nothing is copied and nothing is left between them. All places are known beforehand.
#pragma once

#include <cstdint>
#include <vector>

#include "implicit/linear/fronts.hpp"

namespace crumple::implicit::linear {

/// Fronts [begin, end), a whole subtree: one thread makes all.
struct Subtree {
  std::int32_t begin = 0, end = 0;
  double flops = 0;
};

/// Fronts whose factors are next to each other in memory or in the file, in order.
struct Chunk {
  std::int32_t begin = 0, end = 0;
  std::int64_t values = 0;
};

struct Plan {
  std::vector<Subtree> subtrees;        ///< those of most operations first; none for one thread
  std::vector<std::int32_t> top;        ///< fronts above them, which all threads make together, in order
  std::vector<std::int64_t> update_at;  ///< where a front's update matrix is in its stack, or among `roots`
  std::vector<std::uint8_t> stack;  ///< 0 and 1: a stack; 2: kept among update matrices of roots of subtrees
  std::int64_t subtree_stack[2] = {0, 0}, top_stack[2] = {0, 0};  ///< values
  std::int64_t roots = 0;                                         ///< values
  std::vector<Chunk> chunks;
  std::vector<std::int32_t> chunk_of;   ///< front
  std::vector<std::int64_t> factor_at;  ///< of a front in its chunk

  std::int64_t largest_chunk() const;
  std::int64_t factor_values() const;
  /// Values of update matrices at once, at most.
  std::int64_t update_values(int threads) const;
};

Plan make_plan(const Fronts& fronts, int threads);

}  // namespace crumple::implicit::linear
