// Writes and reads: a shared file by MPI-IO, and a file a rank; bytes a second of all ranks together.
//
// A write ends when the data are on the disk (MPI_File_sync, fsync). Before it reads, each rank asks the
// system to forget what it holds of the file; a server or a hypervisor below may still hold it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate.h"

enum { kPiece = 1 << 20 };

typedef struct {
  char path[4096];
  char* piece;
  int64_t bytes;
  int rank;
} File;

static void fail(const char* what, const char* path) {
  fprintf(stderr, "crumple-calibrate: cannot %s %s\n", what, path);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static void forget(const char* path) {
  const int file = open(path, O_RDONLY);
  if (file < 0) return;
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
}

static void shared_file(const File* f, int writes) {
  MPI_File file;
  const int mode = writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY;
  if (MPI_File_open(MPI_COMM_WORLD, f->path, mode, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    fail("open", f->path);
  for (int64_t at = 0; at < f->bytes; at += kPiece) {
    const MPI_Offset where = (MPI_Offset)(f->bytes * f->rank + at);
    const int done = writes
                         ? MPI_File_write_at_all(file, where, f->piece, kPiece, MPI_BYTE, MPI_STATUS_IGNORE)
                         : MPI_File_read_at_all(file, where, f->piece, kPiece, MPI_BYTE, MPI_STATUS_IGNORE);
    if (done != MPI_SUCCESS) fail(writes ? "write" : "read", f->path);
  }
  if (writes) MPI_File_sync(file);
  MPI_File_close(&file);
}

static void own_file(const File* f, int writes) {
  const int file = open(f->path, writes ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY, 0666);
  if (file < 0) fail("open", f->path);
  for (int64_t at = 0; at < f->bytes; at += kPiece) {
    const ssize_t done = writes ? write(file, f->piece, kPiece) : read(file, f->piece, kPiece);
    if (done != kPiece) fail(writes ? "write" : "read", f->path);
  }
  if (writes && fsync(file) != 0) fail("write", f->path);
  close(file);
}

static void measure(const char* name, const File* f, int writes, void (*access)(const File*, int)) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!writes) forget(f->path);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime(), used = processor_time();
  access(f, writes);
  MPI_Barrier(MPI_COMM_WORLD);
  const double took = MPI_Wtime() - start;
  print_sample(name, f->bytes, (double)f->bytes * size / took, (processor_time() - used) / took);
}

void measure_files(Effort effort, const char* folder, int64_t bytes) {
  File shared = {.piece = malloc(kPiece), .bytes = bytes};
  MPI_Comm_rank(MPI_COMM_WORLD, &shared.rank);
  memset(shared.piece, 'c', kPiece);
  snprintf(shared.path, sizeof shared.path, "%s/shared.dat", folder);
  File own = shared;
  snprintf(own.path, sizeof own.path, "%s/rank.%d.dat", folder, own.rank);
  for (int b = 0; b < effort.blocks; ++b) {
    measure("shared_write", &shared, 1, shared_file);
    measure("shared_read", &shared, 0, shared_file);
    measure("own_write", &own, 1, own_file);
    measure("own_read", &own, 0, own_file);
    unlink(own.path);
    MPI_Barrier(MPI_COMM_WORLD);
    if (shared.rank == 0) unlink(shared.path);
  }
  free(shared.piece);
}
