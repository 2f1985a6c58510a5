// Times calls and adds up what they moved.
#define _GNU_SOURCE
#include "profiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "functions.h"
#include "io_table.h"
#include "next.h"
#include "trace.h"

#define SECOND INT64_C(1000000000)

static struct {
  RankRecord* record;
  FunctionRecord* functions;
  Traffic* peers;
  int64_t start;
  int64_t next_sample;
  bool recording, collective_wait;
  const char* folder;
} profile;

static __thread int depth;
static __thread int outermost;  // function, where depth is not 0
static __thread int64_t left;   // when this thread last came back from MPI
static __thread int phase;
static __thread int64_t phase_start;

int64_t clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

void* next_of(const char* name) { return dlsym(RTLD_NEXT, name); }

RankRecord* rank_record(void) { return profile.record; }
bool recording(void) { return profile.recording; }
bool inside_mpi(void) { return depth > 0; }
bool inside_mpi_io(void) {
  return depth > 0 && outermost >= id_MPI_File_call_errhandler && outermost <= id_MPI_File_write_shared;
}
int phase_now(void) { return phase; }

void set_recording(bool on) {
  profile.recording = on && profile.record;
  left = 0;
  if (trace_on) trace_resume();
}

// ---- the record ---------------------------------------------------------------------------------

static void complain(int rank, const char* what, const char* path) {
  if (rank == 0)
    fprintf(stderr, "crumple-profiler: %s %s: %s; this run is not profiled\n", what, path, strerror(errno));
}

void* map_record(const char* name, int rank, size_t size) {
  if (!profile.folder) profile.folder = record_folder();
  const char* const folder = profile.folder;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) return complain(rank, "cannot make", folder), NULL;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%d", folder, name, rank);
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return complain(rank, "cannot write", path), NULL;
  void* const at = ftruncate(file, (off_t)size) == 0
                       ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                       : MAP_FAILED;
  if (at == MAP_FAILED) complain(rank, "cannot write", path);
  close(file);
  return at == MAP_FAILED ? NULL : at;
}

static int64_t of_timeval(struct timeval t) { return t.tv_sec * SECOND + t.tv_usec * 1000; }

static void read_kernel_counts(RankRecord* record) {
  char text[512];
  const int file = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const ssize_t n = pread(file, text, sizeof text - 1, 0);
  close(file);
  text[n > 0 ? n : 0] = 0;
  long long in = 0, out = 0;
  if (sscanf(text, "rchar: %lld wchar: %lld", &in, &out) == 2)
    record->read_bytes = in, record->written_bytes = out;
}

/// What the process has used so far; once a second and at the end.
static void sample(int64_t now) {
  RankRecord* const r = profile.record;
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  r->cpu = of_timeval(used.ru_utime) + of_timeval(used.ru_stime);
  r->peak_memory = used.ru_maxrss * INT64_C(1024);
  r->elapsed = now - profile.start;
  read_kernel_counts(r);
  read_counters(r);
}

static void describe(RankRecord* r, int rank, int size, int thread_level) {
  r->rank = rank, r->size = size;
  r->functions = FUNCTIONS;
  r->state = kRunning;
  r->thread_level = thread_level;
  r->pid = getpid();
  r->started = time(NULL);
  gethostname(r->host, sizeof r->host - 1);
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  PMPI_Get_library_version(library, &length);
  snprintf(r->library, sizeof r->library, "%.*s", (int)strcspn(library, "\n"), library);
  for (int f = 0; f < FUNCTIONS; ++f)
    snprintf(profile.functions[f].name, sizeof profile.functions[f].name, "%s", function_names[f]);
}

/// A child of fork shares the file's memory: what it does is not the rank's.
static void forget_record(void) {
  profile.recording = false;
  profile.record = NULL;
  trace_wanted = trace_on = false;
}

void start_profile(int thread_level) {
  int rank = 0, size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  RankRecord* const record = map_record(
      "rank", rank, sizeof *record + FUNCTIONS * sizeof(FunctionRecord) + (size_t)size * sizeof(Traffic));
  if (!record) return;
  profile.functions = (FunctionRecord*)(record + 1);
  profile.peers = (Traffic*)(profile.functions + FUNCTIONS);
  describe(record, rank, size, thread_level);
  start_counters(record);
  start_io(rank);
  const char* const wait = getenv("CRUMPLE_PROFILE_COLLECTIVE_WAIT");
  profile.collective_wait = !wait || strcmp(wait, "0") != 0;
  profile.start = phase_start = left = clock_now();
  profile.next_sample = profile.start + SECOND;
  memcpy(record->magic, PROFILE_MAGIC, sizeof record->magic);
  profile.record = record;
  sample(profile.start);
  if (!is_spawned()) start_trace(rank, size, profile.start);  // a replay knows one world only
  pthread_atfork(NULL, NULL, forget_record);
  profile.recording = true;
}

static void end_phase(int64_t now) {
  if (phase_start) add(&profile.record->phase[phase].time, now - phase_start);
  phase_start = now;
}

void end_profile(enum RankState state) {
  if (!profile.record || profile.record->state != kRunning) return;
  const int64_t now = clock_now();
  ++depth;  // what is read here is not the program's
  end_trace();
  if (left) add(&profile.record->application, now - left);
  end_phase(now);
  sample(now);
  --depth;
  profile.record->state = state;
}

// ---- calls --------------------------------------------------------------------------------------

