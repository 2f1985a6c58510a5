// Thresholds of glibc's allocator; without effect elsewhere.
#include "control/freed_memory.hpp"

#include <cstdlib>  // says whether the library is glibc

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace crumple::control {

namespace {

/// @param mapped arrays above this size, in bytes, are mapped, and returned when they are freed
/// @param trimmed free memory at the end of the heap above this size is returned
void set_thresholds([[maybe_unused]] int mapped, [[maybe_unused]] int trimmed) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, mapped);
  mallopt(M_TRIM_THRESHOLD, trimmed);
#endif
}

}  // namespace

void return_freed_memory() { set_thresholds(1 << 18, 1 << 17); }

void keep_freed_memory() { set_thresholds(1 << 30, 1 << 30); }

}  // namespace crumple::control
