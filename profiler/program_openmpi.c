// The same for Fortran under Open MPI: mpif.h and mpi; mpi_f08 calls what the aliases name.
#include "profiler.h"

#define EXPORT __attribute__((visibility("default")))

extern void pmpi_init_(MPI_Fint*) __attribute__((weak));
extern void pmpi_init_thread_(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((weak));
extern void pmpi_finalize_(MPI_Fint*) __attribute__((weak));
extern void pmpi_abort_(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((weak));

EXPORT void mpi_init_(MPI_Fint* error) {
  pmpi_init_(error);
  start_profile(MPI_THREAD_SINGLE);
}

EXPORT void mpi_init_thread_(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
  pmpi_init_thread_(required, provided, error);
  start_profile(*provided);
}

EXPORT void mpi_finalize_(MPI_Fint* error) {
  end_profile(kFinalized);
  set_recording(false);
  pmpi_finalize_(error);
}

EXPORT void mpi_abort_(MPI_Fint* comm, MPI_Fint* code, MPI_Fint* error) {
  end_profile(kAborted);
  pmpi_abort_(comm, code, error);
}

EXPORT void mpi_pcontrol_(MPI_Fint* level) { set_recording(*level != 0); }

EXPORT void ompi_init_f(MPI_Fint*) __attribute__((alias("mpi_init_")));
EXPORT void ompi_init_thread_f(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((alias("mpi_init_thread_")));
EXPORT void ompi_finalize_f(MPI_Fint*) __attribute__((alias("mpi_finalize_")));
EXPORT void ompi_abort_f(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((alias("mpi_abort_")));
EXPORT void ompi_pcontrol_f(MPI_Fint*) __attribute__((alias("mpi_pcontrol_")));
