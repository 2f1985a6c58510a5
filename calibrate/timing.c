// Times blocks of repetitions, as many of them as a block's time needs.
#include <stdio.h>
#include <time.h>

#include "calibrate.h"

double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void print_sample(const char* name, int64_t size, double value, double share) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    printf("sample %s %lld %.9g %.4f\n", name, (long long)size, value, share);
    fflush(stdout);
  }
}

/// How many repetitions last a block: doubled until half of it is reached; the same on all ranks.
static int64_t repetitions(MPI_Comm comm, Effort effort, Repetition once, void* what) {
  for (int64_t n = 1;; n *= 2) {
    MPI_Barrier(comm);
    const double start = MPI_Wtime();
    for (int64_t k = 0; k < n; ++k) once(what);
    double took = MPI_Wtime() - start;
    MPI_Bcast(&took, 1, MPI_DOUBLE, 0, comm);
    if (took >= 0.5 * effort.seconds || n >= (INT64_C(1) << 30)) {
      const int64_t fits = (int64_t)((double)n * effort.seconds / took);
      return fits > 1 ? fits : 1;
    }
  }
}

void time_blocks(MPI_Comm comm, const char* name, int64_t size, double scale, Effort effort, Repetition once,
                 void* what) {
  const int64_t n = repetitions(comm, effort, once, what);
  for (int b = 0; b < effort.blocks; ++b) {
    MPI_Barrier(comm);
    const double start = MPI_Wtime(), used = processor_time();
    for (int64_t k = 0; k < n; ++k) once(what);
    const double took = MPI_Wtime() - start;
    print_sample(name, size, scale * took / (double)n, (processor_time() - used) / took);
  }
}
