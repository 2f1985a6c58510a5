// Sends exactly known messages and times itself, for tests of the profiler. Any number of ranks from 2 on.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, size;
static char buffer[1 << 20];

static void ring(int rounds, int bytes) {
  for (int k = 0; k < rounds; ++k) {
    MPI_Request request;
    MPI_Isend(buffer, bytes, MPI_BYTE, (rank + 1) % size, 7, MPI_COMM_WORLD, &request);
    MPI_Recv(buffer + (1 << 19), bytes, MPI_BYTE, (rank + size - 1) % size, 7, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void persistent(int rounds) {
  MPI_Request request[2];
  MPI_Send_init(buffer, 100, MPI_INT, (rank + 1) % size, 8, MPI_COMM_WORLD, &request[0]);
  MPI_Recv_init(buffer + 4096, 100, MPI_INT, (rank + size - 1) % size, 8, MPI_COMM_WORLD, &request[1]);
  for (int k = 0; k < rounds; ++k) {
    MPI_Startall(2, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&request[0]);
  MPI_Request_free(&request[1]);
}

/// Rank 0 of the reversed communicator is the last of the world: it sends 24 bytes to rank 1 of it.
static void reversed(void) {
  MPI_Comm other;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other);
  int mine;
  MPI_Comm_rank(other, &mine);
  double x[3] = {1, 2, 3};
  if (mine == 0) MPI_Send(x, 3, MPI_DOUBLE, 1, 0, other);
  if (mine == 1) MPI_Recv(x, 3, MPI_DOUBLE, 0, 0, other, MPI_STATUS_IGNORE);
  MPI_Send(x, 3, MPI_DOUBLE, MPI_PROC_NULL, 0, other);  // no message
  MPI_Comm_free(&other);
}

static void collectives(int rounds) {
  double x[4] = {0}, sum[4];
  for (int k = 0; k < rounds; ++k) MPI_Allreduce(x, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Bcast(buffer, 5000, MPI_BYTE, 0, MPI_COMM_WORLD);
  int* counts = calloc(size, sizeof *counts);
  int* at = calloc(size, sizeof *at);
  for (int r = 0; r < size; ++r) counts[r] = 10, at[r] = 10 * r;
  MPI_Alltoallv(buffer, counts, at, MPI_BYTE, buffer + 4096, counts, at, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer, 16, MPI_BYTE, MPI_COMM_WORLD);
  free(counts);
  free(at);
}

static void one_sided(void) {
  MPI_Win window;
  MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  double x = 1.0;
  MPI_Put(&x, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

/// Rank 1 comes 0.2 s late: the others wait in the collective.
static void late(void) {
  if (rank == 1) usleep(200000);
  double x = 0, sum;
  const double start = MPI_Wtime();
  MPI_Reduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  printf("rank %d reduce %.6f\n", rank, MPI_Wtime() - start);
}

static void files(const char* path) {
  char name[256];
  snprintf(name, sizeof name, "%s.%d", path, rank);
  FILE* f = fopen(name, "wb");
  fwrite(buffer, 1, 300000, f);
  fclose(f);
  MPI_File shared;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &shared);
  MPI_File_write_at_all(shared, 1000 * rank, buffer, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&shared);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ring(50, 1000);
  ring(3, 300000);
  persistent(20);
  reversed();
  collectives(10);
  one_sided();
  late();
  files(argv[1]);
  MPI_Finalize();
}
