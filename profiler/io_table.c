// The table of a rank's files: paths of descriptors, and counters by file and phase.
#define _GNU_SOURCE
#include "io_table.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 65536

static struct {
  IoHeader* header;
  IoFile* file;
  IoRecord* record;
  IoRename* rename;
  bool every_file;
} io;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int16_t known[MOST_DESCRIPTORS];  // 0: nothing, -1: no file, else the file's number + 1
static uint16_t record_number[MOST_FILES][MOST_PHASES];  // + 1
static bool of_mpi[MOST_FILES];                          // was opened by MPI-IO

/// A call is being recorded: calls inside it, and of signal handlers, are not. Guards against a deadlock,
/// too.
static __thread int inside __attribute__((tls_model("initial-exec")));

void start_io(int rank) {
  const size_t size = sizeof(IoHeader) + MOST_FILES * sizeof(IoFile) + MOST_IO_RECORDS * sizeof(IoRecord) +
                      MOST_RENAMES * sizeof(IoRename);
  char* const at = map_record("io", rank, size);
  if (!at) return;
  const char* const every = getenv("CRUMPLE_PROFILE_EVERY_FILE");
  io.every_file = every && strcmp(every, "1") == 0;
  io.file = (IoFile*)(at + sizeof(IoHeader));
  io.record = (IoRecord*)(io.file + MOST_FILES);
  io.rename = (IoRename*)(io.record + MOST_IO_RECORDS);
  for (int p = 0; p < MOST_PHASES; ++p) {  // so that there is always one
    io.record[p].phase = p;
    record_number[0][p] = (uint16_t)(p + 1);
  }
  strcpy(io.file[0].path, "(others)");
  io.file[0].hash = 1;
  IoHeader* const header = (IoHeader*)at;
  header->most_files = MOST_FILES, header->most_records = MOST_IO_RECORDS;
  header->most_renames = MOST_RENAMES;
  header->files = 1;
  header->records = MOST_PHASES;
  memcpy(header->magic, IO_MAGIC, sizeof header->magic);
  io.header = header;
}

// ---- files --------------------------------------------------------------------------------------

/// FNV-1a (Fowler, Noll, Vo; public domain); never 0.
static uint64_t hash_of(const char* path) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (; *path; ++path) h = (h ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
  return h ? h : 1;
}

static void keep_path(char* to, const char* path) {
  const size_t n = strlen(path);
  if (n < IO_PATH)
    memcpy(to, path, n + 1);
  else
    snprintf(to, IO_PATH, "...%s", path + n - (IO_PATH - 4));
}

static int find_file(uint64_t hash) {
  for (int k = 1; k < io.header->files; ++k)
    if (io.file[k].hash == hash) return k;
  return kNoFile;
}

static int free_place(void) {
  for (int k = 1; k < io.header->files; ++k)
    if (!io.file[k].hash) return k;
  return io.header->files < MOST_FILES ? io.header->files++ : 0;
}

/// The number of a file, made new if it is not there; 0 where there are too many. With the lock.
static int file_numbered(const char* path, const struct stat* s) {
  const uint64_t hash = hash_of(path);
  int k = find_file(hash);
  if (k == kNoFile) {
    k = free_place();
    if (k == 0) return 0;
    keep_path(io.file[k].path, path);
    io.file[k].hash = hash;
  }
  if (s) io.file[k].device = s->st_dev, io.file[k].inode = s->st_ino;
  return k;
}

/// Whether a path is of a system's file, of memory, or of devices.
static bool skipped(const char* path) {
  static const char* const begins[] = {"/proc/", "/sys/", "/dev/", "/memfd:"};
  if (io.every_file) return false;
  for (size_t k = 0; k < sizeof begins / sizeof *begins; ++k)
    if (strncmp(path, begins[k], strlen(begins[k])) == 0) return true;
  return path[0] != '/';
}

