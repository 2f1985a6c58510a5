! Each rank writes 80 bytes by MPI-IO, reads them, and writes 24 by Fortran's own means.
program io
  use mpi_f08
  implicit none
  type(MPI_File) :: file
  integer :: rank
  integer(MPI_OFFSET_KIND) :: at
  double precision :: values(10)
  character(len=32) :: name
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  values = rank
  name = 'from_fortran'
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file)
  at = 80 * rank
  call MPI_File_write_at_all(file, at, values, 10, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE)
  call MPI_File_read_at(file, at, values, 10, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE)
  call MPI_File_sync(file)
  call MPI_File_close(file)
  write (name, '(a,i0)') 'own_fortran.', rank
  open (unit=10, file=name, access='stream', form='unformatted')
  write (10) values(1:3)
  close (10)
  call MPI_Finalize()
end program io
