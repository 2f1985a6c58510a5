// Calls OpenBLAS by the names of the BLAS and LAPACK standards, on one thread in each call: tiles are spread
// over threads here, so that sums do not depend on their number.
//
// OpenBLAS built without threads keeps its work space without a lock: two threads that call it at once get
// wrong results. The one built with OpenMP has locks, and starts no threads of its own before it uses them.
#include "implicit/linear/dense.hpp"

#include "base/error.hpp"

extern "C" {
using Fortran = const int*;
void dgemm_(const char*, const char*, Fortran, Fortran, Fortran, const double*, const double*, Fortran,
            const double*, Fortran, const double*, double*, Fortran);
void sgemm_(const char*, const char*, Fortran, Fortran, Fortran, const float*, const float*, Fortran,
            const float*, Fortran, const float*, float*, Fortran);
void dgemv_(const char*, Fortran, Fortran, const double*, const double*, Fortran, const double*, Fortran,
            const double*, double*, Fortran);
void sgemv_(const char*, Fortran, Fortran, const float*, const float*, Fortran, const float*, Fortran,
            const float*, float*, Fortran);
void dsyrk_(const char*, const char*, Fortran, Fortran, const double*, const double*, Fortran, const double*,
            double*, Fortran);
void ssyrk_(const char*, const char*, Fortran, Fortran, const float*, const float*, Fortran, const float*,
            float*, Fortran);
void dtrsm_(const char*, const char*, const char*, const char*, Fortran, Fortran, const double*,
            const double*, Fortran, double*, Fortran);
void strsm_(const char*, const char*, const char*, const char*, Fortran, Fortran, const float*, const float*,
            Fortran, float*, Fortran);
void dtrsv_(const char*, const char*, const char*, Fortran, const double*, Fortran, double*, Fortran);
void strsv_(const char*, const char*, const char*, Fortran, const float*, Fortran, float*, Fortran);
void dpotrf_(const char*, Fortran, double*, Fortran, int*);
void spotrf_(const char*, Fortran, float*, Fortran, int*);
int openblas_get_parallel(void);
void openblas_set_num_threads(int);
}

