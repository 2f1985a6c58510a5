// One of everything that a trace has to turn into what a replay knows. Any number of ranks from 2 on.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crumple_phase.h"

static int rank, size, next, last;
static char out[1 << 18], in[1 << 18];

static double processor(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void work(double seconds) {
  const double start = processor();
  while (processor() - start < seconds) {
  }
}

/// The completion calls: of some, of any, by tests.
static void completions(void) {
  MPI_Request request[4];
  int at[4], n = 0, done = 0, k;
  for (k = 0; k < 2; ++k) {
    MPI_Irecv(in + 1000 * k, 1000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[k]);
    MPI_Isend(out, 300, MPI_BYTE, next, k, MPI_COMM_WORLD, &request[2 + k]);
  }
  MPI_Waitany(4, request, &k, MPI_STATUS_IGNORE);
  while (done < 3) {
    MPI_Testsome(4, request, &n, at, MPI_STATUSES_IGNORE);
    done += n;
  }
  MPI_Irecv(in, 70000, MPI_BYTE, last, 5, MPI_COMM_WORLD, &request[0]);
  MPI_Isend(out, 70000, MPI_BYTE, next, 5, MPI_COMM_WORLD, &request[1]);
  MPI_Wait(&request[1], MPI_STATUS_IGNORE);  // the other one stays open
  for (int flag = 0; !flag;) MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 10, MPI_BYTE, last, 999, MPI_COMM_WORLD, &request[0]);  // nobody sends this
  MPI_Cancel(&request[0]);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

static void other_sends(void) {
  static char space[100000];
  MPI_Message message;
  MPI_Request request;
  MPI_Buffer_attach(space, sizeof space);
  MPI_Bsend(out, 90000, MPI_BYTE, next, 6, MPI_COMM_WORLD);
  MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(in, 90000, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  void* gone;
  int bytes;
  MPI_Buffer_detach(&gone, &bytes);
  MPI_Irecv(in, 64, MPI_BYTE, last, 7, MPI_COMM_WORLD, &request);
  MPI_Ssend(out, 64, MPI_BYTE, next, 7, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out, 128, MPI_BYTE, next, 8, in, 128, MPI_BYTE, last, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Isend(out, 16, MPI_BYTE, next, 9, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Recv(in, 16, MPI_BYTE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// All collectives on a communicator, blocking and not.
static void collectives(MPI_Comm comm) {
  int n, mine;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &mine);
  int counts[64], at[64], one[64];
  MPI_Datatype types[64];
  for (int k = 0; k < n; ++k) counts[k] = 10 + k, at[k] = 1000 * k, one[k] = 8, types[k] = MPI_BYTE;
  const int root = n - 1;
  MPI_Barrier(comm);
  MPI_Bcast(in, 100, MPI_BYTE, root, comm);
  MPI_Reduce(out, in, 11, MPI_INT, MPI_SUM, root, comm);
  MPI_Allreduce(MPI_IN_PLACE, in, 3, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Scan(out, in, 5, MPI_INT, MPI_SUM, comm);
  MPI_Exscan(out, in, 5, MPI_INT, MPI_SUM, comm);
  MPI_Gather(out, 12, MPI_BYTE, in, 12, MPI_BYTE, root, comm);
  MPI_Gatherv(out, counts[mine], MPI_BYTE, in, counts, at, MPI_BYTE, root, comm);
  MPI_Scatter(out, 12, MPI_BYTE, in, 12, MPI_BYTE, root, comm);
  MPI_Scatterv(out, counts, at, MPI_BYTE, in, counts[mine], MPI_BYTE, root, comm);
  MPI_Allgather(out, 16, MPI_BYTE, in, 16, MPI_BYTE, comm);
  MPI_Allgatherv(out, counts[mine], MPI_BYTE, in, counts, at, MPI_BYTE, comm);
  MPI_Alltoall(out, 9, MPI_BYTE, in, 9, MPI_BYTE, comm);
  MPI_Alltoallv(out, one, at, MPI_BYTE, in, one, at, MPI_BYTE, comm);
  MPI_Alltoallw(out, one, at, types, in, one, at, types, comm);
  MPI_Reduce_scatter(out, in, one, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter_block(out, in, 4, MPI_INT, MPI_SUM, comm);
  MPI_Request request[3];
  double x[4] = {0}, y[4], z[4];
  MPI_Iallreduce(x, y, 4, MPI_DOUBLE, MPI_SUM, comm, &request[0]);
  MPI_Ialltoall(out, 9, MPI_BYTE, in, 9, MPI_BYTE, comm, &request[1]);
  MPI_Ibcast(z, 4, MPI_DOUBLE, 0, comm, &request[2]);
  work(0.002);
  if (mine % 2) MPI_Wait(&request[2], MPI_STATUS_IGNORE);  // not in the order of their start
  MPI_Barrier(comm);
  MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
}

static void neighbours(void) {
  MPI_Comm ring;
  const int dims[1] = {size}, periods[1] = {0};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
  MPI_Neighbor_alltoall(out, 40, MPI_BYTE, in, 40, MPI_BYTE, ring);
  MPI_Request request;
  MPI_Ineighbor_allgather(out, 50, MPI_BYTE, in, 50, MPI_BYTE, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&ring);
}

static void one_sided(void) {
  static double memory[64];
  double x = 1.0, y;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, win);
  MPI_Get(&y, 1, MPI_DOUBLE, last, 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
  MPI_Fetch_and_op(&x, &y, MPI_DOUBLE, next, 2, MPI_SUM, win);
  MPI_Win_unlock(next, win);
  MPI_Group all, to, from;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &next, &to);
  MPI_Group_incl(all, 1, &last, &from);
  MPI_Win_post(from, 0, win);
  MPI_Win_start(to, 0, win);
  MPI_Put(&x, 1, MPI_DOUBLE, next, 3, 1, MPI_DOUBLE, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Win_free(&win);
}

/// Twelve cycles of a solver: messages to the next rank, a reduction, and work that tells the cycles apart.
static void cycles(void) {
  double x = 0, sum;
  for (int cycle = 0; cycle < 12; ++cycle) {
    MPI_Request request[2];
    crumple_phase("exchange", cycle);
    MPI_Irecv(in, 1000 + cycle, MPI_BYTE, last, 20, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(out, 1000 + cycle, MPI_BYTE, next, 20, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    crumple_phase("elements", cycle);
    work(0.004);
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  }
  crumple_phase(0, -1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (rank + 1) % size, last = (rank + size - 1) % size;
  if (argc > 1 && strcmp(argv[1], "cycles") == 0) {
    cycles();
  } else {
    MPI_Comm reversed, part;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 && size > 2, rank, &part);
    completions();
    other_sends();
    collectives(MPI_COMM_WORLD);
    collectives(reversed);
    collectives(part);
    collectives(MPI_COMM_SELF);
    neighbours();
    one_sided();
    cycles();
  }
  MPI_Finalize();
}
