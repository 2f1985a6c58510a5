// Factors tiles by LDL' with pivots of one or two equations.
#include "implicit/linear/pivots.hpp"

#include <algorithm>
#include <cmath>

namespace crumple::implicit::linear {

namespace {

/// Keeps growth of entries as small with pairs as with single pivots (Bunch and Kaufman 1977, 4.2).
const double kPairs = (1 + std::sqrt(17.0)) / 8;

class TileFactor {
 public:
  TileFactor(std::int64_t n, double* a, std::int64_t lda, std::span<std::int32_t> order)
      : n_(n), a_(a), lda_(lda), order_(order) {}

  double& at(std::int64_t i, std::int64_t j) { return a_[i + j * lda_]; }

  /// Row below the diagonal with the largest entry of column k.
  std::int64_t largest_below(std::int64_t k) {
    std::int64_t row = k;
    for (std::int64_t i = k + 1; i < n_; ++i)
      if (row == k || std::abs(at(i, k)) > std::abs(at(row, k))) row = i;
    return row;
  }
  /// Largest entry of equation i beside its diagonal, in what is left from k on.
  double largest_beside(std::int64_t i, std::int64_t k) {
    double most = 0;
    for (std::int64_t j = k; j < i; ++j) most = std::max(most, std::abs(at(i, j)));
    for (std::int64_t j = i + 1; j < n_; ++j) most = std::max(most, std::abs(at(j, i)));
    return most;
  }

  /// Exchanges equations i < j, also in columns that are done.
  void exchange(std::int64_t i, std::int64_t j) {
    if (i == j) return;
    std::swap(order_[i], order_[j]);
    std::swap(at(i, i), at(j, j));
    for (std::int64_t k = 0; k < i; ++k) std::swap(at(i, k), at(j, k));
    for (std::int64_t k = i + 1; k < j; ++k) std::swap(at(k, i), at(j, k));
    for (std::int64_t k = j + 1; k < n_; ++k) std::swap(at(k, i), at(k, j));
  }

  void eliminate(std::int64_t k, double pivot) {
    double* l = &at(0, k);
    for (std::int64_t j = k + 1; j < n_; ++j) {
      const double factor = l[j] / pivot;
      double* column = &at(0, j);
      for (std::int64_t i = j; i < n_; ++i) column[i] -= l[i] * factor;
    }
    for (std::int64_t i = k + 1; i < n_; ++i) l[i] /= pivot;
    l[k] = 1;
  }
  void eliminate_pair(std::int64_t k, double a, double b, double c) {
    double *one = &at(0, k), *two = &at(0, k + 1);
    const double determinant = a * c - b * b;
    for (std::int64_t j = k + 2; j < n_; ++j) {
      const double x = (c * one[j] - b * two[j]) / determinant, y = (a * two[j] - b * one[j]) / determinant;
      double* column = &at(0, j);
      for (std::int64_t i = j; i < n_; ++i) column[i] -= one[i] * x + two[i] * y;
      // Rows below j still need the old entries of this pair's columns; row j does not.
      one[j] = x;
      two[j] = y;
    }
    one[k] = two[k + 1] = 1;
    one[k + 1] = 0;
  }

 private:
  std::int64_t n_;
  double* a_;
  std::int64_t lda_;
  std::span<std::int32_t> order_;
};

/// Brings the next pivot to k, and k + 1 if it is a pair; returns how many equations it has.
int choose_pivot(TileFactor& tile, std::int64_t k, std::int64_t row, double largest) {
  const double own = std::abs(tile.at(k, k));
  if (own >= kPairs * largest) return 1;
  const double beside = tile.largest_beside(row, k);
  if (own * beside >= kPairs * largest * largest) return 1;
  if (std::abs(tile.at(row, row)) >= kPairs * beside) {
    tile.exchange(k, row);
    return 1;
  }
  tile.exchange(k + 1, row);
  return 2;
}

}  // namespace

void factor_tile(std::int64_t n, double* a, std::int64_t lda, std::int64_t first,
                 std::span<const double> scale, double zero, std::span<std::int32_t> order,
                 std::span<double> diagonal, std::span<double> beside, Signs& signs) {
  TileFactor tile(n, a, lda, order);
  for (std::int64_t k = 0; k < n; ++k) order[k] = static_cast<std::int32_t>(k);
  for (std::int64_t k = 0; k < n;) {
    const std::int64_t row = tile.largest_below(k);
    const double largest = row > k ? std::abs(tile.at(row, k)) : 0.0;
    beside[k] = 0;
    if (std::max(std::abs(tile.at(k, k)), largest) <= zero * scale[order[k]]) {
      ++signs.zero;
      const std::int64_t equation = first + order[k];
      if (signs.first_zero == -1 || equation < signs.first_zero) signs.first_zero = equation;
      diagonal[k] = scale[order[k]];
      tile.eliminate(k, diagonal[k]);
      ++k;
    } else if (choose_pivot(tile, k, row, largest) == 1) {
      diagonal[k] = tile.at(k, k);
      signs.negative += diagonal[k] < 0;
      tile.eliminate(k, diagonal[k]);
      ++k;
    } else {
      diagonal[k] = tile.at(k, k);
      beside[k] = tile.at(k + 1, k);
      diagonal[k + 1] = tile.at(k + 1, k + 1);
      beside[k + 1] = 0;
      ++signs.negative;  // the rule makes the determinant of a pair negative
      tile.eliminate_pair(k, diagonal[k], beside[k], diagonal[k + 1]);
      k += 2;
    }
  }
}

void times_pivots(std::int64_t m, std::span<const double> diagonal, std::span<const double> beside,
                  const double* b, std::int64_t ldb, double* product, std::int64_t ldp) {
  const auto n = static_cast<std::int64_t>(diagonal.size());
  for (std::int64_t k = 0; k < n; ++k) {
    const double* column = b + k * ldb;
    double* to = product + k * ldp;
    for (std::int64_t i = 0; i < m; ++i) to[i] = column[i] * diagonal[k];
    if (k > 0 && beside[k - 1] != 0)
      for (std::int64_t i = 0; i < m; ++i) to[i] += column[i - ldb] * beside[k - 1];
    if (beside[k] != 0)
      for (std::int64_t i = 0; i < m; ++i) to[i] += column[i + ldb] * beside[k];
  }
}

void divide_by_pivots(std::int64_t m, std::span<const double> diagonal, std::span<const double> beside,
                      double* b, std::int64_t ldb) {
  const auto n = static_cast<std::int64_t>(diagonal.size());
  for (std::int64_t k = 0; k < n; ++k) {
    double* column = b + k * ldb;
    if (beside[k] == 0) {
      for (std::int64_t i = 0; i < m; ++i) column[i] /= diagonal[k];
      continue;
    }
    const double x = diagonal[k], y = beside[k], z = diagonal[k + 1], determinant = x * z - y * y;
    for (std::int64_t i = 0; i < m; ++i) {
      const double one = column[i], two = column[i + ldb];
      column[i] = (z * one - y * two) / determinant;
      column[i + ldb] = (x * two - y * one) / determinant;
    }
    ++k;
  }
}

}  // namespace crumple::implicit::linear
