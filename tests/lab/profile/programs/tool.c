// Another tool's wrappers, loaded before a program as the profiler is.
#include <mpi.h>
#include <unistd.h>

int MPI_Init(int* argc, char*** argv) {
  write(2, "TOOL INIT\n", 10);
  return PMPI_Init(argc, argv);
}

int MPI_Barrier(MPI_Comm comm) {
  write(2, "TOOL BARRIER\n", 13);
  return PMPI_Barrier(comm);
}
