// What the profiler writes of one rank: a file mapped into memory, so that it survives the rank.
//
// All counts are since MPI_Init; times in nanoseconds. crumple/lab/profile/rank_file.py reads the same
// layout.
#pragma once

#include <stdint.h>

#define PROFILE_MAGIC "CRUPROF2"
#define MOST_PHASES 64
#define BINS 64  // bin k: sizes in (2^(k-1), 2^k]; bin 0: 0 and 1 byte

typedef struct {
  char name[40];
  int64_t calls;
  int64_t time;
  int64_t longest;
  int64_t waiting;    // in collectives: for the last rank to arrive
  int64_t bytes_out;  // sent, contributed, put, written
  int64_t bytes_in;   // received, got, read
} FunctionRecord;

typedef struct {
  int64_t messages, bytes;
} Traffic;

typedef struct {
  char name[40];
  int64_t entries;
  int64_t time;
  int64_t mpi_calls, mpi_time, mpi_waiting, mpi_bytes;
} PhaseRecord;

typedef struct {
  int64_t calls, time, bytes;
} FileRecord;

enum RankState { kRunning = 1, kFinalized = 2, kAborted = 3 };
enum { kReads, kWrites, kSyncs, kFileKinds };
enum { kInstructions, kCycles, kCacheMisses, kCounters };

typedef struct {
  char magic[8];
  int32_t rank, size, functions, state;
  int32_t thread_level, counters_available;
  int64_t pid;
  char host[64];
  char library[128];
  int64_t started;                    // Unix time
  int64_t elapsed;                    // since MPI_Init, at the last sign of life
  int64_t application;                // outside MPI, summed over the threads that call MPI
  int64_t cpu;                        // user and system, all threads
  int64_t peak_memory;                // bytes
  int64_t read_bytes, written_bytes;  // as the kernel counts, all files and pipes
  int64_t spawned;                    // processes, by calls of which this rank was the root
  int64_t counter[kCounters];
  Traffic point_to_point[BINS], collective[BINS], one_sided[BINS];
  Traffic unknown_peer;            // messages to processes outside MPI_COMM_WORLD
  FileRecord file[kFileKinds];     // calls on regular files, outside MPI
  PhaseRecord phase[MOST_PHASES];  // phase 0: outside all phases
  // then `functions` FunctionRecords, then a Traffic for each rank of MPI_COMM_WORLD that messages go to
} RankRecord;
