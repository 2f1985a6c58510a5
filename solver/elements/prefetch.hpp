// Asks for what the elements of the next block keep and where their nodes are, while those of this one are
// computed.
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
/// them asks.
template <int W, class S>
[[gnu::always_inline]] inline void prefetch_rows(const S* row, int n) {
  constexpr int in_line = static_cast<int>(kCacheLine / sizeof(S));
  if (W < in_line && reinterpret_cast<std::uintptr_t>(row) % kCacheLine != 0) return;
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < W; l += in_line) simd::prefetch_far(row + k * kLanes + l);
}

/// Ask for survival, energies and new nodes (`KernelArguments::prefetch`) of the W lanes one block after
/// those from `lane` of `block`.
template <class V, bool shell>
[[gnu::always_inline]] inline void prefetch_element(const KernelArguments<simd::scalar_t<V>>& a,
                                                    std::int32_t block, int lane) {
  constexpr int W = simd::width_v<V>;
  if (block + 1 >= a.end) return;
  const std::size_t next = (static_cast<std::size_t>(block) + 1) * kLanes;
  prefetch_rows<W>(a.alive + next + lane, 1);
  prefetch_rows<W>(a.stable_step + next + lane, 1);
  prefetch_rows<W>(a.energy + next * kEnergies + lane, 2);
  if (!a.prefetch) return;
  for (std::int32_t row = a.first_prefetch[block + 1]; row < a.first_prefetch[block + 2]; ++row)
#pragma GCC unroll 16
    for (int l = lane; l < lane + W; ++l) {
      const std::int32_t node = a.prefetch[row * kLanes + l];
      simd::prefetch_far(a.x + node);
      simd::prefetch_far(a.v + node);
      if constexpr (shell) simd::prefetch_far(a.w + node);
      simd::prefetch_far(a.loads + node);
    }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
