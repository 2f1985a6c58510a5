// Where and in which order fronts are made: independent subtrees for threads, and places for update matrices
// and factors.
//
// Update matrices are on two stacks, one for fronts of even depth in the tree and one for those of odd depth:
// a front takes those of its children from the top of one while its own is on top of the other, so that
// nothing is copied and nothing is left between them. The stacks grow towards each other from both ends of
// one piece of memory. All places are known beforehand. Where memory has a limit, some update matrices are
// written to the factor's file and read again by the parent (update_places.hpp); there they have two stacks,
// too.
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
  /// One front above the subtrees that is written panel by panel while it is made, all such fronts in the
  /// same memory.
  bool by_panels = false;
};

/// Room for update matrices, in values.
struct UpdateRoom {
  std::int64_t subtree = 0;  ///< both stacks of a subtree, for each thread
  std::int64_t top = 0;      ///< both stacks of the fronts above subtrees
  std::int64_t roots = 0;    ///< update matrices of subtrees, until the front above takes them
  std::int64_t kept = 0;     ///< update matrices of fronts without a parent here: other ranks take them
};

/// Chunks of more values have one front. Out of core they are read panel by panel.
inline constexpr std::int64_t kChunkValues = std::int64_t(4) << 20;

struct PlanOptions {
  int threads = 1;
  bool out_of_core = false;
  /// What may be in memory at once, out of core: update matrices, fronts, and blocks on their way to and from
  /// the file; values. 0: no limit.
  std::int64_t most_values = 0;
  std::int64_t chunk_values = kChunkValues;
};

struct Plan {
  int threads = 1;
  bool out_of_core = false;
  std::int64_t chunk_values = kChunkValues;
  std::vector<Subtree> subtrees;        ///< those of most operations first; none for one thread
  std::vector<std::int32_t> top;        ///< fronts above them, which all threads make together, in order
  std::vector<std::uint8_t> on_disk;    ///< whether a front's update matrix goes to the file
  std::vector<std::int64_t> update_at;  ///< where it is in its stacks, or among `roots`
  /// 0 and 1: a stack; 2: among update matrices of roots of subtrees; 3: among those that are kept
  std::vector<std::uint8_t> stack;
  UpdateRoom memory, disk;
  std::vector<Chunk> chunks;
  std::vector<std::int32_t> chunk_of;   ///< front
  std::vector<std::int64_t> factor_at;  ///< of a front in its chunk

  /// Whether a chunk is read from the file panel by panel.
  bool read_by_panels(const Chunk& chunk) const { return chunk.values > chunk_values; }
  std::int64_t factor_values() const;
  /// Values of update matrices in memory at once, at most.
  std::int64_t update_values() const;
  /// Values in memory at once at most while fronts are made: all of the above, with the factor in core.
  std::int64_t values_of_factor(const Fronts& fronts) const;
  /// Values in memory at once while the factor is read, or all of it in core.
  std::int64_t values_of_solve(const Fronts& fronts) const;
  std::int64_t values_on_disk() const;
};

/// @post values_of_factor is at most `most_values` if that is possible, else as small as it can be
Plan make_plan(const Fronts& fronts, const PlanOptions& options);

/// Places begin at a cache line of floats.
constexpr std::int64_t aligned_values(std::int64_t values) { return (values + 15) / 16 * 16; }

}  // namespace crumple::implicit::linear
