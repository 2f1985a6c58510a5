// Memory for arrays that SIMD code reads: from the start of a cache line, in large pages where it is much.
#pragma once

#include <cstddef>

namespace crumple {

inline constexpr std::size_t kCacheLine = 64, kLargePage = std::size_t{2} << 20;

/// At least `bytes`, and a cache line more, as a load of a whole vector may go a little beyond the end.
///
/// From two megabytes on it begins with a large page, and the system is asked for as many as it fills whole:
/// a processor knows where some thousand pages are and would look up the rest again and again.
/// Throws std::bad_alloc.
void* allocate_aligned(std::size_t bytes);

/// What `allocate_aligned` gave for as many bytes.
void free_aligned(void* memory, std::size_t bytes) noexcept;

}  // namespace crumple
