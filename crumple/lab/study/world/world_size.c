// Records the number of ranks in a program's MPI_COMM_WORLD; loaded into the programs of a study, with any
// MPI library.
//
// If a program is built for another MPI library than the launcher's, each rank is a world of its own.
// Rank 0 of each world writes its size to a file in the folder CRUMPLE_WORLDS. Every process also writes a
// file when it begins. So a program without MPI differs from one into which this could not be loaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kMpichWorld = 0x44000000 };  // MPI_COMM_WORLD of the MPICH ABI initiative

/// Writes one line to a file in the folder; of several writers to the same name, the first one counts.
static void note(const char* name, const char* text) {
  const char* const folder = getenv("CRUMPLE_WORLDS");
  char path[4096];
  if (!folder || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return;
  const ssize_t written = write(file, text, strlen(text));
  (void)written;
  close(file);
}

static int in_library(struct dl_phdr_info* info, size_t size, void* found) {
  (void)size;
  const char* const name = strrchr(info->dlpi_name, '/');
  if (!name || strncmp(name, "/libmp", 6)) return 0;  // libmpi.so, libmpich.so, libmpifort.so
  *(void**)found = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  return *(void**)found && dlsym(*(void**)found, "MPI_Init");
}

/// A function or object of the program's MPI library: after this library, or in one that was loaded later.
static void* of_mpi(const char* name) {
  void* const next = dlsym(RTLD_NEXT, name);
  if (next) return next;
  void* library = NULL;
  return dl_iterate_phdr(in_library, &library) ? dlsym(library, name) : NULL;
}

/// After MPI_Init: rank 0 records the number of ranks.
static void note_world(void) {
  static int noted = 0;
  if (noted) return;
  int size = 0, rank = -1;
  // A program may contain a copy of this object; this copy is then in use, and comes first in the default
  // order.
  void* const in_program = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
  void* const of_open_mpi = in_program ? in_program : of_mpi("ompi_mpi_comm_world");
  if (of_open_mpi) {
    int (*const size_of)(void*, int*) = (int (*)(void*, int*))of_mpi("PMPI_Comm_size");
    int (*const rank_in)(void*, int*) = (int (*)(void*, int*))of_mpi("PMPI_Comm_rank");
    if (size_of && rank_in) size_of(of_open_mpi, &size), rank_in(of_open_mpi, &rank);
  } else {
    int (*const size_of)(int, int*) = (int (*)(int, int*))of_mpi("PMPI_Comm_size");
    int (*const rank_in)(int, int*) = (int (*)(int, int*))of_mpi("PMPI_Comm_rank");
    if (size_of && rank_in) size_of(kMpichWorld, &size), rank_in(kMpichWorld, &rank);
  }
  noted = 1;
  if (rank != 0) return;
  char host[256] = "", name[300], text[16];
  gethostname(host, sizeof host - 1);
  snprintf(name, sizeof name, "world.%s.%d", host, (int)getpid());
  snprintf(text, sizeof text, "%d\n", size);
  note(name, text);
}

__attribute__((constructor)) static void note_program(void) {
  char path[4096] = "", name[300];
  if (readlink("/proc/self/exe", path, sizeof path - 1) <= 0) return;
  const char* const last = strrchr(path, '/');
  snprintf(name, sizeof name, "loaded.%.255s", last ? last + 1 : path);
  note(name, "");
}

/// Wraps one function that starts MPI; Fortran's names call C's, or the library below them.
#define START(name, parameters, arguments)                          \
  int name parameters {                                             \
    int(*const real) parameters = (int(*) parameters)of_mpi(#name); \
    if (!real) abort();                                             \
    const int ended = real arguments;                               \
    note_world();                                                   \
    return ended;                                                   \
  }
START(MPI_Init, (int* count, char*** words), (count, words))
START(MPI_Init_thread, (int* count, char*** words, int wanted, int* given), (count, words, wanted, given))
#define START_FORTRAN(name) START(name, (int* status), (status))
#define START_FORTRAN_THREAD(name) \
  START(name, (int* wanted, int* given, int* status), (wanted, given, status))
START_FORTRAN(mpi_init)
START_FORTRAN(mpi_init_)
START_FORTRAN(mpi_init__)
START_FORTRAN(mpi_init_f08_)
START_FORTRAN(MPI_INIT)
START_FORTRAN_THREAD(mpi_init_thread)
START_FORTRAN_THREAD(mpi_init_thread_)
START_FORTRAN_THREAD(mpi_init_thread__)
START_FORTRAN_THREAD(mpi_init_thread_f08_)
START_FORTRAN_THREAD(MPI_INIT_THREAD)
