// Prefetches of whole objects of several lines of the cache.
#pragma once

#include <cstddef>

namespace crumple::contact {

/// Always inlined, because GCC drops calls of a function without other effects.
template <class T>
[[gnu::always_inline]] inline void ask_for_all(const T& of) {
  const auto* const begin = reinterpret_cast<const char*>(&of);
  for (std::size_t byte = 0; byte < sizeof(T); byte += 64) __builtin_prefetch(begin + byte);
  __builtin_prefetch(begin + sizeof(T) - 1);  // of one that does not begin with a line
}

}  // namespace crumple::contact
