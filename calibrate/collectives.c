// Allreduce (a sum of doubles) and Bcast on all ranks.
#include <stdlib.h>

#include "calibrate.h"

typedef struct {
  double *from, *to;
  int count;
} Data;

static void allreduce(void* what) {
  const Data* d = what;
  MPI_Allreduce(d->from, d->to, d->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/// From each rank in turn to all: from one only, that one would run ahead of the others.
static void bcast(void* what) {
  const Data* d = what;
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int root = 0; root < size; ++root) MPI_Bcast(d->to, d->count, MPI_DOUBLE, root, MPI_COMM_WORLD);
}

void measure_collectives(Effort effort, int64_t largest) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Data d = {calloc((size_t)largest, 1), calloc((size_t)largest, 1), 0};
  for (int64_t bytes = 8; bytes <= largest; bytes *= 16) {
    d.count = (int)(bytes / (int64_t)sizeof(double));
    time_blocks(MPI_COMM_WORLD, "allreduce", bytes, 1.0, effort, allreduce, &d);
    time_blocks(MPI_COMM_WORLD, "bcast", bytes, 1.0 / size, effort, bcast, &d);
  }
  free(d.from);
  free(d.to);
}
