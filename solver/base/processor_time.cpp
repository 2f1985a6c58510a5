// The processor time of the calling thread.
#include "base/processor_time.hpp"

#include <ctime>

namespace crumple {

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace crumple
