// Calls of BLAS and LAPACK.
#include "implicit/eigen/dense.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

// NOLINTBEGIN: names of the Fortran libraries, which Debian's OpenBLAS has without a header for LAPACK.
extern "C" {
void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc);
void dsyev_(const char* job, const char* half, const int* n, double* a, const int* lda, double* values,
            double* work, const int* size, int* status);
}
// NOLINTEND

namespace crumple::implicit::eigen {

void transposed_product(std::size_t rows, std::span<const double> a, std::span<const double> b,
                        std::span<double> c) {
  const int n = static_cast<int>(rows), m = static_cast<int>(a.size() / rows),
            p = static_cast<int>(b.size() / rows);
  const double one = 1.0, zero = 0.0;
  if (m > 0 && p > 0) dgemm_("T", "N", &m, &p, &n, &one, a.data(), &n, b.data(), &n, &zero, c.data(), &m);
}

void add_product(std::size_t rows, double scale, std::span<const double> a, std::span<const double> b,
                 std::span<double> c) {
  const int n = static_cast<int>(rows), m = static_cast<int>(a.size() / rows),
            p = static_cast<int>(c.size() / rows);
  const double one = 1.0;
  if (m > 0 && p > 0) dgemm_("N", "N", &n, &p, &m, &scale, a.data(), &n, b.data(), &m, &one, c.data(), &n);
}

DenseEigen dense_eigen(std::size_t n, std::vector<double> matrix) {
  DenseEigen found{std::vector<double>(n), std::move(matrix)};
  if (n == 0) return found;
  const int size = static_cast<int>(n), work_size = 64 * size;
  std::vector<double> work(static_cast<std::size_t>(work_size));
  int status = 0;
  dsyev_("V", "U", &size, found.vectors.data(), &size, found.values.data(), work.data(), &work_size, &status);
  if (status != 0)
    throw Error("CR-I302", fmt::format("LAPACK found no eigenvalues of a projected matrix of {} rows (its "
                                       "status {})",
                                       n, status));
  return found;
}

}  // namespace crumple::implicit::eigen
