// The calls by which a C program starts, ends and steers MPI.
#include "next.h"
#include "profiler.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int MPI_Init(int* argc, char*** argv) {
  NEXT(MPI_Init);
  const int error = next(argc, argv);
  if (error == MPI_SUCCESS) start_profile(MPI_THREAD_SINGLE);
  return error;
}

EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  NEXT(MPI_Init_thread);
  const int error = next(argc, argv, required, provided);
  if (error == MPI_SUCCESS) start_profile(*provided);
  return error;
}

EXPORT int MPI_Finalize(void) {
  NEXT(MPI_Finalize);
  end_profile(kFinalized);
  set_recording(false);
  return next();
}

EXPORT int MPI_Abort(MPI_Comm comm, int code) {
  NEXT(MPI_Abort);
  end_profile(kAborted);
  return next(comm, code);
}

/// 0 stops recording, another level goes on, as MPI-3.1, section 14.2.4, suggests.
EXPORT int MPI_Pcontrol(const int level, ...) {
  NEXT(MPI_Pcontrol);
  set_recording(level != 0);
  return next(level);
}
