// Four threads a rank send to each other at once, each 100 messages of 64 bytes; phases by thread.
#include <mpi.h>
#include <pthread.h>

#include "crumple_phase.h"

static int rank, size;

static void* work(void* which) {
  const int tag = (int)(long)which;
  char out[64] = {0}, in[64];
  crumple_phase(tag % 2 ? "odd" : "even", 0);
  for (int k = 0; k < 100; ++k)
    MPI_Sendrecv(out, 64, MPI_BYTE, (rank + 1) % size, tag, in, 64, MPI_BYTE, (rank + size - 1) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  crumple_phase(0, 0);
  return 0;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  pthread_t thread[4];
  for (long t = 0; t < 4; ++t) pthread_create(&thread[t], 0, work, (void*)t);
  for (int t = 0; t < 4; ++t) pthread_join(thread[t], 0);
  MPI_Finalize();
}
