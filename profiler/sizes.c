// Sizes of messages in bytes.
#include "profiler.h"

int64_t bytes_of(int64_t count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (type == MPI_DATATYPE_NULL || count <= 0) return 0;
  PMPI_Type_size_x(type, &size);
  return size > 0 ? count * (int64_t)size : 0;
}

int64_t received_bytes(const MPI_Status* status, int64_t otherwise) {
  MPI_Count n = MPI_UNDEFINED;
  if (status == MPI_STATUS_IGNORE) return otherwise;
  PMPI_Get_elements_x(status, MPI_BYTE, &n);
  return n == MPI_UNDEFINED ? otherwise : (int64_t)n;
}

int64_t sum_of(const int* counts, int n) {
  int64_t sum = 0;
  for (int k = 0; k < n; ++k) sum += counts[k];
  return sum;
}

int64_t sum_of_types(const int* counts, const MPI_Datatype* types, int n) {
  int64_t sum = 0;
  for (int k = 0; k < n; ++k) sum += bytes_of(counts[k], types[k]);
  return sum;
}

int64_t sum_of_fortran_types(const int* counts, const MPI_Fint* types, int n) {
  int64_t sum = 0;
  for (int k = 0; k < n; ++k) sum += bytes_of(counts[k], MPI_Type_f2c(types[k]));
  return sum;
}
