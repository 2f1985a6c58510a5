// Products and eigenvalues of small dense matrices, by BLAS and LAPACK (columns one after the other).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace crumple::implicit::eigen {

/// c = a' b; a (rows, m), b (rows, p), c (m, p).
void transposed_product(std::size_t rows, std::span<const double> a, std::span<const double> b,
                        std::span<double> c);
/// c += scale a b; a (rows, m), b (m, p), c (rows, p).
void add_product(std::size_t rows, double scale, std::span<const double> a, std::span<const double> b,
                 std::span<double> c);

struct DenseEigen {
  std::vector<double> values;   ///< ascending
  std::vector<double> vectors;  ///< columns, orthonormal
};
/// Of a symmetric matrix (n, n) whose upper triangle is read. Throws Error CR-I302 if LAPACK fails.
DenseEigen dense_eigen(std::size_t n, std::vector<double> matrix);

}  // namespace crumple::implicit::eigen
