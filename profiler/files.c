// POSIX calls on regular files.
//
// Whatever calls the C library from outside it is seen: C++ streams, HDF5, Fortran's run-time library, MPI
// libraries. Calls that the C library makes itself for C streams are not: streams.c counts those by what
// the program asks of the stream. So no byte is counted twice.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "io_table.h"
#include "next.h"

#define EXPORT __attribute__((visibility("default")))

// ---- calls on a descriptor ----------------------------------------------------------------------

#define WRAP(result, name, parameters, arguments, kind, bytes) \
  EXPORT result name parameters {                              \
    NEXT(name);                                                \
    IoCall call;                                               \
    if (!begin_io(&call, file, kPosix)) return next arguments; \
    const result done = next arguments;                        \
    end_io(&call, kind, (int64_t)(bytes));                     \
    return done;                                               \
  }

// What the compiler makes of calls whose buffers' sizes it knows; not in headers without that.
extern ssize_t __read_chk(int, void*, size_t, size_t);
extern ssize_t __pread_chk(int, void*, size_t, off_t, size_t);
extern ssize_t __pread64_chk(int, void*, size_t, off64_t, size_t);

WRAP(ssize_t, read, (int file, void* to, size_t n), (file, to, n), kReads, done)
WRAP(ssize_t, __read_chk, (int file, void* to, size_t n, size_t size), (file, to, n, size), kReads, done)
WRAP(ssize_t, pread, (int file, void* to, size_t n, off_t at), (file, to, n, at), kReads, done)
WRAP(ssize_t, pread64, (int file, void* to, size_t n, off64_t at), (file, to, n, at), kReads, done)
WRAP(ssize_t, __pread_chk, (int file, void* to, size_t n, off_t at, size_t size), (file, to, n, at, size),
     kReads, done)
WRAP(ssize_t, __pread64_chk, (int file, void* to, size_t n, off64_t at, size_t size), (file, to, n, at, size),
     kReads, done)
WRAP(ssize_t, readv, (int file, const struct iovec* to, int n), (file, to, n), kReads, done)
WRAP(ssize_t, preadv, (int file, const struct iovec* to, int n, off_t at), (file, to, n, at), kReads, done)
WRAP(ssize_t, preadv64, (int file, const struct iovec* to, int n, off64_t at), (file, to, n, at), kReads,
     done)
WRAP(ssize_t, preadv2, (int file, const struct iovec* to, int n, off_t at, int flags),
     (file, to, n, at, flags), kReads, done)
WRAP(ssize_t, preadv64v2, (int file, const struct iovec* to, int n, off64_t at, int flags),
     (file, to, n, at, flags), kReads, done)

WRAP(ssize_t, write, (int file, const void* from, size_t n), (file, from, n), kWrites, done)
WRAP(ssize_t, pwrite, (int file, const void* from, size_t n, off_t at), (file, from, n, at), kWrites, done)
WRAP(ssize_t, pwrite64, (int file, const void* from, size_t n, off64_t at), (file, from, n, at), kWrites,
     done)
WRAP(ssize_t, writev, (int file, const struct iovec* from, int n), (file, from, n), kWrites, done)
WRAP(ssize_t, pwritev, (int file, const struct iovec* from, int n, off_t at), (file, from, n, at), kWrites,
     done)
WRAP(ssize_t, pwritev64, (int file, const struct iovec* from, int n, off64_t at), (file, from, n, at),
     kWrites, done)
WRAP(ssize_t, pwritev2, (int file, const struct iovec* from, int n, off_t at, int flags),
     (file, from, n, at, flags), kWrites, done)
WRAP(ssize_t, pwritev64v2, (int file, const struct iovec* from, int n, off64_t at, int flags),
     (file, from, n, at, flags), kWrites, done)

WRAP(int, fsync, (int file), (file), kSyncs, 0)
WRAP(int, fdatasync, (int file), (file), kSyncs, 0)
WRAP(int, sync_file_range, (int file, off64_t at, off64_t n, unsigned flags), (file, at, n, flags), kSyncs, 0)

WRAP(int, ftruncate, (int file, off_t size), (file, size), kOthers, 0)
WRAP(int, ftruncate64, (int file, off64_t size), (file, size), kOthers, 0)
WRAP(int, fallocate, (int file, int mode, off_t at, off_t n), (file, mode, at, n), kOthers, 0)
WRAP(int, fallocate64, (int file, int mode, off64_t at, off64_t n), (file, mode, at, n), kOthers, 0)
WRAP(int, posix_fallocate, (int file, off_t at, off_t n), (file, at, n), kOthers, 0)
WRAP(int, posix_fallocate64, (int file, off64_t at, off64_t n), (file, at, n), kOthers, 0)

// ---- from file to file --------------------------------------------------------------------------

