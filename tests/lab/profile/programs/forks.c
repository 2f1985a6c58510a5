// Writes 1000 bytes itself, and 5000 in a child of fork, which calls no MPI function; then runs a shell.
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_bytes(const char* path, size_t n) {
  static char data[5000];
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (write(file, data, n) < 0) _exit(1);
  close(file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  write_bytes("own.dat", 1000);
  const pid_t child = fork();
  if (child == 0) {
    write_bytes("child.dat", 5000);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  if (system("head -c 3000 /dev/zero > shell.dat") != 0) return 1;
  MPI_Finalize();
  return 0;
}