void enter(Call* call, int function) {
  call->function = function;
  call->waited = 0;
  if (depth == 0) outermost = function;
  call->recorded = depth++ == 0 && profile.recording;
  call->start = call->recorded ? clock_now() : 0;
  if (call->recorded && left) add(&profile.record->application, call->start - left);
  if (trace_wanted && call->recorded) trace_enter(call->start);
}

static void raise_to(int64_t* most, int64_t to) {
  int64_t was = __atomic_load_n(most, __ATOMIC_RELAXED);
  while (was < to && !__atomic_compare_exchange_n(most, &was, to, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

static void record_call(Call* call) {
  const int64_t now = left = clock_now(), time = call->time = now - call->start;
  const int64_t waited = call->waited == kAllOfIt ? time : call->waited;
  FunctionRecord* const f = &profile.functions[call->function];
  add(&f->calls, 1);
  add(&f->time, time);
  if (waited) add(&f->waiting, waited);
  if (time > f->longest) raise_to(&f->longest, time);
  PhaseRecord* const p = &profile.record->phase[phase];
  add(&p->mpi_calls, 1);
  add(&p->mpi_time, time);
  if (waited) add(&p->mpi_waiting, waited);
  profile.record->elapsed = now - profile.start;
  int64_t due = __atomic_load_n(&profile.next_sample, __ATOMIC_RELAXED);
  if (now >= due && __atomic_compare_exchange_n(&profile.next_sample, &due, now + SECOND, false,
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    sample(now);
}

void leave(Call* call) {
  if (call->recorded) record_call(call);
  --depth;
}

void arrive(Call* call, MPI_Comm comm) {
  if (!call->recorded || !profile.collective_wait || comm == MPI_COMM_NULL) return;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) return;
  PMPI_Barrier(comm);
  call->waited = clock_now() - call->start;
}

// ---- what was moved -----------------------------------------------------------------------------

static void add_to_bin(Traffic* bins, int64_t bytes) {
  const int bin = bytes <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)bytes - 1);
  add(&bins[bin].messages, 1);
  add(&bins[bin].bytes, bytes);
}

static void add_bytes(const Call* call, int64_t out, int64_t in) {
  FunctionRecord* const f = &profile.functions[call->function];
  if (out) add(&f->bytes_out, out);
  if (in) add(&f->bytes_in, in);
  add(&profile.record->phase[phase].mpi_bytes, out);
}

static void add_to_peer(int peer, int64_t bytes) {
  Traffic* const to = peer < 0 ? &profile.record->unknown_peer : &profile.peers[peer];
  add(&to->messages, 1);
  add(&to->bytes, bytes);
}

static void send_to(const Call* call, int peer, int64_t bytes) {
  add_bytes(call, bytes, 0);
  add_to_bin(profile.record->point_to_point, bytes);
  add_to_peer(peer, bytes);
}

void record_send(const Call* call, int dest, MPI_Comm comm, int64_t bytes) {
  if (call->recorded && dest != MPI_PROC_NULL) send_to(call, world_rank(comm, dest), bytes);
}

void record_receive(const Call* call, int64_t bytes) {
  if (call->recorded) add_bytes(call, 0, bytes);
}

void record_collective(const Call* call, int64_t bytes) {
  if (!call->recorded) return;
  add_bytes(call, bytes, 0);
  add_to_bin(profile.record->collective, bytes);
}

void record_one_sided(const Call* call, int target, MPI_Win win, int64_t out, int64_t in) {
  if (!call->recorded || target == MPI_PROC_NULL) return;
  add_bytes(call, out, in);
  add_to_bin(profile.record->one_sided, out + in);
  add_to_peer(world_rank_of_target(win, target), out + in);
}

void record_file(const Call* call, MPI_File handle, int kind, int64_t bytes) {
  if (!call->recorded) return;
  add_bytes(call, kind == kWrites ? bytes : 0, kind == kReads ? bytes : 0);
  record_file_call(call, file_of_handle(handle), kind, bytes);
}

void record_started(const Call* call, int peer, int64_t sends, int64_t receives) {
  if (!call->recorded) return;
  if (sends >= 0) send_to(call, peer, sends);
  if (receives >= 0) add_bytes(call, 0, receives);
}

// ---- phases -------------------------------------------------------------------------------------

/// Index of a phase by its name, made new where there is none; 0 when there are too many.
static int phase_named(const char* name) {
  static char lock;
  PhaseRecord* const all = profile.record->phase;
  for (int k = 1; k < MOST_PHASES && all[k].name[0]; ++k)
    if (strncmp(all[k].name, name, sizeof all[k].name - 1) == 0) return k;
  while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {
  }
  int k = 1;
  while (k < MOST_PHASES && all[k].name[0] && strncmp(all[k].name, name, sizeof all[k].name - 1) != 0) ++k;
  if (k < MOST_PHASES && !all[k].name[0]) snprintf(all[k].name, sizeof all[k].name, "%s", name);
  __atomic_clear(&lock, __ATOMIC_RELEASE);
  return k < MOST_PHASES ? k : 0;
}

/// What crumple_phase.h calls.
__attribute__((visibility("default"))) void crumple_profiler_phase(const char* name, long long step) {
  if (!profile.recording) return;
  if (trace_wanted) trace_phase(name, step);
  end_phase(clock_now());
  phase = name && *name ? phase_named(name) : 0;
  add(&profile.record->phase[phase].entries, 1);
}
