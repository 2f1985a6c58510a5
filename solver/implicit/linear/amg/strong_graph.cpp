// Measures of blocks, then of pairs of nodes.
#include "implicit/linear/amg/strong_graph.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "implicit/linear/amg/aggregates.hpp"
#include "implicit/linear/amg/small_blocks.hpp"

namespace crumple::implicit::linear::amg {

namespace {

/// A pair is strong if its measure is at least this part of the largest of one of both nodes.
/// The neighbours across edges and corners of cubes have 0.005.
constexpr double kStrong = 0.002;
/// Beside the sum of all squares: below it is rounding.
constexpr double kRounding = 1e-12;

template <int N>
void multiply_blocks(const double* a, const double* b, double* c) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      double sum = 0;
      for (int k = 0; k < N; ++k) sum += a[i * N + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
}

struct Measure {
  double partial = 0;  ///< beside the largest singular values
  double whole = 0;    ///< sum of all squares
};

/// Elementary symmetric functions of eigenvalues by the method of Faddeev and LeVerrier:
/// M_1 = C, e_1 = tr M_1; M_k+1 = C (e_k I - M_k) , e_k+1 = tr M_k+1 / (k + 1).
template <int N>
Measure measure_of(const double* inverse_i, const double* inverse_j, const double* a) {
  double left[N * N], turned[N * N], right[N * N], c[N * N], m[N * N], next[N * N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) turned[i * N + j] = a[j * N + i];
  multiply_blocks<N>(inverse_i, a, left);
  multiply_blocks<N>(inverse_j, turned, right);
  multiply_blocks<N>(left, right, c);
  double e = 0, before = 0;
  std::copy_n(c, N * N, m);
  constexpr int last = N == 3 ? 2 : 4;
  Measure of;
  for (int k = 1; k <= last; ++k) {
    before = e;
    e = 0;
    for (int i = 0; i < N; ++i) e += m[i * N + i] / k;
    if (k == 1) of.whole = e;
    if (k == last) break;
    for (int i = 0; i < N * N; ++i) m[i] = -m[i];
    for (int i = 0; i < N; ++i) m[i * N + i] += e;
    multiply_blocks<N>(c, m, next);
    std::copy_n(next, N * N, m);
  }
  of.partial = before > 0 && e > 0 ? e / before : 0.0;
  if (of.partial <= kRounding * of.whole) of.partial = 0;
  return of;
}

/// Measures of pairs of nodes: of their rows together, in the order of `graph`.
std::vector<Measure> pair_measures(const LevelMatrix& a, std::span<const double> inverse,
                                   std::span<const std::int32_t> node, const RowPattern& graph, int threads) {
  std::vector<Measure> of(static_cast<std::size_t>(graph.blocks()));
  std::vector<std::int32_t> first(static_cast<std::size_t>(graph.rows()) + 1, 0);
  for (const std::int32_t n : node) ++first[n + 1];
  for (std::int32_t n = 0; n < graph.rows(); ++n) first[n + 1] += first[n];
  with_block(a.block, [&](auto size) {
    constexpr int n = size;
    each_rows(graph.rows(), kRowsOfPart, threads, [&](std::int32_t begin, std::int32_t end) {
      for (std::int32_t i = begin; i < end; ++i)
        for (std::int32_t row = first[i]; row < first[i + 1]; ++row) {
          std::int64_t place = graph.start[i];
          for (std::int64_t b = a.pattern->start[row]; b < a.pattern->start[row + 1]; ++b) {
            const std::int32_t column = a.pattern->column[b];
            if (node[column] == i) continue;
            while (graph.column[place] != node[column]) ++place;
            const Measure block =
                measure_of<n>(inverse.data() + std::int64_t(row) * n * n,
                              inverse.data() + std::int64_t(column) * n * n, a.values.data() + b * n * n);
            of[place].partial = std::max(of[place].partial, block.partial);
            of[place].whole = std::max(of[place].whole, block.whole);
          }
        }
    });
  });
  return of;
}

}  // namespace

RowPattern strong_graph(const LevelMatrix& a, std::span<const double> inverse_diagonal,
                        std::span<const std::int32_t> node, std::int32_t n_nodes, int threads) {
  const RowPattern graph = node_graph(*a.pattern, node, n_nodes);
  const std::vector<Measure> of = pair_measures(a, inverse_diagonal, node, graph, threads);
  std::vector<Measure> largest(static_cast<std::size_t>(n_nodes));
  for (std::int32_t i = 0; i < n_nodes; ++i)
    for (std::int64_t b = graph.start[i]; b < graph.start[i + 1]; ++b) {
      largest[i].partial = std::max(largest[i].partial, of[b].partial);
      largest[i].whole = std::max(largest[i].whole, of[b].whole);
    }
  const auto strong_for = [&](std::int32_t i, const Measure& pair) {
    return largest[i].partial > 0 ? pair.partial >= kStrong * largest[i].partial
                                  : pair.whole > 0 && pair.whole >= kStrong * largest[i].whole;
  };
  RowPattern strong;
  strong.columns = n_nodes;
  for (std::int32_t i = 0; i < n_nodes; ++i) {
    for (std::int64_t b = graph.start[i]; b < graph.start[i + 1]; ++b) {
      const std::int32_t j = graph.column[b];
      if (j != i && (strong_for(i, of[b]) || strong_for(j, of[b]))) strong.column.push_back(j);
    }
    strong.start.push_back(std::ssize(strong.column));
  }
  return strong;
}

}  // namespace crumple::implicit::linear::amg
