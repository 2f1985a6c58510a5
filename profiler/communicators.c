// Ranks of communicators and windows, in MPI_COMM_WORLD.
#include <pthread.h>
#include <stdlib.h>

#include "trace.h"

/// World ranks of a communicator's processes, kept with it as an attribute.
typedef struct {
  int size;
  int number;  // in traces
  bool all;    // of MPI_COMM_WORLD
  int rank[];
} Members;

static int forget(MPI_Comm comm, int key, void* members, void* extra) {
  (void)comm, (void)key, (void)extra;
  free(members);
  return MPI_SUCCESS;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int key = MPI_KEYVAL_INVALID;

void world_ranks_of(MPI_Group group, int* to, int n) {
  MPI_Group world;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  int* const own = malloc((size_t)(n > 0 ? n : 1) * sizeof(int));
  for (int k = 0; k < n; ++k) own[k] = k;
  PMPI_Group_translate_ranks(group, n, own, world, to);
  for (int k = 0; k < n; ++k)
    if (to[k] == MPI_UNDEFINED) to[k] = -1;
  free(own);
  PMPI_Group_free(&world);
}

static Members* translate(MPI_Group group) {
  int n = 0;
  PMPI_Group_size(group, &n);
  Members* const members = malloc(sizeof *members + (size_t)n * sizeof(int));
  members->size = n;
  world_ranks_of(group, members->rank, n);
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
  members->all = !inter && members->size == size_of(MPI_COMM_WORLD);
  members->number = trace_wanted ? trace_communicator(comm, inter, members->rank, members->size) : -1;
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

int number_of(MPI_Comm comm) { return comm == MPI_COMM_WORLD ? 0 : members_of(comm)->number; }

bool has_all_ranks(MPI_Comm comm) { return comm == MPI_COMM_WORLD || members_of(comm)->all; }

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

void in_and_out_degree(MPI_Comm comm, int* in, int* out) {
  int kind = MPI_UNDEFINED, n = 0, weighted = 0;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, in, out, &weighted);
    return;
  }
  if (kind == MPI_CART) PMPI_Cartdim_get(comm, &n), n *= 2;
  if (kind == MPI_GRAPH) PMPI_Graph_neighbors_count(comm, rank_in(comm), &n);
  *in = *out = n;
}

int out_degree(MPI_Comm comm) {
  int in = 0, out = 0;
  in_and_out_degree(comm, &in, &out);
  return out;
}

void neighbours(MPI_Comm comm, int* sources, int in, int* destinations, int out) {
  int kind = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &kind);
  if (kind == MPI_DIST_GRAPH) {
    int* const weights = malloc((size_t)(in + out + 1) * sizeof *weights);
    PMPI_Dist_graph_neighbors(comm, in, sources, weights, out, destinations, weights + in);
    free(weights);
    return;
  }
  if (kind == MPI_GRAPH) PMPI_Graph_neighbors(comm, rank_in(comm), in, sources);
  if (kind == MPI_CART)
    for (int d = 0; d < in / 2; ++d) PMPI_Cart_shift(comm, d, 1, &sources[2 * d], &sources[2 * d + 1]);
  for (int k = 0; k < out; ++k) destinations[k] = sources[k];
}
