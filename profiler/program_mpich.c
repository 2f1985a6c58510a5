// The same for Fortran's mpi_f08 of MPICH; its other bindings call the C functions.
#include "profiler.h"

#define EXPORT __attribute__((visibility("default")))

extern void pmpir_init_f08_(MPI_Fint*) __attribute__((weak));
extern void pmpir_init_thread_f08_(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((weak));
extern void pmpir_finalize_f08_(MPI_Fint*) __attribute__((weak));
extern void pmpir_abort_f08_(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((weak));

EXPORT void mpi_init_f08_(MPI_Fint* error) {
  pmpir_init_f08_(error);
  start_profile(MPI_THREAD_SINGLE);
}

EXPORT void mpi_init_thread_f08_(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
  pmpir_init_thread_f08_(required, provided, error);
  start_profile(*provided);
}

EXPORT void mpi_finalize_f08_(MPI_Fint* error) {
  end_profile(kFinalized);
  set_recording(false);
  pmpir_finalize_f08_(error);
}

EXPORT void mpi_abort_f08_(MPI_Fint* comm, MPI_Fint* code, MPI_Fint* error) {
  end_profile(kAborted);
  pmpir_abort_f08_(comm, code, error);
}

EXPORT void mpi_pcontrol_f08_(MPI_Fint* level) { set_recording(*level != 0); }
