! Spawns 2 processes of the same program; each world calls MPI_Barrier 3 times.
program spawns
  use mpi
  implicit none
  integer :: ierr, parent, children, k
  character(len=1000) :: command
  call MPI_Init(ierr)
  call MPI_Comm_get_parent(parent, ierr)
  do k = 1, 3
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do
  if (parent == MPI_COMM_NULL) then
    call get_command_argument(0, command)
    call MPI_Comm_spawn(trim(command), MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, &
                        MPI_ERRCODES_IGNORE, ierr)
    call MPI_Comm_disconnect(children, ierr)
  else
    call MPI_Comm_disconnect(parent, ierr)
  end if
  call MPI_Finalize(ierr)
end program