/// A call that reads one file and writes another; its time goes to the written one, if that is a file.
#define WRAP_COPY(name, parameters, arguments)                                                         \
  EXPORT ssize_t name parameters {                                                                     \
    NEXT(name);                                                                                        \
    IoCall reads, writes;                                                                              \
    const bool of_from = begin_io(&reads, from, kPosix);                                               \
    if (of_from) leave_io(); /* the second is recorded, too */                                         \
    const bool of_to = begin_io(&writes, to, kPosix);                                                  \
    const ssize_t done = next arguments;                                                               \
    if (of_to) end_io(&writes, kWrites, done);                                                         \
    if (of_from) add_io(reads.file, reads.layer, kReads, of_to ? 0 : clock_now() - reads.start, done); \
    return done;                                                                                       \
  }

WRAP_COPY(copy_file_range, (int from, off64_t* at, int to, off64_t* to_at, size_t n, unsigned flags),
          (from, at, to, to_at, n, flags))
WRAP_COPY(sendfile, (int to, int from, off_t* at, size_t n), (to, from, at, n))
WRAP_COPY(sendfile64, (int to, int from, off64_t* at, size_t n), (to, from, at, n))

// ---- open ---------------------------------------------------------------------------------------

static mode_t mode_of(int flags, va_list more) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
}

#define OPEN(arguments)                            \
  IoCall call;                                     \
  const bool recorded = begin_open(&call, kPosix); \
  const int file = next arguments;                 \
  forget_descriptor(file);                         \
  if (recorded) end_open(&call, file);             \
  return file

#define WRAP_OPEN(name, parameters, arguments) \
  EXPORT int name parameters {                 \
    NEXT(name);                                \
    va_list more;                              \
    va_start(more, flags);                     \
    const mode_t mode = mode_of(flags, more);  \
    va_end(more);                              \
    OPEN(arguments);                           \
  }

WRAP_OPEN(open, (const char* path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, (const char* path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))
WRAP_OPEN(openat64, (int folder, const char* path, int flags, ...), (folder, path, flags, mode))

#define WRAP_PLAIN_OPEN(name, parameters, arguments) \
  extern int name parameters;                        \
  EXPORT int name parameters {                       \
    NEXT(name);                                      \
    OPEN(arguments);                                 \
  }

WRAP_PLAIN_OPEN(creat, (const char* path, mode_t mode), (path, mode))
WRAP_PLAIN_OPEN(creat64, (const char* path, mode_t mode), (path, mode))
WRAP_PLAIN_OPEN(__open_2, (const char* path, int flags), (path, flags))
WRAP_PLAIN_OPEN(__open64_2, (const char* path, int flags), (path, flags))
WRAP_PLAIN_OPEN(__openat_2, (int folder, const char* path, int flags), (folder, path, flags))
WRAP_PLAIN_OPEN(__openat64_2, (int folder, const char* path, int flags), (folder, path, flags))
WRAP_PLAIN_OPEN(mkstemp, (char* path), (path))
WRAP_PLAIN_OPEN(mkstemp64, (char* path), (path))
WRAP_PLAIN_OPEN(mkostemp, (char* path, int flags), (path, flags))
WRAP_PLAIN_OPEN(mkostemp64, (char* path, int flags), (path, flags))

// ---- close --------------------------------------------------------------------------------------

EXPORT int close(int file) {
  NEXT(close);
  IoCall call;
  const bool recorded = begin_io(&call, file, kPosix);
  forget_descriptor(file);  // before: another thread may be given the same number at once
  const int done = next(file);
  if (recorded) end_io(&call, kCloses, 0);
  return done;
}

EXPORT int dup2(int from, int to) {
  NEXT(dup2);
  forget_descriptor(to);
  return next(from, to);
}

EXPORT int dup3(int from, int to, int flags) {
  NEXT(dup3);
  forget_descriptor(to);
  return next(from, to, flags);
}

static void forget_range(unsigned from, unsigned to) {
  for (unsigned k = from; k <= to && k < 65536; ++k) forget_descriptor((int)k);
}

// These two are not in every C library.
extern int close_range(unsigned from, unsigned to, int flags);
extern void closefrom(int from);

EXPORT int close_range(unsigned from, unsigned to, int flags) {
  NEXT(close_range);
  forget_range(from, to);
  if (next) return next(from, to, flags);
  errno = ENOSYS;
  return -1;
}

EXPORT void closefrom(int from) {
  NEXT(closefrom);
  forget_range(from < 0 ? 0 : (unsigned)from, UINT_MAX);
  if (next) next(from);
}

// ---- rename -------------------------------------------------------------------------------------

/// The file goes on under its new name: what was written under the first counts for the new one.
EXPORT int rename(const char* from, const char* to) {
  NEXT(rename);
  char first[PATH_MAX], now[PATH_MAX];
  IoCall call;
  const bool recorded = begin_open(&call, kPosix);
  const bool known = recorded && place_of_name(from, first, sizeof first);
  const int done = next(from, to);
  if (recorded) leave_io();
  if (known && done == 0 && place_of_name(to, now, sizeof now)) rename_io(first, now);
  return done;
}
