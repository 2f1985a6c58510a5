// Which requests are open, by handle. A library may give one handle to many requests that are complete
// already.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

typedef struct Open {
  uint64_t handle;
  uint32_t number;
  uint8_t flags;
  struct Open* next;
} Open;

#define BUCKETS 4096

static struct {
  pthread_mutex_t lock;
  Open* bucket[BUCKETS];
  Open* unused;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static Open** bucket_of(uint64_t handle) {
  handle *= UINT64_C(0x9e3779b97f4a7c15);
  return &table.bucket[handle >> 52];
}

static uint64_t bits(const void* handle, size_t size) {
  uint64_t b = 0;
  memcpy(&b, handle, size < sizeof b ? size : sizeof b);
  return b;
}

static Open* take_unused(void) {
  if (!table.unused) {
    enum { kMore = 256 };
    Open* const more = malloc(kMore * sizeof *more);
    for (int k = 0; k < kMore; ++k) more[k].next = k + 1 < kMore ? &more[k + 1] : NULL;
    table.unused = more;
  }
  Open* const one = table.unused;
  table.unused = one->next;
  return one;
}

void open_request(uint64_t handle, uint32_t number, uint8_t flags) {
  pthread_mutex_lock(&table.lock);
  Open* const one = take_unused();
  Open** const bucket = bucket_of(handle);
  *one = (Open){handle, number, flags, *bucket};
  *bucket = one;
  pthread_mutex_unlock(&table.lock);
}

uint32_t close_request(uint64_t handle, uint8_t* flags) {
  uint32_t number = 0;
  pthread_mutex_lock(&table.lock);
  Open** at = bucket_of(handle);
  while (*at && (*at)->handle != handle) at = &(*at)->next;
  if (*at) {
    Open* const gone = *at;
    number = gone->number;
    *flags = gone->flags;
    *at = gone->next;
    gone->next = table.unused;
    table.unused = gone;
  }
  pthread_mutex_unlock(&table.lock);
  return number;
}

void cancel_request(MPI_Request request) {
  uint8_t flags = 0;
  const uint64_t handle = bits(&request, sizeof request);
  const uint32_t number = close_request(handle, &flags);
  if (number) open_request(handle, number, flags | kMayBeCancelled);
}

void free_request(const Call* call, MPI_Request request) {
  uint8_t flags = 0;
  const uint32_t number = close_request(bits(&request, sizeof request), &flags);
  if (number) trace_let_go(call, number);
}

// ---- over a call that completes some ------------------------------------------------------------

static void reserve(Pending* held, int n) {
  held->n = n;
  held->wants_status = false;
  held->statuses = NULL;
  const bool few = n <= (int)(sizeof held->few / sizeof held->few[0]);
  held->number = few ? held->few : malloc((size_t)n * sizeof *held->number);
  held->handle = few ? held->few_handles : malloc((size_t)n * sizeof *held->handle);
  held->flags = few ? held->few_flags : malloc((size_t)n);
}

static void hold(Pending* held, int k, MPI_Request request) {
  held->handle[k] = request;
  held->flags[k] = 0;
  held->number[k] =
      request == MPI_REQUEST_NULL ? 0 : close_request(bits(&request, sizeof request), &held->flags[k]);
  if (held->number[k] && held->flags[k]) held->wants_status = true;
}

void hold_requests(Pending* held, int n, const MPI_Request* requests) {
  reserve(held, trace_wanted && n > 0 ? n : 0);
  for (int k = 0; k < held->n; ++k) hold(held, k, requests[k]);
}

void hold_fortran_requests(Pending* held, int n, const MPI_Fint* requests) {
  reserve(held, trace_wanted && n > 0 ? n : 0);
  for (int k = 0; k < held->n; ++k) hold(held, k, MPI_Request_f2c(requests[k]));
}

void* statuses_for(Pending* held, void* given, bool ignored) {
  if (!ignored || !held->wants_status) return given;
  return held->statuses = malloc((size_t)held->n * sizeof(MPI_Status));
}

void complete_one(const Call* call, Pending* held, int k, const void* status, bool fortran) {
  if (k < 0 || k >= held->n || held->number[k] == 0) return;
  int cancelled = 0, source = -1, tag = -1;
  if (held->flags[k] && status) {
    MPI_Status c;
    if (fortran)
      MPI_Status_f2c(status, &c);
    else
      c = *(const MPI_Status*)status;
    if (held->flags[k] & kMayBeCancelled) PMPI_Test_cancelled(&c, &cancelled);
    source = c.MPI_SOURCE, tag = c.MPI_TAG;
  }
  trace_complete(call, held->number[k], cancelled, source, tag);
  held->number[k] = 0;
}

void complete_all(const Call* call, Pending* held, const void* statuses, bool fortran) {
  for (int k = 0; k < held->n; ++k) {
    const bool asked = held->number[k] && held->flags[k];
    complete_one(call, held, k, asked ? (const char*)statuses + (size_t)k * sizeof(MPI_Status) : NULL,
                 fortran);
  }
}

/// What was not completed stays open.
void let_go(Pending* held) {
  for (int k = 0; k < held->n; ++k)
    if (held->number[k])
      open_request(bits(&held->handle[k], sizeof held->handle[k]), held->number[k], held->flags[k]);
  if (held->number != held->few) {
    free(held->number);
    free(held->handle);
    free(held->flags);
  }
  free(held->statuses);
  held->n = 0;
}

// ---- messages found by matched probes -----------------------------------------------------------

static struct {
  pthread_mutex_t lock;
  struct Found {
    MPI_Message message;
    Matched from;
    struct Found* next;
  } * first;
} found = {.lock = PTHREAD_MUTEX_INITIALIZER};

void keep_matched(MPI_Message message, MPI_Comm comm, const MPI_Status* status) {
  struct Found* const one = malloc(sizeof *one);
  *one = (struct Found){message, {number_of(comm), status->MPI_SOURCE, status->MPI_TAG}, NULL};
  pthread_mutex_lock(&found.lock);
  one->next = found.first;
  found.first = one;
  pthread_mutex_unlock(&found.lock);
}

Matched take_matched(MPI_Message message) {
  Matched from = {-1, -1, -1};
  if (!trace_wanted) return from;
  pthread_mutex_lock(&found.lock);
  struct Found** at = &found.first;
  while (*at && (*at)->message != message) at = &(*at)->next;
  if (*at) {
    struct Found* const gone = *at;
    from = gone->from;
    *at = gone->next;
    free(gone);
  }
  pthread_mutex_unlock(&found.lock);
  return from;
}