namespace crumple::implicit::linear {

namespace {

/// The functions of one precision.
template <class T>
struct Blas;
template <>
struct Blas<double> {
  static constexpr auto gemm = dgemm_;
  static constexpr auto gemv = dgemv_;
  static constexpr auto syrk = dsyrk_;
  static constexpr auto trsm = dtrsm_;
  static constexpr auto trsv = dtrsv_;
  static constexpr auto potrf = dpotrf_;
};
template <>
struct Blas<float> {
  static constexpr auto gemm = sgemm_;
  static constexpr auto gemv = sgemv_;
  static constexpr auto syrk = ssyrk_;
  static constexpr auto trsm = strsm_;
  static constexpr auto trsv = strsv_;
  static constexpr auto potrf = spotrf_;
};

/// Fronts have fewer than 2^31 rows, and BLAS counts with int.
struct Count {
  int value;
  Count(std::int64_t n) : value(static_cast<int>(n)) {}  // NOLINT(google-explicit-constructor)
  operator Fortran() const { return &value; }            // NOLINT(google-explicit-constructor)
};

template <class T>
void gemm_of(const char* of_a, const char* of_b, std::int64_t m, std::int64_t n, std::int64_t k, const T* a,
             std::int64_t lda, const T* b, std::int64_t ldb, T* c, std::int64_t ldc) {
  if (m <= 0 || n <= 0 || k <= 0) return;
  const T minus = -1, one = 1;
  Blas<T>::gemm(of_a, of_b, Count(m), Count(n), Count(k), &minus, a, Count(lda), b, Count(ldb), &one, c,
                Count(ldc));
}

/// y -= A x, or A' x; A (rows, columns).
template <class T>
void gemv_of(const char* of_a, std::int64_t rows, std::int64_t columns, const T* a, std::int64_t lda,
             const T* x, T* y) {
  if (rows <= 0 || columns <= 0) return;
  const T minus = -1, one = 1;
  Blas<T>::gemv(of_a, Count(rows), Count(columns), &minus, a, Count(lda), x, Count(1), &one, y, Count(1));
}

template <class T>
void product_of_tiles(bool transposed, std::int64_t m, std::int64_t n, std::int64_t k, const T* a,
                      std::int64_t lda, const T* b, std::int64_t ldb, T* c, std::int64_t ldc) {
  if (transposed && n == 1) return gemv_of("T", k, m, a, lda, b, c);
  gemm_of(transposed ? "T" : "N", transposed ? "N" : "T", m, n, k, a, lda, b, ldb, c, ldc);
}

template <class T>
void plain_product(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t lda, const T* b,
                   std::int64_t ldb, T* c, std::int64_t ldc) {
  if (n == 1) return gemv_of("N", m, k, a, lda, b, c);
  gemm_of("N", "N", m, n, k, a, lda, b, ldb, c, ldc);
}

template <class T>
void syrk_of(std::int64_t n, std::int64_t k, const T* a, std::int64_t lda, T* c, std::int64_t ldc) {
  if (n <= 0 || k <= 0) return;
  const T minus = -1, one = 1;
  Blas<T>::syrk("L", "N", Count(n), Count(k), &minus, a, Count(lda), &one, c, Count(ldc));
}

template <class T>
void trsm_right(bool unit, std::int64_t m, std::int64_t n, const T* l, std::int64_t ldl, T* b,
                std::int64_t ldb) {
  if (m <= 0 || n <= 0) return;
  const T one = 1;
  Blas<T>::trsm("R", "L", "T", unit ? "U" : "N", Count(m), Count(n), &one, l, Count(ldl), b, Count(ldb));
}

template <class T>
void trsm_left(bool transposed, bool unit, std::int64_t n, std::int64_t n_rhs, const T* l, std::int64_t ldl,
               T* b, std::int64_t ldb) {
  if (n <= 0 || n_rhs <= 0) return;
  const char *of_l = transposed ? "T" : "N", *diagonal = unit ? "U" : "N";
  const T one = 1;
  if (n_rhs == 1) return Blas<T>::trsv("L", of_l, diagonal, Count(n), l, Count(ldl), b, Count(1));
  Blas<T>::trsm("L", "L", of_l, diagonal, Count(n), Count(n_rhs), &one, l, Count(ldl), b, Count(ldb));
}

template <class T>
std::int64_t potrf_of(std::int64_t n, T* a, std::int64_t lda) {
  int info = 0;
  if (n > 0) Blas<T>::potrf("L", Count(n), a, Count(lda), &info);
  return info - 1;
}

}  // namespace

void prepare_dense(int threads) {
  if (threads > 1 && openblas_get_parallel() == 0)
    throw Error(
        "CR-I206",
        "this system's OpenBLAS was built without threads, and cannot be called by several: install Debian's "
        "libopenblas0-openmp, or solve with one thread",
        {}, Exit::system);
  openblas_set_num_threads(1);
}

void subtract_product(bool transposed, std::int64_t m, std::int64_t n, std::int64_t k, const double* a,
                      std::int64_t lda, const double* b, std::int64_t ldb, double* c, std::int64_t ldc) {
  product_of_tiles(transposed, m, n, k, a, lda, b, ldb, c, ldc);
}
void subtract_plain_product(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
                            const double* b, std::int64_t ldb, double* c, std::int64_t ldc) {
  plain_product(m, n, k, a, lda, b, ldb, c, ldc);
}
void subtract_square(std::int64_t n, std::int64_t k, const double* a, std::int64_t lda, double* c,
                     std::int64_t ldc) {
  syrk_of(n, k, a, lda, c, ldc);
}
void divide_right(bool unit, std::int64_t m, std::int64_t n, const double* l, std::int64_t ldl, double* b,
                  std::int64_t ldb) {
  trsm_right(unit, m, n, l, ldl, b, ldb);
}
void divide_left(bool transposed, bool unit, std::int64_t n, std::int64_t n_rhs, const double* l,
                 std::int64_t ldl, double* b, std::int64_t ldb) {
  trsm_left(transposed, unit, n, n_rhs, l, ldl, b, ldb);
}
std::int64_t cholesky(std::int64_t n, double* a, std::int64_t lda) { return potrf_of(n, a, lda); }

void subtract_product(bool transposed, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                      std::int64_t lda, const float* b, std::int64_t ldb, float* c, std::int64_t ldc) {
  product_of_tiles(transposed, m, n, k, a, lda, b, ldb, c, ldc);
}
void subtract_plain_product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                            const float* b, std::int64_t ldb, float* c, std::int64_t ldc) {
  plain_product(m, n, k, a, lda, b, ldb, c, ldc);
}
void subtract_square(std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, float* c,
                     std::int64_t ldc) {
  syrk_of(n, k, a, lda, c, ldc);
}
void divide_right(bool unit, std::int64_t m, std::int64_t n, const float* l, std::int64_t ldl, float* b,
                  std::int64_t ldb) {
  trsm_right(unit, m, n, l, ldl, b, ldb);
}
void divide_left(bool transposed, bool unit, std::int64_t n, std::int64_t n_rhs, const float* l,
                 std::int64_t ldl, float* b, std::int64_t ldb) {
  trsm_left(transposed, unit, n, n_rhs, l, ldl, b, ldb);
}
std::int64_t cholesky(std::int64_t n, float* a, std::int64_t lda) { return potrf_of(n, a, lda); }

}  // namespace crumple::implicit::linear
