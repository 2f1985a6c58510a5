// The triad of McCalpin's STREAM (1995): a = b + s c, on all ranks at once; bytes a second of all together.
#include <stdlib.h>

#include "calibrate.h"

typedef struct {
  double* restrict a, * restrict b, * restrict c;
  int64_t n;
} Arrays;

static void triad(void* what) {
  const Arrays* x = what;
  for (int64_t k = 0; k < x->n; ++k) x->a[k] = x->b[k] + 3.0 * x->c[k];
}

void measure_memory(Effort effort, int64_t bytes) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Arrays x = {malloc((size_t)bytes), malloc((size_t)bytes), malloc((size_t)bytes), bytes / 8};
  for (int64_t k = 0; k < x.n; ++k) x.a[k] = 0.0, x.b[k] = 1.0, x.c[k] = 2.0;  // each rank touches its own
  triad(&x);
  for (int b = 0; b < effort.blocks; ++b) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime(), used = processor_time();
    int64_t n = 0;
    do {
      triad(&x);
      ++n;
    } while (MPI_Wtime() - start < effort.seconds);
    const double took = MPI_Wtime() - start, share = (processor_time() - used) / took;
    double rate = 3.0 * (double)bytes * (double)n / took, all;
    MPI_Allreduce(&rate, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    print_sample("triad", bytes, all, share);
  }
  free(x.a);
  free(x.b);
  free(x.c);
}
