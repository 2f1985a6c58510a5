! The known messages, by mpif.h.
program known
  implicit none
  include 'mpif.h'
  integer :: rank, nranks, ierr, k, requests(2)
  double precision :: values(16), others(64)
  include 'body.inc'
