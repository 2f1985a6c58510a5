// Processes that MPI_Comm_spawn starts: a world of their own, with a folder of records of its own.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "profiler.h"

enum { kMostWorlds = 1 << 20 };

static char spawned_folder[4096];

static const char* folder_of_run(void) {
  const char* const folder = getenv("CRUMPLE_PROFILE");
  return folder && *folder ? folder : "crumple-profile";
}

bool is_spawned(void) {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

/// Make the first folder spawned.1, spawned.2, ... that is not there; its number, 0 where none can be made.
static int make_folder_of_world(void) {
  for (int k = 1; k < kMostWorlds; ++k) {
    snprintf(spawned_folder, sizeof spawned_folder, "%s/spawned.%d", folder_of_run(), k);
    if (mkdir(spawned_folder, 0777) == 0) return k;
    if (errno != EEXIST) return 0;
  }
  return 0;
}

const char* record_folder(void) {
  const char* const folder = folder_of_run();
  if (!is_spawned()) return folder;
  mkdir(folder, 0777);  // of parents that are not profiled
  int world = rank_in(MPI_COMM_WORLD) == 0 ? make_folder_of_world() : 0;
  PMPI_Bcast(&world, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(spawned_folder, sizeof spawned_folder, "%s/spawned.%d", folder, world);
  return spawned_folder;
}

void record_spawned(const Call* call, MPI_Comm comm, int root, MPI_Comm spawned) {
  if (!call->recorded || rank_in(comm) != root || spawned == MPI_COMM_NULL) return;
  int count = 0;
  PMPI_Comm_remote_size(spawned, &count);
  add(&rank_record()->spawned, count);
}
