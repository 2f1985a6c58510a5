// Two ranks send each other blocks of 1 MiB in turn, and say how long it took.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBytes = 1 << 20, kRounds = 3 };

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* block = calloc(kBytes, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int k = 0; k < 2 * kRounds; ++k)
    if (rank == k % 2)
      MPI_Send(block, kBytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(block, kBytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  double seconds = MPI_Wtime() - start;
  if (rank == 0) printf("seconds %.6f\n", seconds);
  free(block);
  MPI_Finalize();
  return 0;
}
