// Loops over rows of blocks of 3 x 3, 6 x 6 and of prolongation, 3 x 6 and 6 x 6.
//
// A block's values are multiplied in their order in memory, several at once, with numbers of the vector in
// that order; each place of the block has a sum of its own, which are added up at the end of the row.
#include <cstring>
#include <utility>

#include "implicit/linear/amg/level_loops.hpp"
#include "simd/instruction_set.hpp"
#include "simd/vec.hpp"

namespace crumple::implicit::linear::amg {
inline namespace CRUMPLE_ISA {

namespace {

constexpr int kModesOfNode = 6;

template <class T>
inline constexpr int kLanes = 32 / sizeof(T);
template <class T>
using Lanes = simd::native_t<T, kLanes<T>>;

template <class T>
[[gnu::always_inline]] inline Lanes<T> load(const T* from) {
  Lanes<T> n;
  std::memcpy(&n, from, sizeof n);
  return n;
}

/// Numbers of a vector by the places of a block (N, M) from `first` on: of its columns, or of its rows.
template <int M, bool of_rows, int first, class L, std::size_t... l>
[[gnu::always_inline]] inline L spread(L low, L high, std::index_sequence<l...>) {
  return __builtin_shufflevector(low, high, (of_rows ? (first + int(l)) / M : (first + int(l)) % M)...);
}

/// Sums of the products of the values of a block (N, M) with numbers by their places.
template <class T, int N, int M>
struct PlaceSums {
  static constexpr int kSize = N * M, kWhole = kSize / kLanes<T>, kRest = kSize % kLanes<T>;
  Lanes<T> whole[kWhole]{};
  T rest[kRest > 0 ? kRest : 1]{};

  /// @param x of the block's columns, or with `of_rows` of its rows
  template <bool of_rows>
  [[gnu::always_inline]] void add(const T* a, const T* x) {
    constexpr int sizes[] = {M, N}, length = sizes[of_rows];
    const Lanes<T> low = load(x);
    Lanes<T> high = low;
    if constexpr (length > kLanes<T>) high = load(x + kLanes<T>);
    add_whole<of_rows>(a, low, high, std::make_integer_sequence<int, kWhole>{});
#pragma GCC unroll 8
    for (int l = 0; l < kRest; ++l) {
      constexpr int before = kWhole * kLanes<T>;
      rest[l] += a[before + l] * x[of_rows ? (before + l) / M : (before + l) % M];
    }
  }
  template <bool of_rows, int... k>
  [[gnu::always_inline]] void add_whole(const T* a, Lanes<T> low, Lanes<T> high,
                                        std::integer_sequence<int, k...>) {
    ((whole[k] += load(a + k * kLanes<T>) *
                  spread<M, of_rows, k * kLanes<T>>(low, high, std::make_index_sequence<kLanes<T>>{})),
     ...);
  }
  [[gnu::always_inline]] T of(int place) const {
    return place < kWhole * kLanes<T> ? whole[place / kLanes<T>][place % kLanes<T>]
                                      : rest[place - kWhole * kLanes<T>];
  }
  /// A x of the sums of a x.
  [[gnu::always_inline]] void by_rows(T* y) const {
    T all[kSize];
    for (int p = 0; p < kSize; ++p) all[p] = of(p);
    for (int i = 0; i < N; ++i) {
      T sum = 0;
      for (int j = 0; j < M; ++j) sum += all[i * M + j];
      y[i] = sum;
    }
  }
  [[gnu::always_inline]] void by_columns(T* y) const {
    T all[kSize];
    for (int p = 0; p < kSize; ++p) all[p] = of(p);
    for (int j = 0; j < M; ++j) {
      T sum = 0;
      for (int i = 0; i < N; ++i) sum += all[i * M + j];
      y[j] = sum;
    }
  }
};

/// y = a row of blocks (N, M) times x.
template <int N, int M, class T>
[[gnu::always_inline]] inline void row_times(const Blocks<const T>& a, std::int32_t row, const T* x, T* y) {
  PlaceSums<T, N, M> sums;
  for (std::int64_t b = a.start[row]; b < a.start[row + 1]; ++b) {
    sums.template add<false>(a.values + b * N * M, x + std::int64_t(a.column[b]) * M);
  }
  sums.by_rows(y);
}

template <int N, class T>
[[gnu::always_inline]] inline void block_times(const T* a, const T* x, T* y) {
  for (int i = 0; i < N; ++i) {
    T sum = 0;
    for (int j = 0; j < N; ++j) sum += a[i * N + j] * x[j];
    y[i] = sum;
  }
}

template <int N>
void multiply(const Blocks<const double>& a, const double* x, double* y, std::int32_t begin,
              std::int32_t end) {
  for (std::int32_t row = begin; row < end; ++row) row_times<N, N>(a, row, x, y + std::int64_t(row) * N);
}

template <int N>
void multiply_diagonal(const double* d, const double* x, double* z, std::int32_t begin, std::int32_t end) {
  for (std::int64_t row = begin; row < end; ++row) block_times<N>(d + row * N * N, x + row * N, z + row * N);
}

template <int N>
void begin_chebyshev(const ChebyshevStep& step, std::int32_t begin, std::int32_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float z[N];
    block_times<N>(step.inverse + row * N * N, step.r + row * N, z);
    for (int i = 0; i < N; ++i) step.x[row * N + i] = step.next[row * N + i] = step.add * z[i];
  }
}

template <int N, bool after>
void chebyshev(const Blocks<const float>& a, const ChebyshevStep& step, std::int32_t begin,
               std::int32_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    float ad[N], z[N];
    row_times<N, N>(a, static_cast<std::int32_t>(row), step.d, ad);
    float* const r = step.r + row * N;
    for (int i = 0; i < N; ++i) r[i] -= ad[i];
    block_times<N>(step.inverse + row * N * N, r, z);
    for (int i = 0; i < N; ++i) {
      const float d = step.d[row * N + i];
      const float next = after ? step.add * z[i] : step.keep * d + step.add * z[i];
      step.next[row * N + i] = next;
      step.x[row * N + i] += after ? d + next : next;
    }
  }
}

template <int N>
void subtract(const Blocks<const float>& a, const float* d, float* r, std::int32_t begin, std::int32_t end) {
  for (std::int32_t row = begin; row < end; ++row) {
    float ad[N];
    row_times<N, N>(a, row, d, ad);
    for (int i = 0; i < N; ++i) r[std::int64_t(row) * N + i] -= ad[i];
  }
}

template <int N>
void prolong(const Blocks<const float>& p, const float* x, float* e, std::int32_t begin, std::int32_t end) {
  for (std::int32_t row = begin; row < end; ++row)
    row_times<N, kModesOfNode>(p, row, x, e + std::int64_t(row) * N);
}

template <int N>
void restrict_to(const Blocks<const float>& p, const float* r, float* x, std::int32_t begin,
                 std::int32_t end) {
  constexpr int M = kModesOfNode;
  for (std::int32_t row = begin; row < end; ++row) {
    PlaceSums<float, N, M> sums;
    for (std::int64_t e = p.start[row]; e < p.start[row + 1]; ++e)
      sums.template add<true>(p.values + p.block[e] * N * M, r + std::int64_t(p.column[e]) * N);
    sums.by_columns(x + std::int64_t(row) * M);
  }
}

/// c += scale a b; a (N, K), b (K, 6).
template <int N, int K>
[[gnu::always_inline]] inline void add_product(double scale, const double* a, const double* b, double* c) {
  constexpr int M = kModesOfNode;
  for (int i = 0; i < N; ++i) {
    double sum[M];
    for (int j = 0; j < M; ++j) sum[j] = c[i * M + j];
    for (int k = 0; k < K; ++k) {
      const double factor = scale * a[i * K + k];
      for (int j = 0; j < M; ++j) sum[j] += factor * b[k * M + j];
    }
    for (int j = 0; j < M; ++j) c[i * M + j] = sum[j];
  }
}

template <int N>
void smooth(const Blocks<const double>& a, const Smoothing& by, std::int64_t* place, double* sums,
            std::int32_t begin, std::int32_t end) {
  constexpr int m = N * kModesOfNode;
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t first = by.p.start[row], n = by.p.start[row + 1] - first;
    for (std::int64_t b = 0; b < n; ++b) place[by.p.column[first + b]] = b;
    for (std::int64_t i = 0; i < n * m; ++i) sums[i] = 0.0;
    for (std::int64_t b = a.start[row]; b < a.start[row + 1]; ++b) {
      const std::int64_t other = a.column[b];
      add_product<N, N>(1.0, a.values + b * N * N, by.base + other * m,
                        sums + place[by.aggregate[other]] * m);
    }
    double* const out = by.p.values + first * m;
    for (std::int64_t i = 0; i < n * m; ++i) out[i] = 0.0;
    for (std::int64_t b = 0; b < n; ++b)
      add_product<N, N>(-by.weight, by.inverse + row * N * N, sums + b * m, out + b * m);
    double* const own = out + place[by.aggregate[row]] * m;
    for (int i = 0; i < m; ++i) own[i] += by.base[row * m + i];
  }
}

