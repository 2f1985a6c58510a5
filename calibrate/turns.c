// More ranks than cores: what a wait costs as ranks take turns, by the work between two waits.
//
// All ranks work for a known processor time and wait for others, again and again. With nothing lost a
// repetition takes the processor time of all ranks' work over the cores; a sample is what it takes beyond
// that.
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>

#include "calibrate.h"

enum { kShortest = 10000, kLongest = 1000000 };  // ns of work between two waits

typedef void (*Wait)(int rank, int size);

static volatile double kept = 1.0;

/// Needs no memory: what caches lose to other ranks is in the processor time of a trace.
static __attribute__((noinline)) void work(int64_t steps) {
  double x = kept;
  for (int64_t k = 0; k < steps; ++k) x = x * 0.999999 + 1e-6;
  kept = x;
}

static double thread_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void for_neighbours(int rank, int size) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  double out[2] = {0}, in[2];
  MPI_Request request[4];
  MPI_Status status[4];
  MPI_Irecv(&in[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &request[0]);
  MPI_Irecv(&in[1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &request[1]);
  MPI_Isend(&out[0], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &request[2]);
  MPI_Isend(&out[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &request[3]);
  MPI_Waitall(4, request, status);
}

static void for_all(int rank, int size) {
  (void)rank, (void)size;
  double out = 0, in;
  MPI_Allreduce(&out, &in, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
}

/// Processor seconds of a step of the work: the least of some blocks on all ranks.
static double seconds_of_step(void) {
  const int64_t steps = 1 << 18;
  double least = 1.0;
  for (int k = 0; k < 20; ++k) {
    const double before = thread_time();
    work(steps);
    const double took = (thread_time() - before) / (double)steps;
    if (took < least) least = took;
  }
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return least;
}

/// Processor seconds of a rank's work in some repetitions.
static double repeat(int64_t n, int64_t steps, Wait wait, int rank, int size) {
  double worked = 0;
  for (int64_t k = 0; k < n; ++k) {
    const double before = thread_time();
    work(steps);
    worked += thread_time() - before;
    wait(rank, size);
  }
  return worked;
}

/// Repetitions that last a block: where waiting ranks do not yield, each takes a tick of the system and more.
static int64_t repetitions(Effort effort, int64_t steps, Wait wait, int rank, int size) {
  for (int64_t n = 4;; n *= 2) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    repeat(n, steps, wait, rank, size);
    double took = MPI_Wtime() - start;
    MPI_Bcast(&took, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (took >= 0.25 * effort.seconds) return (int64_t)((double)n * effort.seconds / took) + 1;
  }
}

static void time_turns(const char* name, int64_t nanoseconds, int64_t steps, Wait wait, Effort effort,
                       int cores) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int64_t n = repetitions(effort, steps, wait, rank, size);
  for (int b = 0; b < effort.blocks; ++b) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime(), used = processor_time();
    double spent[2] = {repeat(n, steps, wait, rank, size), 0};
    const double took = MPI_Wtime() - start;
    spent[1] = processor_time() - used;
    MPI_Allreduce(MPI_IN_PLACE, spent, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    print_sample(name, nanoseconds, (took - spent[0] / cores) / (double)n, spent[1] / cores / took);
  }
}

void measure_turns(Effort effort, int cores) {
  const double step = seconds_of_step();
  for (int64_t nanoseconds = kShortest; nanoseconds <= kLongest; nanoseconds *= 10) {
    const int64_t steps = (int64_t)(1e-9 * (double)nanoseconds / step);
    time_turns("neighbours", nanoseconds, steps, for_neighbours, effort, cores);
    time_turns("all", nanoseconds, steps, for_all, effort, cores);
  }
}
