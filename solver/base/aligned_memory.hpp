// Memory for arrays that SIMD code reads: aligned to a cache line; large arrays are in large pages.
#pragma once

#include <cstddef>

namespace crumple {

inline constexpr std::size_t kCacheLine = 64, kLargePage = std::size_t{2} << 20;

/// At least `bytes`, and one cache line more: a load of a whole vector may read a little beyond the end.
///
/// From two megabytes on it begins at a large page, and the system is asked for as many large pages as it
/// fills: the TLB of a processor holds some thousand pages, and more would be looked up again and again.
/// Throws std::bad_alloc.
void* allocate_aligned(std::size_t bytes);

/// Frees memory of `allocate_aligned`; `bytes` must be the same.
void free_aligned(void* memory, std::size_t bytes) noexcept;

}  // namespace crumple
