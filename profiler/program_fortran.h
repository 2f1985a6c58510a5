// Start and end of a Fortran program. Who includes this has named the bindings: NAME(call), and PNAME(call)
// for those beneath.
#include "profiler.h"

#define EXPORT __attribute__((visibility("default")))

extern void PNAME(init)(MPI_Fint*) __attribute__((weak));
extern void PNAME(init_thread)(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((weak));
extern void PNAME(finalize)(MPI_Fint*) __attribute__((weak));
extern void PNAME(abort)(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((weak));

EXPORT void NAME(init)(MPI_Fint* error) {
  PNAME(init)(error);
  start_profile(MPI_THREAD_SINGLE);
}

EXPORT void NAME(init_thread)(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
  PNAME(init_thread)(required, provided, error);
  start_profile(*provided);
}

EXPORT void NAME(finalize)(MPI_Fint* error) {
  end_profile(kFinalized);
  set_recording(false);
  PNAME(finalize)(error);
}

EXPORT void NAME(abort)(MPI_Fint* comm, MPI_Fint* code, MPI_Fint* error) {
  end_profile(kAborted);
  PNAME(abort)(comm, code, error);
}

EXPORT void NAME(pcontrol)(MPI_Fint* level) { set_recording(*level != 0); }