template <int N>
void times_p(const Blocks<const double>& a, const Blocks<const double>& p, const Blocks<double>& ap,
             std::int64_t* place, std::int32_t begin, std::int32_t end) {
  constexpr int m = N * kModesOfNode;
  for (std::int32_t row = begin; row < end; ++row) {
    for (std::int64_t b = ap.start[row]; b < ap.start[row + 1]; ++b) place[ap.column[b]] = b;
    for (std::int64_t b = a.start[row]; b < a.start[row + 1]; ++b) {
      const std::int32_t other = a.column[b];
      for (std::int64_t c = p.start[other]; c < p.start[other + 1]; ++c)
        add_product<N, N>(1.0, a.values + b * N * N, p.values + c * m, ap.values + place[p.column[c]] * m);
    }
  }
}

template <int N>
void galerkin(const Blocks<const double>& p_columns, const Blocks<const double>& ap,
              const Blocks<double>& coarse, std::int64_t* place, std::int32_t begin, std::int32_t end) {
  constexpr int M = kModesOfNode, m = N * M;
  for (std::int32_t row = begin; row < end; ++row) {
    for (std::int64_t b = coarse.start[row]; b < coarse.start[row + 1]; ++b) place[coarse.column[b]] = b;
    for (std::int64_t e = p_columns.start[row]; e < p_columns.start[row + 1]; ++e) {
      const std::int32_t fine = p_columns.column[e];
      double turned[m];
      for (int k = 0; k < N; ++k)
        for (int i = 0; i < M; ++i) turned[i * N + k] = p_columns.values[p_columns.block[e] * m + k * M + i];
      for (std::int64_t c = ap.start[fine]; c < ap.start[fine + 1]; ++c)
        if (ap.column[c] >= row)
          add_product<M, N>(1.0, turned, ap.values + c * m, coarse.values + place[ap.column[c]] * M * M);
    }
  }
}

template <int N>
constexpr LoopsOfBlock kLoops{&multiply<N>,         &multiply_diagonal<N>, &begin_chebyshev<N>,
                              &chebyshev<N, false>, &chebyshev<N, true>,   &subtract<N>,
                              &prolong<N>,          &restrict_to<N>,       &smooth<N>,
                              &times_p<N>,          &galerkin<N>};
constexpr LevelLoops kBoth{kLoops<3>, kLoops<6>};
const detail::RegisterLevelLoops registered_loops(static_cast<elements::Isa>(CRUMPLE_ISA_NUMBER), kBoth);

}  // namespace
}  // namespace CRUMPLE_ISA
}  // namespace crumple::implicit::linear::amg