/// Find a descriptor's file by what the kernel tells. With the lock.
static int look_up(int descriptor) {
  struct stat s;
  if (fstat(descriptor, &s) != 0 || !S_ISREG(s.st_mode)) return kNoFile;
  char name[32], path[PATH_MAX + 16];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  const ssize_t n = readlink(name, path, sizeof path - 1);
  if (n <= 0) return kNoFile;
  path[n] = 0;
  static const char gone[] = " (deleted)";
  const size_t tail = sizeof gone - 1;
  if (s.st_nlink == 0 && (size_t)n > tail && strcmp(path + n - tail, gone) == 0) path[(size_t)n - tail] = 0;
  return skipped(path) ? kNoFile : file_numbered(path, &s);
}

static int file_of_descriptor(int descriptor) {
  const bool kept = descriptor >= 0 && descriptor < MOST_DESCRIPTORS;
  if (kept) {
    const int was = __atomic_load_n(&known[descriptor], __ATOMIC_RELAXED);
    if (was) return was < 0 ? kNoFile : was - 1;
  }
  const int error = errno;
  pthread_mutex_lock(&lock);
  const int file = look_up(descriptor);
  if (kept) __atomic_store_n(&known[descriptor], (int16_t)(file < 0 ? -1 : file + 1), __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
  errno = error;
  return file;
}

void forget_descriptor(int descriptor) {
  if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS)
    __atomic_store_n(&known[descriptor], 0, __ATOMIC_RELAXED);
}

