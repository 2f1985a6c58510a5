// Events for a trace: what the generated wrappers and the profiler call.
#pragma once

#include <stddef.h>

#include "event.h"
#include "profiler.h"

/// A trace is wanted, and: it is recorded now.
extern bool trace_wanted, trace_on;

void start_trace(int rank, int size, int64_t start);
void end_trace(void);

/// Around each call of the program.
void trace_enter(int64_t now);
void trace_leave(void);
/// A call that found nothing done: time until the next is polling, not work, where it is short.
void trace_polled(void);
/// The phase that the program enters, NULL: none, and its step.
void trace_phase(const char* name, int64_t step);
/// Forget the time since the last call.
void trace_resume(void);

void trace_send(const Call* call, int dest, int tag, MPI_Comm comm, int64_t bytes);
void trace_receive(const Call* call, int source, int tag, MPI_Comm comm, int64_t bytes, const MPI_Status*);
void trace_isend(const Call* call, int dest, int tag, MPI_Comm comm, int64_t bytes, MPI_Request request);
void trace_ireceive(const Call* call, int source, int tag, MPI_Comm comm, int64_t bytes, MPI_Request request);
/// A send that goes on while the same call receives.
uint32_t trace_send_begins(const Call* call, int dest, int tag, MPI_Comm comm, int64_t bytes);
void trace_send_ends(const Call* call, uint32_t number);
/// Of a persistent request, when it starts.
void trace_start(const Call* call, bool sends, int peer, int tag, int comm, int64_t bytes,
                 MPI_Request request);

/// Messages that a matched probe has found.
typedef struct {
  int comm, source, tag;
} Matched;
void keep_matched(MPI_Message message, MPI_Comm comm, const MPI_Status* status);
Matched take_matched(MPI_Message message);
void trace_matched_receive(const Call* call, Matched from, int64_t bytes);
void trace_matched_ireceive(const Call* call, Matched from, int64_t bytes, MPI_Request request);

/// Blocks of a collective by rank or neighbour; all alike where there are no counts.
typedef struct {
  bool given;
  const int* counts;
  int same;
  MPI_Datatype type;
  const MPI_Datatype* types;
  const MPI_Fint* fortran_types;
} Blocks;
enum BlocksOf { kOfRanks, kOfNeighbours, kOfRoot };
void trace_collective(const Call* call, MPI_Comm comm, int root, int64_t bytes, const MPI_Request* request,
                      enum BlocksOf of, Blocks sent, Blocks received);

void trace_one_sided(const Call* call, enum EventKind kind, int target, MPI_Win win, int64_t bytes,
                     const MPI_Request* request);
void trace_synchronize(const Call* call, MPI_Win win, int rank, MPI_Group group);
void trace_file(const Call* call, int64_t bytes);

/// A communicator or window of which nothing is known yet: its number, after its members are written.
int trace_communicator(MPI_Comm comm, bool inter, const int* members, int n);
void trace_window(MPI_Win win);
/// Number of a communicator; 0 is MPI_COMM_WORLD.
int number_of(MPI_Comm comm);
bool has_all_ranks(MPI_Comm comm);

/// Requests that a call may complete, kept over it.
typedef struct {
  int n;
  bool wants_status;
  uint32_t few[8];
  uint32_t* number;  // 0: none of ours
  MPI_Request few_handles[8];
  MPI_Request* handle;
  uint8_t few_flags[8];
  uint8_t* flags;
  void* statuses;
} Pending;
void hold_requests(Pending* held, int n, const MPI_Request* requests);
void hold_fortran_requests(Pending* held, int n, const MPI_Fint* requests);
/// Statuses for the call to fill in: `given`, or own ones where those are not wanted but needed.
void* statuses_for(Pending* held, void* given, bool ignored);
void complete_one(const Call* call, Pending* held, int k, const void* status, bool fortran);
void complete_all(const Call* call, Pending* held, const void* statuses, bool fortran);
void let_go(Pending* held);

/// What open requests are known by; the table of handles.
void open_request(uint64_t handle, uint32_t number, uint8_t flags);
uint32_t close_request(uint64_t handle, uint8_t* flags);
void cancel_request(MPI_Request request);
void free_request(const Call* call, MPI_Request request);
uint32_t new_request_number(void);
void trace_complete(const Call* call, uint32_t number, bool cancelled, int source, int tag);
void trace_let_go(const Call* call, uint32_t number);
enum { kAnyMessage = 1, kMayBeCancelled = 2 };
