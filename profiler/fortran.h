// What Fortran's arguments mean.
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "profiler.h"

#define FORTRAN_STATUS (sizeof(MPI_Status) / sizeof(MPI_Fint))

// Open MPI's common blocks, by whose addresses it knows MPI_IN_PLACE and MPI_STATUS_IGNORE.
extern MPI_Fint mpi_fortran_in_place_ __attribute__((weak));
extern MPI_Fint mpi_fortran_status_ignore_ __attribute__((weak));
extern MPI_Fint mpi_fortran_statuses_ignore_ __attribute__((weak));
// MPICH's objects of mpi_f08; some of its headers declare them, with a type of theirs.
extern MPI_Fint f08_status_ignore[] __asm__("MPIR_F08_MPI_STATUS_IGNORE_OBJ") __attribute__((weak));
extern MPI_Fint f08_statuses_ignore[] __asm__("MPIR_F08_MPI_STATUSES_IGNORE_OBJ") __attribute__((weak));

static inline bool in_place(const void* buffer) { return buffer == (const void*)&mpi_fortran_in_place_; }
static inline bool ignored(const MPI_Fint* status) {
  return status == &mpi_fortran_status_ignore_ || status == f08_status_ignore;
}
static inline bool ignored_all(const MPI_Fint* statuses) {
  return statuses == &mpi_fortran_statuses_ignore_ || statuses == f08_statuses_ignore;
}

static inline const MPI_Status* status_of_fortran(const MPI_Fint* status, MPI_Status* c) {
  MPI_Status_f2c(status, c);
  return c;
}

static inline int64_t received_in_fortran(const MPI_Fint* status, int64_t otherwise) {
  MPI_Status c;
  return MPI_Status_f2c(status, &c) == MPI_SUCCESS ? received_bytes(&c, otherwise) : otherwise;
}
