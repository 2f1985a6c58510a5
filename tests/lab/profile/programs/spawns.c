// Each of the ranks calls a barrier 10 times; then they spawn 2 processes, with "several" 2 and 1 of one
// command each, which sum up 100 times. A spawned process with "again" spawns one more.
#include <mpi.h>
#include <string.h>

static void be_spawned(int argc, char** argv, MPI_Comm parent) {
  int x = 1;
  MPI_Comm child;
  for (int k = 0; k < 100; ++k) MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (argc > 1 && strcmp(argv[1], "again") == 0) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&child);
  }
  MPI_Comm_disconnect(&parent);
}

int main(int argc, char** argv) {
  MPI_Comm parent, children;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    be_spawned(argc, argv, parent);
  } else {
    for (int k = 0; k < 10; ++k) MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "several") == 0) {
      char* commands[] = {argv[0], argv[0]};
      MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
      MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, (int[]){2, 1}, infos, 0, MPI_COMM_WORLD, &children,
                              MPI_ERRCODES_IGNORE);
    } else {
      char* again[] = {"again", NULL};
      MPI_Comm_spawn(argv[0], argc > 1 && strcmp(argv[1], "again") == 0 ? again : MPI_ARGV_NULL, 2,
                     MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    }
    MPI_Comm_disconnect(&children);
  }
  MPI_Finalize();
  return 0;
}
