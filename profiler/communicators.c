// Ranks of communicators and windows, in MPI_COMM_WORLD.
#include <pthread.h>
#include <stdlib.h>

#include "profiler.h"

/// World ranks of a communicator's processes, kept with it as an attribute.
typedef struct {
  int size;
  int rank[];
} Members;

static int forget(MPI_Comm comm, int key, void* members, void* extra) {
  (void)comm, (void)key, (void)extra;
  free(members);
  return MPI_SUCCESS;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int key = MPI_KEYVAL_INVALID;

static Members* translate(MPI_Group group) {
  MPI_Group world;
  int n = 0;
  PMPI_Group_size(group, &n);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  Members* const members = malloc(sizeof *members + (size_t)n * sizeof(int));
  int* const own = malloc((size_t)(n > 0 ? n : 1) * sizeof(int));
  for (int k = 0; k < n; ++k) own[k] = k;
  members->size = n;
  PMPI_Group_translate_ranks(group, n, own, world, members->rank);
  for (int k = 0; k < n; ++k)
    if (members->rank[k] == MPI_UNDEFINED) members->rank[k] = -1;
  free(own);
  PMPI_Group_free(&world);
  return members;
}

static const Members* kept_with(MPI_Comm comm) {
  void* found = NULL;
  int flag = 0;
  if (key == MPI_KEYVAL_INVALID) PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
  PMPI_Comm_get_attr(comm, key, &found, &flag);
  return flag ? found : NULL;
}

static const Members* make_members(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  MPI_Group group;
  if (inter)
    PMPI_Comm_remote_group(comm, &group);
  else
    PMPI_Comm_group(comm, &group);
  Members* const members = translate(group);
  PMPI_Group_free(&group);
  PMPI_Comm_set_attr(comm, key, members);
  return members;
}

static const Members* members_of(MPI_Comm comm) {
  pthread_mutex_lock(&lock);
  const Members* members = kept_with(comm);
  if (!members) members = make_members(comm);
  pthread_mutex_unlock(&lock);
  return members;
}

int world_rank(MPI_Comm comm, int rank) {
  if (comm == MPI_COMM_WORLD) return rank;
  const Members* const members = members_of(comm);
  return rank >= 0 && rank < members->size ? members->rank[rank] : -1;
}

int world_rank_of_target(MPI_Win win, int rank) {
  MPI_Group group, world;
  int found = -1;
  PMPI_Win_get_group(win, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return found == MPI_UNDEFINED ? -1 : found;
}

int size_of(MPI_Comm comm) {
  int inter = 0, size = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter)
    PMPI_Comm_remote_size(comm, &size);
  else
    PMPI_Comm_size(comm, &size);
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

int out_degree(MPI_Comm comm) {
  int kind = MPI_UNDEFINED, n = 0, sources = 0, weighted = 0;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_CART) {
    PMPI_Cartdim_get(comm, &n);
    return 2 * n;
  }
  if (kind == MPI_GRAPH) PMPI_Graph_neighbors_count(comm, rank_in(comm), &n);
  if (kind == MPI_DIST_GRAPH) PMPI_Dist_graph_neighbors_count(comm, &sources, &n, &weighted);
  return n;
}
