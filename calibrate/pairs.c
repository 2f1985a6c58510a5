// Between two ranks: half the time of a message there and back, and messages a second one way.
#include <stdlib.h>

#include "calibrate.h"

enum { kWindow = 64, kSmall = 8 };

typedef struct {
  char* buffer;
  int size, rank;
} Message;

static void there_and_back(void* what) {
  const Message* m = what;
  if (m->rank == 0) {
    MPI_Send(m->buffer, m->size, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(m->buffer, m->size, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (m->rank == 1) {
    MPI_Recv(m->buffer, m->size, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(m->buffer, m->size, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  }
}

/// Many small messages one way, then an answer to all of them.
static void window(void* what) {
  const Message* m = what;
  MPI_Request request[kWindow];
  MPI_Status status[kWindow];
  for (int k = 0; k < kWindow; ++k)
    if (m->rank == 0)
      MPI_Isend(m->buffer + k * kSmall, kSmall, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &request[k]);
    else
      MPI_Irecv(m->buffer + k * kSmall, kSmall, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &request[k]);
  MPI_Waitall(kWindow, request, status);
  if (m->rank == 0)
    MPI_Recv(m->buffer, 0, MPI_BYTE, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(m->buffer, 0, MPI_BYTE, 0, 3, MPI_COMM_WORLD);
}

void measure_pair(Effort effort, int64_t largest) {
  Message m = {calloc((size_t)largest + kWindow * kSmall, 1), 0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &m.rank);
  for (int64_t size = 1; size <= largest; size = size < 8 ? 8 : 8 * size) {
    m.size = (int)size;
    time_blocks(MPI_COMM_WORLD, "half_round_trip", size, 0.5, effort, there_and_back, &m);
  }
  time_blocks(MPI_COMM_WORLD, "small_message", kSmall, 1.0 / kWindow, effort, window, &m);
  free(m.buffer);
}
