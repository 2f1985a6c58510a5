// How a failed assertion is printed.
#include "base/assert.hpp"

#ifdef CRUMPLE_AUDIT

#include <execinfo.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace crumple {

namespace {

/// Rank of this process in MPI_COMM_WORLD, -1 where MPI does not run.
int rank() {
  int started = 0, ended = 0, rank = -1;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  if (started != 0 && ended == 0) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

}  // namespace

void fail_assertion(const char* file, int line, const char* function, const char* condition,
                    const std::string& values) {
  constexpr int most = 50;
  void* calls[most];
  std::fflush(stdout);
  fmt::print(stderr, "\nassertion failed on rank {}\n  {}:{} in {}\n  {}\n", rank(), file, line, function,
             condition);
  if (!values.empty()) fmt::print(stderr, "  {}\n", values);
  std::fflush(stderr);
  backtrace_symbols_fd(calls, backtrace(calls, most), STDERR_FILENO);
  std::abort();
}

}  // namespace crumple

#endif
