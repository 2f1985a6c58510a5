// Writes the events of a trace: into a buffer of fixed size, from there to the rank's file.
#define _GNU_SOURCE
#include "trace.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "functions.h"

#define SECOND INT64_C(1000000000)
#define BUFFER ((size_t)1 << 20)
#define POLLING INT64_C(2000)  // ns; after a call that found nothing done

bool trace_wanted, trace_on;

static struct {
  pthread_mutex_t lock;
  int file;
  char* buffer;
  size_t used;
  int64_t written, limit;  // bytes; limit 0: none
  int64_t start;
  bool windowed, in_seconds, full;
  int64_t from, to;  // of the window: steps, or nanoseconds since MPI_Init
  uint32_t requests;
  int communicators;
  int world_size;
  int64_t collectives;  // of all ranks, so far
  pthread_t thread;
  int64_t clock_cost;
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread int64_t cpu_left;  // this thread's processor time when it last came back from MPI
static __thread bool polled;
static int64_t compute;  // since the last event

static int64_t processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

/// What two readings of the clock in a row differ by.
static int64_t cost_of_clock(void) {
  int64_t least = SECOND;
  for (int k = 0; k < 100; ++k) {
    const int64_t first = processor_time(), cost = processor_time() - first;
    if (cost < least) least = cost;
  }
  return least;
}

// ---- the file -----------------------------------------------------------------------------------

static void flush(void) {
  for (size_t done = 0; done < trace.used;) {
    const long n = syscall(SYS_write, trace.file, trace.buffer + done, trace.used - done);
    if (n <= 0) {  // the disk is full: what was written stays readable
      trace.full = true;
      break;
    }
    done += (size_t)n;
  }
  trace.written += (int64_t)trace.used;
  trace.used = 0;
}

static void append(const void* from, size_t n) {
  while (n > 0) {
    if (trace.used == BUFFER) flush();
    const size_t part = n < BUFFER - trace.used ? n : BUFFER - trace.used;
    memcpy(trace.buffer + trace.used, from, part);
    trace.used += part;
    from = (const char*)from + part;
    n -= part;
  }
}

static bool reached_limit(size_t more) {
  return trace.limit > 0 && trace.written + (int64_t)(trace.used + more + sizeof(Event)) > trace.limit;
}

static void stop_at_limit(void) {
  const Event last = {.kind = kLimit, .bytes = trace.collectives};
  append(&last, sizeof last);
  flush();
  trace.full = true;
  trace_on = false;
}

/// Append an event and what belongs to it; the time since the last goes with it.
static void put(Event event, const int64_t* extra) {
  const size_t more = event.extra * sizeof *extra;
  pthread_mutex_lock(&trace.lock);
  if (!trace.full && reached_limit(sizeof event + more)) stop_at_limit();
  if (!trace.full) {
    event.compute = compute;
    compute = 0;
    append(&event, sizeof event);
    if (more) append(extra, more);
  }
  pthread_mutex_unlock(&trace.lock);
}

static void put_names(void) {
  char name[40];
  for (int f = 0; f < FUNCTIONS; ++f) {
    memset(name, 0, sizeof name);
    snprintf(name, sizeof name, "%s", function_names[f]);
    append(name, sizeof name);
  }
}

static bool open_file(int rank) {
  const char* folder = getenv("CRUMPLE_PROFILE");
  if (!folder || !*folder) folder = "crumple-profile";
  char path[4096];
  snprintf(path, sizeof path, "%s/events.%d", folder, rank);
  trace.file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  trace.buffer = trace.file < 0 ? NULL : malloc(BUFFER);
  return trace.buffer != NULL;
}

/// CRUMPLE_TRACE_WINDOW: 200:400 in steps, 2s:5s in seconds.
static void read_window(const char* text) {
  if (!text || !*text) return;
  char* end = NULL;
  const double from = strtod(text, &end);
  trace.in_seconds = *end == 's';
  end += trace.in_seconds;
  const double to = *end == ':' ? strtod(end + 1, &end) : from;
  const double scale = trace.in_seconds ? 1e9 : 1.0;
  trace.from = (int64_t)(from * scale), trace.to = (int64_t)(to * scale);
  trace.windowed = true;
}

void start_trace(int rank, int size, int64_t start) {
  const char* const wanted = getenv("CRUMPLE_TRACE");
  if (!wanted || strcmp(wanted, "1") != 0 || !open_file(rank)) return;
  const char* const limit = getenv("CRUMPLE_TRACE_LIMIT");
  trace.limit = limit ? atoll(limit) : 0;
  read_window(getenv("CRUMPLE_TRACE_WINDOW"));
  const TraceHeader header = {TRACE_MAGIC, rank, size, FUNCTIONS, 40};
  append(&header, sizeof header);
  put_names();
  trace.start = start;
  trace.world_size = size;
  trace.thread = pthread_self();
  trace.clock_cost = cost_of_clock();
  trace_wanted = true;
  if (!trace.windowed) {
    trace_on = true;
    put((Event){.kind = kBegin}, NULL);
  }
  flush();  // so that a rank that is killed leaves a file that can be read
  cpu_left = processor_time();
}

void end_trace(void) {
  if (!trace_wanted) return;
  if (trace_on) trace_enter(clock_now());
  put((Event){.kind = kEnd, .bytes = trace.collectives}, NULL);
  pthread_mutex_lock(&trace.lock);
  flush();
  trace.full = true;
  trace_on = trace_wanted = false;
  pthread_mutex_unlock(&trace.lock);
}

// ---- when it is recorded ------------------------------------------------------------------------

static void set_window(bool inside) {
  const bool on = inside && !trace.full;
  if (on == trace_on) return;
  if (on) {
    compute = 0;
    trace_on = true;
    put((Event){.kind = kBegin, .tag = trace.in_seconds, .bytes = trace.collectives}, NULL);
    cpu_left = processor_time();
  } else {
    compute += processor_time() - cpu_left;
    put((Event){.kind = kPause, .bytes = trace.collectives}, NULL);
    trace_on = false;
  }
}

static void trace_step(int64_t step) {
  if (trace.windowed && !trace.in_seconds && pthread_equal(trace.thread, pthread_self()))
    set_window(step >= trace.from && step < trace.to);
}

void trace_phase(const char* name, int64_t step) {
  trace_step(step);
  if (!trace_on || !pthread_equal(trace.thread, pthread_self())) return;
  const int64_t spent = processor_time() - cpu_left - trace.clock_cost;
  if (spent > 0) compute += spent;
  int64_t text[5] = {0};
  if (name) strncpy((char*)text, name, sizeof text - 1);
  put((Event){.kind = kPhase, .bytes = step, .extra = 5}, text);
  cpu_left = processor_time();
}

void trace_resume(void) { cpu_left = processor_time(); }

void trace_enter(int64_t now) {
  if (trace.in_seconds) set_window(now - trace.start >= trace.from && now - trace.start < trace.to);
  if (!trace_on) return;
  if (!pthread_equal(trace.thread, pthread_self())) {
    put((Event){.kind = kThreads}, NULL);
    trace.thread = pthread_self();
    return;
  }
  const int64_t spent = processor_time() - cpu_left - trace.clock_cost;
  if (spent > 0 && !(polled && spent < POLLING)) compute += spent;
  polled = false;
}

void trace_leave(void) { cpu_left = processor_time(); }
void trace_polled(void) { polled = true; }

// ---- messages -----------------------------------------------------------------------------------

uint32_t new_request_number(void) { return __atomic_add_fetch(&trace.requests, 1, __ATOMIC_RELAXED); }

static uint64_t bits_of(MPI_Request request) {
  uint64_t b = 0;
  memcpy(&b, &request, sizeof request < sizeof b ? sizeof request : sizeof b);
  return b;
}

static Event message(const Call* call, enum EventKind kind, int peer, int tag, int comm, int64_t bytes) {
  return (Event){.kind = (uint8_t)kind,
                 .function = (uint16_t)call->function,
                 .comm = comm,
                 .peer = peer,
                 .tag = tag,
                 .bytes = bytes};
}

void trace_send(const Call* call, int dest, int tag, MPI_Comm comm, int64_t bytes) {
  if (trace_on && dest != MPI_PROC_NULL) put(message(call, kSend, dest, tag, number_of(comm), bytes), NULL);
}

void trace_receive(const Call* call, int source, int tag, MPI_Comm comm, int64_t bytes,
                   const MPI_Status* status) {
  if (!trace_on || source == MPI_PROC_NULL) return;
  if (source == MPI_ANY_SOURCE) source = status->MPI_SOURCE;
  if (tag == MPI_ANY_TAG) tag = status->MPI_TAG;
  put(message(call, kReceive, source, tag, number_of(comm), bytes), NULL);
}

static void put_open(Event event, const MPI_Request* request, uint8_t flags) {
  event.request = new_request_number();
  put(event, NULL);
  open_request(bits_of(*request), event.request, flags);
}

void trace_isend(const Call* call, int dest, int tag, MPI_Comm comm, int64_t bytes, MPI_Request request) {
  if (trace_on && dest != MPI_PROC_NULL)
    put_open(message(call, kIsend, dest, tag, number_of(comm), bytes), &request, 0);
}

static void put_ireceive(const Call* call, int source, int tag, int comm, int64_t bytes,
                         MPI_Request request) {
  const bool any = source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG;
  if (source == MPI_ANY_SOURCE) source = -1;
  if (tag == MPI_ANY_TAG) tag = -1;
  put_open(message(call, kIreceive, source, tag, comm, bytes), &request, any ? kAnyMessage : 0);
}

void trace_ireceive(const Call* call, int source, int tag, MPI_Comm comm, int64_t bytes,
                    MPI_Request request) {
  if (trace_on && source != MPI_PROC_NULL) put_ireceive(call, source, tag, number_of(comm), bytes, request);
}

uint32_t trace_send_begins(const Call* call, int dest, int tag, MPI_Comm comm, int64_t bytes) {
  if (!trace_on || dest == MPI_PROC_NULL) return 0;
  Event event = message(call, kIsend, dest, tag, number_of(comm), bytes);
  event.request = new_request_number();
  put(event, NULL);
  return event.request;
}

void trace_send_ends(const Call* call, uint32_t number) {
  if (number) trace_complete(call, number, false, -1, -1);
}

void trace_start(const Call* call, bool sends, int peer, int tag, int comm, int64_t bytes,
                 MPI_Request request) {
  if (!trace_on) return;
  if (sends)
    put_open(message(call, kIsend, peer, tag, comm, bytes), &request, 0);
  else
    put_ireceive(call, peer, tag, comm, bytes, request);
}

void trace_matched_receive(const Call* call, Matched from, int64_t bytes) {
  if (trace_on && from.comm >= 0) put(message(call, kReceive, from.source, from.tag, from.comm, bytes), NULL);
}

void trace_matched_ireceive(const Call* call, Matched from, int64_t bytes, MPI_Request request) {
  if (trace_on && from.comm >= 0)
    put_open(message(call, kIreceive, from.source, from.tag, from.comm, bytes), &request, 0);
}

void trace_complete(const Call* call, uint32_t number, bool cancelled, int source, int tag) {
  if (!trace_on) return;
  Event event = message(call, kComplete, source, tag, 0, 0);
  event.request = number;
  event.flags = cancelled ? kCancelled : 0;
  put(event, NULL);
}

void trace_let_go(const Call* call, uint32_t number) {
  if (!trace_on) return;
  Event event = message(call, kLetGo, -1, -1, 0, 0);
  event.request = number;
  put(event, NULL);
}

// ---- collectives, windows, files ----------------------------------------------------------------

static void write_blocks(int64_t* to, Blocks b, int n) {
  for (int k = 0; k < n; ++k) {
    const MPI_Datatype type =
        b.types ? b.types[k] : (b.fortran_types ? MPI_Type_f2c(b.fortran_types[k]) : b.type);
    to[k] = bytes_of(b.counts ? b.counts[k] : b.same, type);
  }
}

static void count_blocks(MPI_Comm comm, enum BlocksOf of, int root, int* sent, int* received) {
  if (of == kOfNeighbours) {
    in_and_out_degree(comm, received, sent);
    return;
  }
  const bool has = of == kOfRanks || root == rank_in(comm);
  *sent = *received = has ? size_of(comm) : 0;
}

void trace_collective(const Call* call, MPI_Comm comm, int root, int64_t bytes, const MPI_Request* request,
                      enum BlocksOf of, Blocks sent, Blocks received) {
  if (has_all_ranks(comm)) __atomic_add_fetch(&trace.collectives, 1, __ATOMIC_RELAXED);
  if (!trace_on) return;
  Event event = message(call, kCollective, root, 0, number_of(comm), bytes);
  int64_t* blocks = NULL;
  if (sent.given || received.given) {
    int out = 0, in = 0;
    count_blocks(comm, of, root, &out, &in);
    if (!sent.given) out = 0;
    if (!received.given) in = 0;
    event.tag = out;
    event.extra = (uint32_t)(out + in);
    blocks = malloc((event.extra + 1) * sizeof *blocks);
    write_blocks(blocks, sent, out);
    write_blocks(blocks + out, received, in);
  }
  if (request) event.request = new_request_number();
  put(event, blocks);
  if (request) open_request(bits_of(*request), event.request, 0);
  free(blocks);
}

static void put_members(enum EventKind kind, int number, int flags, const int* members, int n, int local) {
  int64_t* const list = malloc(((size_t)n + 1) * sizeof *list);
  for (int k = 0; k < n; ++k) list[k] = members[k];
  put((Event){.kind = (uint8_t)kind,
              .flags = (uint8_t)flags,
              .comm = number,
              .peer = local,
              .tag = n,
              .extra = (uint32_t)n},
      list);
  free(list);
}

static void put_topology(MPI_Comm comm, int number) {
  int in = 0, out = 0;
  in_and_out_degree(comm, &in, &out);
  if (in + out == 0) return;
  int* const ranks = malloc((size_t)(in + out) * sizeof *ranks);
  int64_t* const list = malloc((size_t)(in + out) * sizeof *list);
  neighbours(comm, ranks, in, ranks + in, out);
  for (int k = 0; k < in + out; ++k) list[k] = ranks[k] == MPI_PROC_NULL ? -1 : ranks[k];
  put((Event){.kind = kTopology, .comm = number, .peer = in, .tag = out, .extra = (uint32_t)(in + out)},
      list);
  free(ranks);
  free(list);
}

int trace_communicator(MPI_Comm comm, bool inter, const int* members, int n) {
  const int number = __atomic_add_fetch(&trace.communicators, 1, __ATOMIC_RELAXED);
  put_members(kCommunicator, number, inter ? kIntercommunicator : 0, members, n, rank_in(comm));
  if (!inter) put_topology(comm, number);
  return number;
}

static int window_number(MPI_Win win, int made) {
  static int key = MPI_KEYVAL_INVALID;
  if (key == MPI_KEYVAL_INVALID)
    PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
  if (made) {
    PMPI_Win_set_attr(win, key, (void*)(intptr_t)made);
    return made;
  }
  void* value = NULL;
  int flag = 0;
  PMPI_Win_get_attr(win, key, &value, &flag);
  return flag ? (int)(intptr_t)value : -1;
}

void trace_window(MPI_Win win) {
  if (win == MPI_WIN_NULL) return;
  MPI_Group group;
  int n = 0, rank = 0;
  PMPI_Win_get_group(win, &group);
  PMPI_Group_size(group, &n);
  PMPI_Group_rank(group, &rank);
  int* const members = malloc(((size_t)n + 1) * sizeof *members);
  world_ranks_of(group, members, n);
  PMPI_Group_free(&group);
  const int number = __atomic_add_fetch(&trace.communicators, 1, __ATOMIC_RELAXED);
  window_number(win, number);
  put_members(kWindow, number, 0, members, n, rank);
  free(members);
}

void trace_one_sided(const Call* call, enum EventKind kind, int target, MPI_Win win, int64_t bytes,
                     const MPI_Request* request) {
  if (!trace_on || target == MPI_PROC_NULL) return;
  Event event = message(call, kind, target, 0, window_number(win, 0), bytes);
  if (request) {
    put_open(event, request, 0);
    return;
  }
  put(event, NULL);
}

void trace_synchronize(const Call* call, MPI_Win win, int rank, MPI_Group group) {
  if (!trace_on || win == MPI_WIN_NULL) return;
  Event event = message(call, kSynchronize, rank, 0, window_number(win, 0), 0);
  int n = 0;
  if (group != MPI_GROUP_NULL) PMPI_Group_size(group, &n);
  int* const members = malloc(((size_t)n + 1) * sizeof *members);
  int64_t* const list = malloc(((size_t)n + 1) * sizeof *list);
  if (n) world_ranks_of(group, members, n);
  for (int k = 0; k < n; ++k) list[k] = members[k];
  event.extra = (uint32_t)n;
  put(event, list);
  free(members);
  free(list);
}

void trace_file(const Call* call, int64_t bytes) {
  if (trace_on) put(message(call, kFileAccess, 0, 0, 0, bytes), NULL);
}
