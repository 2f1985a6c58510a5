// Prefetch: what the elements of the next block keep, while those of this one are computed.
//
// Rows of a block lie kLanes values apart and blocks are larger than a page: a processor guesses little of
// it, and beyond its caches a kernel would wait for nearly every row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Ask for the part of W lanes of `n` rows from `row`; where several parts share a cache line, the first of
/// them asks. One element at a time (W = 1) has no next block, and asks for nothing.
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
