! The known messages, by the module mpi_f08.
program known
  use mpi_f08
  implicit none
  integer :: rank, nranks, ierr, k
  type(MPI_Request) :: requests(2)
  double precision :: values(16), others(64)
  include 'body.inc'
