// The inside of the profiler: what the generated wrappers call.
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io.h"

/// A call in progress.
typedef struct {
  int function;
  bool recorded;  // false inside another MPI call, before MPI_Init and after MPI_Pcontrol(0)
  int64_t start;
  int64_t waited;  // of it, for other ranks; or kAllOfIt
  int64_t time;    // after `leave`
} Call;

enum { kAllOfIt = -1 };

/// Monotonic clock, nanoseconds.
int64_t clock_now(void);

/// Begin and end of a call of the program; in between the MPI library is at work.
void enter(Call* call, int function);
void leave(Call* call);

/// Wait for the other ranks of a collective, apart from the collective itself.
void arrive(Call* call, MPI_Comm comm);

/// Record what a call moved; after `leave`.
void record_send(const Call* call, int dest, MPI_Comm comm, int64_t bytes);
void record_receive(const Call* call, int64_t bytes);
void record_collective(const Call* call, int64_t bytes);
void record_one_sided(const Call* call, int target, MPI_Win win, int64_t out, int64_t in);
void record_file(const Call* call, MPI_File handle, int kind, int64_t bytes);

/// Calls of MPI-IO: open; on a file, by its handle, -1 if it is not recorded; close, which takes the handle.
void record_file_open(const Call* call, const char* name, MPI_File handle);
int file_of_handle(MPI_File handle);
int take_file(MPI_File handle);
void record_file_call(const Call* call, int file, int kind, int64_t bytes);
/// A text of Fortran as one of C.
const char* text_of_fortran(const void* text, size_t length, char* to, size_t size);

/// After a call that spawned processes.
void record_spawned(const Call* call, MPI_Comm comm, int root, MPI_Comm spawned);

/// Persistent requests: what a start will send or receive.
void remember_request(MPI_Request request, int peer, int tag, MPI_Comm comm, int64_t sends, int64_t receives);
void start_request(const Call* call, MPI_Request request);
void forget_request(MPI_Request request);

/// Bytes of a count of a data type; 0 for MPI_DATATYPE_NULL.
int64_t bytes_of(int64_t count, MPI_Datatype type);
/// Bytes that a status tells of; `otherwise` where it tells nothing.
int64_t received_bytes(const MPI_Status* status, int64_t otherwise);
int64_t sum_of(const int* counts, int n);
int64_t sum_of_types(const int* counts, const MPI_Datatype* types, int n);
int64_t sum_of_fortran_types(const int* counts, const MPI_Fint* types, int n);

int size_of(MPI_Comm comm);  // the remote group of an intercommunicator
int rank_in(MPI_Comm comm);
int out_degree(MPI_Comm comm);  // neighbours that a neighbourhood collective sends to
void in_and_out_degree(MPI_Comm comm, int* in, int* out);
/// Ranks of the neighbours in the communicator, as many as the degrees tell.
void neighbours(MPI_Comm comm, int* sources, int in, int* destinations, int out);
/// Ranks in MPI_COMM_WORLD of a group's `n` processes; -1 for those outside.
void world_ranks_of(MPI_Group group, int* to, int n);
/// Rank in MPI_COMM_WORLD of a rank of a communicator, -1 if it is not in it.
int world_rank(MPI_Comm comm, int rank);
int world_rank_of_target(MPI_Win win, int rank);

/// Whether MPI_Comm_spawn started this process.
bool is_spawned(void);
/// Where the records of this process's world go: the run's folder, of a spawned world one in it. Collective.
const char* record_folder(void);

/// The rank's record, or null when nothing is recorded.
RankRecord* rank_record(void);
/// Open and close the record; around MPI_Init and MPI_Finalize.
void start_profile(int thread_level);
void end_profile(enum RankState state);
void set_recording(bool on);
/// Whether calls are recorded now: between MPI_Init and MPI_Finalize, and not after MPI_Pcontrol(0).
bool recording(void);
/// Inside an MPI call of this thread; and that is one of MPI-IO.
bool inside_mpi(void);
bool inside_mpi_io(void);
/// This thread's phase: its place in the record.
int phase_now(void);
/// A file beside the records of this rank, `size` zero bytes in memory; null after a message.
void* map_record(const char* name, int rank, size_t size);

/// Hardware counters of the process: start, and read into the record.
void start_counters(RankRecord* record);
void read_counters(RankRecord* record);

static inline void add(int64_t* to, int64_t what) { __atomic_fetch_add(to, what, __ATOMIC_RELAXED); }
