// The same for Fortran's mpi_f08 of MPICH; its other bindings call the C functions.
#define NAME(call) mpi_##call##_f08_
#define PNAME(call) pmpir_##call##_f08_
#include "program_fortran.h"
