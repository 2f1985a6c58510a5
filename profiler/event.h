// What the profiler writes of one rank for a trace: a file of a header, the names of the functions and
// events.
//
// crumple/lab/profile/trace/events.py reads the same layout.
#pragma once

#include <stdint.h>

#define TRACE_MAGIC "CRUTRAC1"

typedef struct {
  char magic[8];
  int32_t rank, size, functions, name_length;
} TraceHeader;  // then `functions` names of `name_length` bytes

enum EventKind {
  kSend = 1,      // peer, tag: as given, in the communicator
  kReceive = 2,   // peer, tag: of the message that came
  kIsend = 3,     // its number in `request`
  kIreceive = 4,  // peer -1, tag -1: any
  kComplete = 5,  // of `request`; peer and tag: of the message that came, where any could
  kLetGo = 6,     // `request` is freed before its completion
  kCollective =
      7,     // peer: root; bytes: the rank's block; then the blocks sent and received, where they differ
  kPut = 8,  // comm: number of the window
  kGet = 9,
  kFetch = 10,         // there and back
  kSynchronize = 11,   // a call on a window; then ranks of its group
  kFileAccess = 12,    // left out of a replay, but counted
  kCommunicator = 13,  // a new one: tag: how many are in it, then their ranks in MPI_COMM_WORLD
  kTopology = 14,      // its neighbours: peer: sources, tag: destinations, then their ranks in it
  kWindow = 15,        // a new one: as a communicator
  kBegin = 16,    // recording begins; bytes: collectives of all ranks before; tag 1: at a time, not a step
  kPause = 17,    // recording pauses
  kLimit = 18,    // the limit of size was reached: nothing follows
  kThreads = 19,  // MPI is called from more than one thread
  kEnd = 20,      // MPI_Finalize
  kPhase = 21,    // a phase begins, in step `bytes`; then the 40 bytes of its name, none: no phase
};

enum { kCancelled = 1, kIntercommunicator = 2 };

typedef struct {
  uint8_t kind, flags;
  uint16_t function;
  int32_t comm;  // number of a communicator on this rank; 0: MPI_COMM_WORLD
  int32_t peer, tag;
  int64_t bytes;
  uint32_t request;
  uint32_t extra;   // how many int64_t follow
  int64_t compute;  // nanoseconds of the thread's processor time outside MPI since the event before
} Event;
