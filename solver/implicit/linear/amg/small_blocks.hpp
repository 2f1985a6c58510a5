// Dense blocks of constant size, row by row.
#pragma once

#include <cmath>
#include <type_traits>

namespace crumple::implicit::linear::amg {

/// The inverse of a symmetric block by Cholesky's factor. False if it is not positive definite.
template <int N>
inline bool invert(const double* a, double* inverse) {
  double l[N][N] = {};
  for (int j = 0; j < N; ++j) {
    double d = a[j * N + j];
    for (int k = 0; k < j; ++k) d -= l[j][k] * l[j][k];
    if (!(d > 0.0)) return false;
    l[j][j] = std::sqrt(d);
    for (int i = j + 1; i < N; ++i) {
      double sum = a[i * N + j];
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = sum / l[j][j];
    }
  }
  for (int c = 0; c < N; ++c) {
    double x[N] = {};
    for (int i = c; i < N; ++i) {
      double sum = i == c ? 1.0 : 0.0;
      for (int k = c; k < i; ++k) sum -= l[i][k] * x[k];
      x[i] = sum / l[i][i];
    }
    for (int i = N - 1; i >= 0; --i) {
      double sum = x[i];
      for (int k = i + 1; k < N; ++k) sum -= l[k][i] * x[k];
      x[i] = sum / l[i][i];
      inverse[i * N + c] = x[i];
    }
  }
  return true;
}

/// act(std::integral_constant<int, block>) for the sizes that levels have.
template <class Act>
decltype(auto) with_block(int block, Act act) {
  return block == 3 ? act(std::integral_constant<int, 3>{}) : act(std::integral_constant<int, 6>{});
}

}  // namespace crumple::implicit::linear::amg
