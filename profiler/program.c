// The calls by which a C program starts, ends and steers MPI.
#include "profiler.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int MPI_Init(int* argc, char*** argv) {
  const int error = PMPI_Init(argc, argv);
  if (error == MPI_SUCCESS) start_profile(MPI_THREAD_SINGLE);
  return error;
}

EXPORT int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int error = PMPI_Init_thread(argc, argv, required, provided);
  if (error == MPI_SUCCESS) start_profile(*provided);
  return error;
}

EXPORT int MPI_Finalize(void) {
  end_profile(kFinalized);
  set_recording(false);
  return PMPI_Finalize();
}

EXPORT int MPI_Abort(MPI_Comm comm, int code) {
  end_profile(kAborted);
  return PMPI_Abort(comm, code);
}

/// 0 stops recording, another level goes on, as MPI-3.1, section 14.2.4, suggests.
EXPORT int MPI_Pcontrol(const int level, ...) {
  set_recording(level != 0);
  return MPI_SUCCESS;
}
