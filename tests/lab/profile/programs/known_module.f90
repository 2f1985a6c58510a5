! The known messages, by the module mpi.
program known
  use mpi
  implicit none
  integer :: rank, nranks, ierr, k, requests(2)
  double precision :: values(16), others(64)
  include 'body.inc'
