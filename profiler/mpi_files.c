// MPI-IO: handles of open files, and what is recorded of calls on them.
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

#include "io_table.h"

enum { kMostHandles = 256 };

static struct {
  pthread_mutex_t lock;
  int n;
  MPI_File handle[kMostHandles];
  int file[kMostHandles];
} open_files = {.lock = PTHREAD_MUTEX_INITIALIZER};

void give_handles(int from, int to) {
  pthread_mutex_lock(&open_files.lock);
  for (int k = 0; k < open_files.n; ++k)
    if (open_files.file[k] == from) open_files.file[k] = to;
  pthread_mutex_unlock(&open_files.lock);
}

static int place_of(MPI_File handle) {
  int k = open_files.n - 1;
  while (k >= 0 && open_files.handle[k] != handle) --k;
  return k;
}

/// Without the prefix that names a kind of file system to ROMIO, such as ufs:.
static const char* without_kind(const char* name) {
  const char* const colon = strchr(name, ':');
  const size_t letters = strspn(name, "abcdefghijklmnopqrstuvwxyz");
  return colon && letters > 1 && name + letters == colon ? colon + 1 : name;
}

void record_file_open(const Call* call, const char* name, MPI_File handle) {
  if (!call->recorded || handle == MPI_FILE_NULL) return;
  const int file = file_of_path(without_kind(name));
  if (file < 0) return;
  pthread_mutex_lock(&open_files.lock);
  if (open_files.n < kMostHandles) {
    open_files.handle[open_files.n] = handle;
    open_files.file[open_files.n++] = file;
  }
  pthread_mutex_unlock(&open_files.lock);
  add_io(file, kMpiIo, kOpens, call->time, 0);
}

int file_of_handle(MPI_File handle) {
  pthread_mutex_lock(&open_files.lock);
  const int k = place_of(handle), file = k < 0 ? kNoFile : open_files.file[k];
  pthread_mutex_unlock(&open_files.lock);
  return file;
}

int take_file(MPI_File handle) {
  pthread_mutex_lock(&open_files.lock);
  const int k = place_of(handle), file = k < 0 ? kNoFile : open_files.file[k];
  if (k >= 0) {
    open_files.handle[k] = open_files.handle[--open_files.n];
    open_files.file[k] = open_files.file[open_files.n];
  }
  pthread_mutex_unlock(&open_files.lock);
  return file;
}

void record_file_call(const Call* call, int file, int kind, int64_t bytes) {
  if (call->recorded) add_io(file, kMpiIo, kind, call->time, bytes);
}

const char* text_of_fortran(const void* text, size_t length, char* to, size_t size) {
  const char* const from = text;
  while (length > 0 && from[length - 1] == ' ') --length;
  if (length >= size) length = size - 1;
  memcpy(to, from, length);
  to[length] = 0;
  return to;
}