int file_of_path(const char* path) {
  if (!io.header) return kNoFile;
  char whole[PATH_MAX];
  ++inside;
  const int error = errno;
  const char* const found = realpath(path, whole);
  pthread_mutex_lock(&lock);
  int file = kNoFile;
  if (!found || !skipped(found)) {
    struct stat s;
    file = file_numbered(found ? found : path, found && stat(found, &s) == 0 ? &s : NULL);
    of_mpi[file] = file > 0;
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  --inside;
  return file;
}

// ---- counters -----------------------------------------------------------------------------------

static int bin_of(int64_t bytes) {
  static const int64_t limit[IO_SIZES - 1] = {100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20};
  int k = 0;
  while (k < IO_SIZES - 1 && bytes > limit[k]) ++k;
  return k;
}

/// The counters of a file in a phase; of all others where there is no room. With the lock.
static IoRecord* record_for(int file, int phase) {
  uint16_t* const number = &record_number[file][phase];
  if (!*number) {
    if (io.header->records == MOST_IO_RECORDS) return &io.record[phase];
    io.record[io.header->records].file = file;
    io.record[io.header->records].phase = phase;
    *number = (uint16_t)++io.header->records;
  }
  return &io.record[*number - 1];
}

static void add_to(FileRecord* to, int64_t time, int64_t bytes) {
  ++to->calls;
  to->time += time;
  if (bytes > 0) to->bytes += bytes;
}

void add_io(int file, enum IoLayer layer, int kind, int64_t time, int64_t bytes) {
  if (!io.header || file < 0) return;
  ++inside;
  pthread_mutex_lock(&lock);
  IoRecord* const r = record_for(file, phase_now());
  add_to(&r->of[layer][kind], time, bytes);
  if (kind == kReads && bytes >= 0) ++r->reads[layer][bin_of(bytes)];
  if (kind == kWrites && bytes >= 0) ++r->writes[layer][bin_of(bytes)];
  if (layer == kStdio && kind == kCloses) kind = kSyncs;  // it flushes
  if (layer <= kStdio && kind < kFileKinds) add_to(&rank_record()->file[kind], time, bytes);
  pthread_mutex_unlock(&lock);
  --inside;
}

// ---- calls --------------------------------------------------------------------------------------

/// Whether a call is recorded: not before MPI_Init, nor inside another call.
static bool records(void) { return inside == 0 && io.header && recording(); }

/// Whether the MPI library may use this descriptor for MPI-IO: for its other calls files are not looked up.
static bool may_be_of_mpi(int descriptor) {
  if (inside_mpi_io()) return true;
  const int was = descriptor >= 0 && descriptor < MOST_DESCRIPTORS ? known[descriptor] : 0;
  return was > 0 && of_mpi[was - 1];
}

bool begin_io(IoCall* call, int descriptor, enum IoLayer layer) {
  if (!records()) return false;
  const bool beneath = inside_mpi();
  if (beneath && !may_be_of_mpi(descriptor)) return false;
  ++inside;
  call->file = file_of_descriptor(descriptor);
  if (call->file < 0) return --inside, false;
  call->layer = beneath ? kBeneath : layer;
  call->start = clock_now();
  return true;
}

void end_io(const IoCall* call, int kind, int64_t bytes) {
  add_io(call->file, call->layer, kind, clock_now() - call->start, bytes);
  --inside;
}

void leave_io(void) { --inside; }

bool begin_open(IoCall* call, enum IoLayer layer) {
  if (!records() || (inside_mpi() && !inside_mpi_io())) return false;
  ++inside;
  call->layer = inside_mpi() ? kBeneath : layer;
  call->start = clock_now();
  return true;
}

void end_open(IoCall* call, int descriptor) {
  const int64_t time = clock_now() - call->start;
  if (descriptor >= 0) add_io(file_of_descriptor(descriptor), call->layer, kOpens, time, 0);
  --inside;
}

// ---- names --------------------------------------------------------------------------------------

bool place_of_name(const char* name, char* to, size_t size) {
  char folder[PATH_MAX], copy[PATH_MAX], last[PATH_MAX];
  if (strlen(name) >= PATH_MAX) return false;
  strcpy(copy, name);
  strcpy(last, basename(strcpy(last, name)));
  if (!realpath(dirname(copy), folder)) return false;
  return (size_t)snprintf(to, size, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, last) < size;
}

static void move_counters(int from, int to) {
  for (int p = 0; p < MOST_PHASES; ++p) {
    if (!record_number[from][p]) continue;
    IoRecord* const a = record_for(from, p);
    IoRecord* const b = record_for(to, p);
    int64_t* const x = (int64_t*)a->of;  // what follows are int64_t only
    int64_t* const y = (int64_t*)b->of;
    const size_t n = (sizeof *a - offsetof(IoRecord, of)) / sizeof *x;
    for (size_t k = 0; k < n; ++k) y[k] += x[k], x[k] = 0;
  }
}

static void give_descriptors(int from, int to) {
  for (int d = 0; d < MOST_DESCRIPTORS; ++d)
    if (known[d] == from + 1) known[d] = (int16_t)(to + 1);
}

static bool is_rename(const IoRename* r, const IoRename* other) {
  return r->inode == other->inode && strcmp(r->from, other->from) == 0 && strcmp(r->to, other->to) == 0;
}

/// Others may have written under the first name: it is told to who reads the records of all ranks.
static void keep_rename(const char* from, const char* to, uint64_t inode) {
  IoRename now = {.inode = inode};
  keep_path(now.from, from);
  keep_path(now.to, to);
  for (int k = 0; k < io.header->renames; ++k)
    if (is_rename(&io.rename[k], &now)) return;
  if (io.header->renames < MOST_RENAMES)
    io.rename[io.header->renames++] = now;
  else
    ++io.header->more_renames;
}

void rename_io(const char* from, const char* to) {
  if (!io.header || skipped(to)) return;
  struct stat s;
  if (stat(to, &s) != 0 || !S_ISREG(s.st_mode)) return;
  ++inside;
  pthread_mutex_lock(&lock);
  keep_rename(from, to, s.st_ino);
  const int a = find_file(hash_of(from)), b = find_file(hash_of(to));
  if (a > 0 && b > 0 && a != b) {
    move_counters(a, b);
    give_descriptors(a, b);
    give_handles(a, b);
    io.file[b].device = io.file[a].device, io.file[b].inode = io.file[a].inode;
    of_mpi[b] |= of_mpi[a];
    io.file[a].hash = 0;
    of_mpi[a] = false;
  } else if (a > 0) {
    io.file[a].hash = hash_of(to);
    keep_path(io.file[a].path, to);
  }
  pthread_mutex_unlock(&lock);
  --inside;
}
