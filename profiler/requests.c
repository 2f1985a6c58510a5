// Persistent requests, by handle: what their start sends or receives.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

typedef struct {
  MPI_Request request;
  int used, peer;
  int rank, tag, comm;      // as given, for traces
  int64_t sends, receives;  // -1: it does not
} Entry;

static struct {
  pthread_mutex_t lock;
  Entry* entry;
  size_t capacity, n;
} table = {PTHREAD_MUTEX_INITIALIZER, NULL, 0, 0};

void record_started(const Call* call, int peer, int64_t sends, int64_t receives);

static size_t place_of(MPI_Request request) {
  uint64_t h = 0;
  memcpy(&h, &request, sizeof request < sizeof h ? sizeof request : sizeof h);
  h = (h ^ (h >> 33)) * UINT64_C(0xff51afd7ed558ccd);  // mixing step of MurmurHash3 (Appleby, public domain)
  return (size_t)(h ^ (h >> 33)) & (table.capacity - 1);
}

static Entry* find(MPI_Request request) {
  if (table.capacity == 0) return NULL;
  size_t k = place_of(request);
  while (table.entry[k].used && table.entry[k].request != request) k = (k + 1) & (table.capacity - 1);
  return &table.entry[k];
}

static void grow(void) {
  Entry* const old = table.entry;
  const size_t n = table.capacity;
  table.capacity = n ? 2 * n : 64;
  table.entry = calloc(table.capacity, sizeof *table.entry);
  for (size_t k = 0; k < n; ++k)
    if (old[k].used) *find(old[k].request) = old[k];
  free(old);
}

void remember_request(MPI_Request request, int rank, int tag, MPI_Comm comm, int64_t sends,
                      int64_t receives) {
  if (rank == MPI_PROC_NULL) return;
  const int peer = sends >= 0 ? world_rank(comm, rank) : -1;
  const int number = trace_wanted ? number_of(comm) : -1;
  pthread_mutex_lock(&table.lock);
  if (2 * (table.n + 1) > table.capacity) grow();
  Entry* const e = find(request);
  if (!e->used) ++table.n;
  *e = (Entry){request, 1, peer, rank, tag, number, sends, receives};
  pthread_mutex_unlock(&table.lock);
}

void start_request(const Call* call, MPI_Request request) {
  pthread_mutex_lock(&table.lock);
  const Entry* const e = find(request);
  const Entry found = e ? *e : (Entry){0};
  pthread_mutex_unlock(&table.lock);
  if (!found.used) return;
  record_started(call, found.peer, found.sends, found.receives);
  const bool sends = found.sends >= 0;
  if (call->recorded)
    trace_start(call, sends, found.rank, found.tag, found.comm, sends ? found.sends : found.receives,
                request);
}

void forget_request(MPI_Request request) {
  pthread_mutex_lock(&table.lock);
  Entry* const gone = find(request);
  if (gone && gone->used) {
    gone->used = 0;
    --table.n;
    // Entries behind it may have been pushed on by it: place them anew.
    for (size_t k = (size_t)(gone - table.entry + 1) & (table.capacity - 1); table.entry[k].used;
         k = (k + 1) & (table.capacity - 1)) {
      const Entry moved = table.entry[k];
      table.entry[k].used = 0;
      *find(moved.request) = moved;
    }
  }
  pthread_mutex_unlock(&table.lock);
}
