// Time and bytes of POSIX calls on regular files, outside MPI.
//
// Whatever calls the C library from outside it is seen: C++ streams, HDF5, Fortran's run-time library. Calls
// that the C library makes itself (of fprintf, say) are not, but their bytes are in the kernel's counts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "profiler.h"

#define EXPORT __attribute__((visibility("default")))

static __thread int inside;

static bool regular(int file) {
  struct stat s;
  return fstat(file, &s) == 0 && S_ISREG(s.st_mode);
}

/// Whether a call is to be recorded. It is before the profile starts, inside MPI, or on a pipe.
static bool begins(int file) {
  const RankRecord* const r = rank_record();
  return r && r->state == kRunning && !inside_mpi() && inside == 0 && regular(file);
}

static void record(int kind, int64_t start, int64_t bytes) {
  FileRecord* const f = &rank_record()->file[kind];
  add(&f->calls, 1);
  add(&f->time, clock_now() - start);
  if (bytes > 0) add(&f->bytes, bytes);
}

#define REAL(name)               \
  static __typeof__(name)* real; \
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, #name)

#define WRAP(result, name, parameters, arguments, file, kind, bytes) \
  EXPORT result name parameters {                                    \
    REAL(name);                                                      \
    if (!begins(file)) return real arguments;                        \
    const int64_t start = clock_now();                               \
    ++inside;                                                        \
    const result done = real arguments;                              \
    --inside;                                                        \
    record(kind, start, (int64_t)(bytes));                           \
    return done;                                                     \
  }

WRAP(ssize_t, read, (int file, void* to, size_t n), (file, to, n), file, kReads, done)
WRAP(ssize_t, pread, (int file, void* to, size_t n, off_t at), (file, to, n, at), file, kReads, done)
WRAP(ssize_t, pread64, (int file, void* to, size_t n, off64_t at), (file, to, n, at), file, kReads, done)
WRAP(ssize_t, readv, (int file, const struct iovec* to, int n), (file, to, n), file, kReads, done)
WRAP(size_t, fread, (void* to, size_t size, size_t n, FILE* file), (to, size, n, file), fileno(file), kReads,
     done* size)
WRAP(ssize_t, write, (int file, const void* from, size_t n), (file, from, n), file, kWrites, done)
WRAP(ssize_t, pwrite, (int file, const void* from, size_t n, off_t at), (file, from, n, at), file, kWrites,
     done)
WRAP(ssize_t, pwrite64, (int file, const void* from, size_t n, off64_t at), (file, from, n, at), file,
     kWrites, done)
WRAP(ssize_t, writev, (int file, const struct iovec* from, int n), (file, from, n), file, kWrites, done)
WRAP(size_t, fwrite, (const void* from, size_t size, size_t n, FILE* file), (from, size, n, file),
     fileno(file), kWrites, done* size)
WRAP(int, fsync, (int file), (file), file, kSyncs, 0)
WRAP(int, fdatasync, (int file), (file), file, kSyncs, 0)
WRAP(int, fclose, (FILE * file), (file), fileno(file), kSyncs, 0)

EXPORT int fflush(FILE* file) {
  REAL(fflush);
  if (!file || !begins(fileno(file))) return real(file);
  const int64_t start = clock_now();
  ++inside;
  const int done = real(file);
  --inside;
  record(kSyncs, start, 0);
  return done;
}
