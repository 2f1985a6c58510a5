// Stops recording, calls MPI 5 times, and goes on: 2 calls of MPI_Barrier are recorded.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(0);
  for (int k = 0; k < 5; ++k) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
