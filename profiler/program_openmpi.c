// The same for Fortran under Open MPI: mpif.h and mpi; mpi_f08 calls what the aliases name.
#define NAME(call) mpi_##call##_
#define PNAME(call) pmpi_##call##_
#include "program_fortran.h"

EXPORT void ompi_init_f(MPI_Fint*) __attribute__((alias("mpi_init_")));
EXPORT void ompi_init_thread_f(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((alias("mpi_init_thread_")));
EXPORT void ompi_finalize_f(MPI_Fint*) __attribute__((alias("mpi_finalize_")));
EXPORT void ompi_abort_f(MPI_Fint*, MPI_Fint*, MPI_Fint*) __attribute__((alias("mpi_abort_")));
EXPORT void ompi_pcontrol_f(MPI_Fint*) __attribute__((alias("mpi_pcontrol_")));
