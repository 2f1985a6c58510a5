// Writes and reads files in known ways, for tests of the profiler. Arguments: which, and how often.
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "crumple_phase.h"

static int rank, size;
static char data[5 << 20];

static const char* own(const char* what) {
  static char name[64];
  snprintf(name, sizeof name, "%s.%d", what, rank);
  return name;
}

static void need(int right) {
  if (!right) MPI_Abort(MPI_COMM_WORLD, 3);
}

/// 11 writes of 1000, 3000, 4 MiB + 1 and 8 times 10 bytes; reads 1000, 0, 500 and 50; in two phases.
static void raw(void) {
  crumple_phase("saving", 0);
  int f = open(own("raw"), O_RDWR | O_CREAT | O_TRUNC, 0666);
  need(write(f, data, 1000) == 1000);
  need(pwrite(f, data, 3000, 1000) == 3000);
  need(pwrite64(f, data, (4 << 20) + 1, 4000) == (4 << 20) + 1);
  const struct iovec parts[2] = {{data, 4}, {data, 6}};
  for (int k = 0; k < 8; ++k) need(pwritev(f, parts, 2, 10 * k) == 10);
  need(fsync(f) == 0 && fdatasync(f) == 0 && ftruncate(f, 4000) == 0);
  close(f);
  crumple_phase("loading", 0);
  f = openat(AT_FDCWD, own("raw"), O_RDONLY);
  need(read(f, data, 1000) == 1000);
  need(pread(f, data, 10, 4000) == 0);
  need(pread64(f, data, 500, 100) == 500);
  const int again = dup(f);
  close(f);
  need(read(again, data, 50) == 50);
  close(again);
  crumple_phase(0, 0);
}

/// Writes 70,000 + 12 + 6 + 1 + 100 bytes in 5 calls; reads them in 5.
static void streams(void) {
  FILE* f = fopen(own("stream"), "w");
  need(fwrite(data, 7, 10000, f) == 10000);
  need(fprintf(f, "%s %d\n", "a number", 12) == 12);
  need(fputs("a line", f) >= 0 && fputc('\n', f) == '\n');
  memset(data, '7', 100);
  need(fwrite(data, 1, 100, f) == 100);
  fflush(f);
  fclose(f);
  f = fopen(own("stream"), "r");
  need(fread(data, 1, 70000, f) == 70000);
  char text[64], *line = NULL;
  size_t room = 0;
  need(fgets(text, sizeof text, f) == text);
  need(getline(&line, &room, f) == 7);
  need(fgetc(f) == '7');
  need(fscanf(f, "%10s", text) == 1);
  free(line);
  fclose(f);
}

/// Standard output is a file: 11 bytes in 3 calls.
static void printed(void) {
  need(freopen(own("out"), "w", stdout) == stdout);
  need(printf("seven %d\n", 7) == 8);
  need(puts("x") >= 0 && putchar('y') == 'y');
}

