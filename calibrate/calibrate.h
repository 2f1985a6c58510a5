// What the parts of the program share.
#pragma once

#include <mpi.h>
#include <stdint.h>

/// How long a block is to last, seconds, and how many there are.
typedef struct {
  double seconds;
  int blocks;
} Effort;

/// One repetition.
typedef void (*Repetition)(void* what);

/// Time blocks of a repetition that all ranks of a communicator do together; rank 0 prints a sample for each:
/// seconds of a repetition, times `scale`.
void time_blocks(MPI_Comm comm, const char* name, int64_t size, double scale, Effort effort, Repetition once,
                 void* what);

/// Print one sample.
void print_sample(const char* name, int64_t size, double value, double share);

/// Processor time of this process, seconds.
double processor_time(void);

/// Between the first and the second rank.
void measure_pair(Effort effort, int64_t largest);
/// Of all ranks.
void measure_collectives(Effort effort, int64_t largest);
/// Of all ranks at once; bytes of each of a rank's three arrays.
void measure_memory(Effort effort, int64_t bytes);
/// All ranks, which share so many cores.
void measure_turns(Effort effort, int cores);
/// All ranks, so many bytes each, in a folder.
void measure_files(Effort effort, const char* folder, int64_t bytes);
