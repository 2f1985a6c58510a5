// A loop over independent pieces of work, on as many threads as are asked for.
#pragma once

#include <cstdint>
#include <exception>

namespace crumple::implicit::linear {

/// Calls act(0) to act(n - 1), each on some thread, and in ascending order on one. What one of them throws is
/// thrown after all.
template <class Act>
void parallel_loop(std::int64_t n, int threads, Act act) {
  if (threads <= 1 || n <= 1) {
    for (std::int64_t i = 0; i < n; ++i) act(i);
    return;
  }
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t i = 0; i < n; ++i) {
    try {
      act(i);
    } catch (...) {
#pragma omp critical(crumple_parallel_loop)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace crumple::implicit::linear
