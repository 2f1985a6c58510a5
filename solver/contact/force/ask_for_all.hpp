// Prefetches of whole objects of several lines of the cache.
#pragma once

#include <cstddef>

namespace crumple::contact {

/// Prefetches `size` bytes. GCC drops calls of functions that do nothing but prefetch; the empty statement
/// keeps them.
[[gnu::always_inline]] inline void ask_for_bytes(const void* from, std::size_t size) {
  const auto* const begin = static_cast<const char*>(from);
  for (std::size_t byte = 0; byte < size; byte += 64) __builtin_prefetch(begin + byte);
  if (size > 0) __builtin_prefetch(begin + size - 1);  // of what does not begin with a line
  asm volatile("");
}

template <class T>
[[gnu::always_inline]] inline void ask_for_all(const T& of) {
  ask_for_bytes(&of, sizeof of);
}

}  // namespace crumple::contact