/// Rank r writes 10,000 bytes three times, and reads 2000 twice; 100 are asked for past the end.
static void shared(void) {
  MPI_File f;
  MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_set_size(f, 0);
  for (int k = 0; k < 2; ++k)
    MPI_File_write_at_all(f, (2 * rank + k) * 10000, data, 10000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_Request request;
  MPI_File_iwrite_at(f, 20000 * size + 10000 * rank, data, 2500, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at_all(f, 0, data, 2000, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_read_at(f, 30000 * size - 2000, data, 2100, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
}

/// All ranks write x.new, rank 0 gives it its name; as often as is said, and twice to one name.
static void renamed(int times) {
  for (int k = 0; k < 2 * times; ++k) {
    char name[32], first[32];
    snprintf(name, sizeof name, "dump%d", k / 2);
    snprintf(first, sizeof first, "%s.new", name);
    const int f = open(first, O_WRONLY | O_CREAT, 0666);
    need(pwrite(f, data, 100, 100 * rank) == 100);
    if (k % 2) close(f);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) need(rename(first, name) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (k % 2) continue;
    need(write(f, data, 1) == 1);  // it is the same file under its other name
    close(f);
  }
}

/// One file is written anew as often as is said, 10 bytes each time.
static void rewritten(int times) {
  for (int k = 0; k < times; ++k) {
    const int f = open("again.new", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    need(write(f, data, 10) == 10);
    close(f);
    need(rename("again.new", "again") == 0);
  }
}

/// A pipe is given the number of a file that was closed; 10 bytes go to the file.
static void reused(void) {
  const int f = open(own("closed"), O_WRONLY | O_CREAT, 0666);
  need(write(f, data, 10) == 10);
  close(f);
  int pipes[2];
  need(pipe(pipes) == 0 && (pipes[0] == f || pipes[1] == f));
  need(write(pipes[1], data, 20) == 20 && read(pipes[0], data, 20) == 20);
  FILE* const stream = fopen(own("closed"), "r");
  const int number = fileno(stream);
  fclose(stream);
  need(dup2(pipes[1], number) == number && write(number, data, 20) == 20);
}

/// As many files as are said, 10 bytes in each.
static void many(int files) {
  for (int k = 0; k < files; ++k) {
    char name[32];
    snprintf(name, sizeof name, "many.%d.%d", rank, k);
    const int f = open(name, O_WRONLY | O_CREAT, 0666);
    need(write(f, data, 10) == 10);
    close(f);
  }
}

static void* work(void* which) {
  const int mine = (int)(long)which;
  crumple_phase(mine % 2 ? "odd" : "even", 0);
  char name[32];
  snprintf(name, sizeof name, "thread.%d.%d", rank, mine);
  for (int k = 0; k < 200; ++k) {
    const int own = open(name, O_WRONLY | O_CREAT, 0666), all = open("threads", O_WRONLY | O_CREAT, 0666);
    need(pwrite(own, data, 7, 7 * k) == 7);
    need(pwrite(all, data, 3, 3 * k) == 3);
    close(all);
    close(own);
  }
  crumple_phase(0, 0);
  return 0;
}

static void threads(void) {
  pthread_t thread[4];
  for (long t = 0; t < 4; ++t) pthread_create(&thread[t], 0, work, (void*)t);
  for (int t = 0; t < 4; ++t) pthread_join(thread[t], 0);
}

/// What is no file on a disk, or is not to be recorded.
static void left_out(void) {
  int pipes[2];
  need(pipe(pipes) == 0 && write(pipes[1], data, 10) == 10 && read(pipes[0], data, 10) == 10);
  close(pipes[0]);
  close(pipes[1]);
  int f = open("/proc/self/status", O_RDONLY);
  need(read(f, data, 10) == 10);
  close(f);
  f = open("/dev/shm/crumple-io-test", O_RDWR | O_CREAT, 0666);
  need(write(f, data, 10) == 10);
  close(f);
  MPI_Barrier(MPI_COMM_WORLD);
  unlink("/dev/shm/crumple-io-test");
  MPI_Pcontrol(0);
  f = open(own("stopped"), O_WRONLY | O_CREAT, 0666);
  need(write(f, data, 10) == 10);
  close(f);
  MPI_Pcontrol(1);
}

/// Seconds of small writes: what a call costs with the profiler and without.
static void cost(int calls) {
  const int f = open(own("cost"), O_WRONLY | O_CREAT, 0666);
  const double start = MPI_Wtime();
  for (int k = 0; k < calls; ++k) need(pwrite(f, data, 8, 0) == 8);
  printf("%.1f ns a call\n", 1e9 * (MPI_Wtime() - start) / calls);
  close(f);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* const which = argv[1];
  const int often = argc > 2 ? atoi(argv[2]) : 1;
  if (!strcmp(which, "raw")) raw();
  if (!strcmp(which, "streams")) streams();
  if (!strcmp(which, "printed")) printed();
  if (!strcmp(which, "shared")) shared();
  if (!strcmp(which, "renamed")) renamed(often);
  if (!strcmp(which, "rewritten")) rewritten(often);
  if (!strcmp(which, "reused")) reused();
  if (!strcmp(which, "many")) many(often);
  if (!strcmp(which, "threads")) threads();
  if (!strcmp(which, "left_out")) left_out();
  if (!strcmp(which, "cost")) cost(often);
  MPI_Finalize();
}
