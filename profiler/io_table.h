// The table of a rank's files, and calls on them that are in progress.
#pragma once

#include <stddef.h>

#include "io.h"
#include "profiler.h"

enum { kNoFile = -1 };

/// A call on a file, from begin_io to end_io.
typedef struct {
  int file;  // in the table
  enum IoLayer layer;
  int64_t start;
} IoCall;

/// Map the table's file in the folder of records; without it no I/O is recorded.
void start_io(int rank);

/// Begin a call on a descriptor. False: it is not recorded, and end_io must not follow.
bool begin_io(IoCall* call, int descriptor, enum IoLayer layer);
/// Record a call; errno stays as it is. `bytes` below 0 are an error of the call.
void end_io(const IoCall* call, int kind, int64_t bytes);
/// End a call that is not to be recorded.
void leave_io(void);

/// Around calls that open: what they call inside is not recorded. False: nothing is recorded.
bool begin_open(IoCall* call, enum IoLayer layer);
/// Record an opened descriptor, -1: none.
void end_open(IoCall* call, int descriptor);

/// What is known of a descriptor no longer holds: it is closed, or another now.
void forget_descriptor(int descriptor);

/// A file by its path, made new where it is not known; of MPI-IO.
int file_of_path(const char* path);
/// Add a call whose time is known.
void add_io(int file, enum IoLayer layer, int kind, int64_t time, int64_t bytes);

/// Handles of MPI-IO for a file are for another now. With the table's lock.
void give_handles(int from, int to);

/// The path where a name is now, without a link in its folder; false: there is none.
bool place_of_name(const char* name, char* to, size_t size);
/// A file has another path now; both as place_of_name tells them.
void rename_io(const char* from, const char* to);
