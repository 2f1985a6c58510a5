// What the profiler writes of the files of one rank: a file mapped into memory, beside the rank's record.
//
// Times in nanoseconds. Counters are kept by file and phase. crumple/lab/profile/io_file.py reads the same
// layout: an IoHeader, then the tables of IoFiles, IoRecords and IoRenames, as large as the header tells.
#pragma once

#include <stdint.h>

#include "record.h"

#define IO_MAGIC "CRUIO001"
#define IO_PATH 512      // of longer paths the end is kept
#define MOST_FILES 1025  // file 0: all others
#define MOST_IO_RECORDS 2112
#define MOST_RENAMES 256
#define IO_SIZES 7  // up to 100 B, 1 KiB, 10 KiB, 100 KiB, 1 MiB, 4 MiB, more

/// After kReads, kWrites and kSyncs; kOthers: truncate, allocate, set a view.
enum { kOpens = kFileKinds, kCloses, kOthers, kIoKinds };

/// Who made a call: the program (POSIX, C streams, MPI-IO), or the MPI library in an MPI-IO call.
enum IoLayer { kPosix, kStdio, kMpiIo, kBeneath, kIoLayers };

typedef struct {
  char magic[8];
  int32_t most_files, most_records, most_renames;  // sizes of the tables
  int32_t files, records, renames;                 // in use
  int64_t more_renames;                            // which are not kept
} IoHeader;

typedef struct {
  uint64_t hash;  // of the whole path; 0: not in use
  uint64_t device, inode;
  char path[IO_PATH];
} IoFile;

typedef struct {
  int32_t file, phase;
  FileRecord of[kIoLayers][kIoKinds];
  int64_t reads[kIoLayers][IO_SIZES], writes[kIoLayers][IO_SIZES];  // requests by size
} IoRecord;

typedef struct {
  uint64_t inode;
  char from[IO_PATH], to[IO_PATH];
} IoRename;
