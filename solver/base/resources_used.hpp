// What this process has used so far: memory and processor time.
#pragma once

#include <sys/resource.h>

namespace crumple {

/// Peak of the resident memory [bytes].
inline double peak_memory() {
  struct rusage used {};
  ::getrusage(RUSAGE_SELF, &used);
  return 1024.0 * static_cast<double>(used.ru_maxrss);
}

/// Processor time of all threads [s].
inline double processor_seconds() {
  struct rusage used {};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace crumple
