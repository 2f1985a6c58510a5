// The dense operations of BLAS and LAPACK that fronts need, in both precisions; matrices are column by
// column.
#pragma once

#include <cstdint>

namespace crumple::implicit::linear {

/// BLAS shall use one thread in each call, since sums must not depend on their number. Throws Error if its
/// library cannot be called by several threads at once and `threads` is above 1: results would be wrong.
void prepare_dense(int threads);

/// C -= A B' or, with `transposed`, C -= A' B; C (m, n), k the other dimension.
void subtract_product(bool transposed, std::int64_t m, std::int64_t n, std::int64_t k, const double* a,
                      std::int64_t lda, const double* b, std::int64_t ldb, double* c, std::int64_t ldc);
void subtract_product(bool transposed, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
                      std::int64_t lda, const float* b, std::int64_t ldb, float* c, std::int64_t ldc);
/// C -= A B; C (m, n), k columns of A.
void subtract_plain_product(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
                            const double* b, std::int64_t ldb, double* c, std::int64_t ldc);
void subtract_plain_product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                            const float* b, std::int64_t ldb, float* c, std::int64_t ldc);
/// The lower triangle of C -= A A'; C (n, n), A (n, k).
void subtract_square(std::int64_t n, std::int64_t k, const double* a, std::int64_t lda, double* c,
                     std::int64_t ldc);
void subtract_square(std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, float* c,
                     std::int64_t ldc);
/// B = B L'^-1; B (m, n), L lower, its diagonal taken as 1 if `unit`.
void divide_right(bool unit, std::int64_t m, std::int64_t n, const double* l, std::int64_t ldl, double* b,
                  std::int64_t ldb);
void divide_right(bool unit, std::int64_t m, std::int64_t n, const float* l, std::int64_t ldl, float* b,
                  std::int64_t ldb);
/// B = L^-1 B or, with `transposed`, L'^-1 B; B (n, n_rhs).
void divide_left(bool transposed, bool unit, std::int64_t n, std::int64_t n_rhs, const double* l,
                 std::int64_t ldl, double* b, std::int64_t ldb);
void divide_left(bool transposed, bool unit, std::int64_t n, std::int64_t n_rhs, const float* l,
                 std::int64_t ldl, float* b, std::int64_t ldb);
/// Cholesky's factor of the lower triangle. Returns the first pivot that is not positive, or -1.
std::int64_t cholesky(std::int64_t n, double* a, std::int64_t lda);
std::int64_t cholesky(std::int64_t n, float* a, std::int64_t lda);

}  // namespace crumple::implicit::linear
