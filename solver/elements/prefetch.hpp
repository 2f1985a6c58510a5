// Prefetch of the state of the next block's elements while this block is computed.
//
// Rows of a block are kLanes values apart and blocks are larger than a page. The hardware prefetcher follows
// little of this; with data beyond the caches a kernel would wait for nearly every row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Prefetch the part of W lanes of `n` rows from `row`. Where several parts share a cache line, only the
/// first prefetches it. With one element at a time (W = 1) there is no next block, and nothing is prefetched.
template <int W, class S>
[[gnu::always_inline]] inline void prefetch_rows(const S* row, int n) {
  if constexpr (W == 1) return;
  constexpr int in_line = static_cast<int>(kCacheLine / sizeof(S));
  if (W < in_line && reinterpret_cast<std::uintptr_t>(row) % kCacheLine != 0) return;
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < W; l += in_line) simd::prefetch_far(row + k * kLanes + l);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
