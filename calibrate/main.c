// crumple-calibrate KIND BLOCKS SECONDS BYTES [FOLDER]: pair, collectives, memory, turns, files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 5) {
    fprintf(stderr, "crumple-calibrate KIND BLOCKS SECONDS BYTES [FOLDER]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const Effort effort = {atof(argv[3]), atoi(argv[2])};
  const int64_t bytes = atoll(argv[4]);
  if (strcmp(argv[1], "pair") == 0)
    measure_pair(effort, bytes);
  else if (strcmp(argv[1], "collectives") == 0)
    measure_collectives(effort, bytes);
  else if (strcmp(argv[1], "memory") == 0)
    measure_memory(effort, bytes);
  else if (strcmp(argv[1], "turns") == 0)
    measure_turns(effort, (int)bytes);
  else if (strcmp(argv[1], "files") == 0 && argc > 5)
    measure_files(effort, argv[5], bytes);
  else
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Finalize();
}
