// The most memory that this process has held so far.
#pragma once

#include <sys/resource.h>

namespace crumple {

/// Resident bytes at their peak.
inline double peak_memory() {
  struct rusage used {};
  ::getrusage(RUSAGE_SELF, &used);
  return 1024.0 * static_cast<double>(used.ru_maxrss);
}

}  // namespace crumple
