// Adds nodal forces of SIMD lanes to sums in fixed point, and energies to those of the elements.
//
// A node's sums and their scales are one cache line (parallel/load_sum.hpp). Where a register holds a line,
// forces and moments are transposed to lines in registers. Lane by lane, they would be stored one by one, and
// each sum would be read and written alone.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "elements/gather.hpp"
#include "elements/kernel.hpp"
#include "parallel/load_sum.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

using parallel::LoadSum;

namespace lanes {

using Line = simd::Vec<double, 8>;
using Half = simd::Vec<double, 4>;  ///< half of a line: the forces

/// The 128 bits of a register, numbered 0 to 3 in a and 4 to 7 in b.
template <int A, int B, int C, int D, class N>
[[gnu::always_inline]] inline N mix_halves(N a, N b) {
  return __builtin_shufflevector(a, b, 2 * A, 2 * A + 1, 2 * B, 2 * B + 1, 2 * C, 2 * C + 1, 2 * D,
                                 2 * D + 1);
}

/// Lines (x, y, z, 0) from two vectors of eight lanes each: the line of lane l in row[l].
[[gnu::always_inline]] inline void transpose_to_lines(const Line (&f)[3], const Line (&m)[3],
                                                      Line::N (&row)[8]) {
  const auto even = [](Line a, Line b) { return mix<0, 4, 2, 6>(a.n, b.n); };
  const auto odd = [](Line a, Line b) { return mix<1, 5, 3, 7>(a.n, b.n); };
  const auto four = [&](auto fxy, auto fz, auto mxy, auto mz, int first) {
    const auto f_low = mix_halves<0, 1, 4, 5>(fxy, fz), f_high = mix_halves<2, 3, 6, 7>(fxy, fz);
    const auto m_low = mix_halves<0, 1, 4, 5>(mxy, mz), m_high = mix_halves<2, 3, 6, 7>(mxy, mz);
    row[first] = mix_halves<0, 2, 4, 6>(f_low, m_low);
    row[first + 2] = mix_halves<1, 3, 5, 7>(f_low, m_low);
    row[first + 4] = mix_halves<0, 2, 4, 6>(f_high, m_high);
    row[first + 6] = mix_halves<1, 3, 5, 7>(f_high, m_high);
  };
  const Line zero(0);
  four(even(f[0], f[1]), even(f[2], zero), even(m[0], m[1]), even(m[2], zero), 0);
  four(odd(f[0], f[1]), odd(f[2], zero), odd(m[0], m[1]), odd(m[2], zero), 1);
}

/// Halves of lines (x, y, z, 0) from one vector of eight lanes: the half of lane l in row[l].
[[gnu::always_inline]] inline void transpose_to_halves(const Line (&f)[3], Half::N (&row)[8]) {
  const auto four = [&](auto xy, auto z, int first) {
    const auto even = mix_halves<0, 4, 2, 6>(xy, z), odd = mix_halves<1, 5, 3, 7>(xy, z);
    row[first] = __builtin_shufflevector(even, even, 0, 1, 2, 3);
    row[first + 2] = __builtin_shufflevector(odd, odd, 0, 1, 2, 3);
    row[first + 4] = __builtin_shufflevector(even, even, 4, 5, 6, 7);
    row[first + 6] = __builtin_shufflevector(odd, odd, 4, 5, 6, 7);
  };
  const Line zero(0);
  four(mix<0, 4, 2, 6>(f[0].n, f[1].n), mix<0, 4, 2, 6>(f[2].n, zero.n), 0);
  four(mix<1, 5, 3, 7>(f[0].n, f[1].n), mix<1, 5, 3, 7>(f[2].n, zero.n), 1);
}

/// Subtract `row` times the scales from the sums of one node: a LoadSum or the half of one.
template <class L, class Sums>
[[gnu::always_inline]] inline void subtract_row(Sums& sums, L row, L scale) {
  simd::native_t<std::int64_t, simd::width_v<L>> left;
  static_assert(sizeof left == sizeof sums);
  std::memcpy(&left, &sums, sizeof left);
  left -= simd::rounded(row * scale);
  std::memcpy(&sums, &left, sizeof left);
}

template <class N>
[[gnu::always_inline]] inline void subtract_from(LoadSum& sum, N row) {
  using L = simd::Vec<double, sizeof(N) / sizeof(double)>;
  if constexpr (std::is_same_v<L, Line>) {
    N line;
    std::memcpy(&line, &sum, sizeof line);
    subtract_row(sum, L(row), L(__builtin_shufflevector(line, line, 3, 3, 3, 3, 7, 7, 7, 7)));
  } else {
    subtract_row(sum.force, L(row), L(sum.force.scale));
  }
}

/// Eight lanes from `First` at one corner; only lanes whose bits are set in `active`.
template <bool moments, int First, class V>
[[gnu::always_inline]] inline void subtract_lines(LoadSum* sums, const std::int32_t* nodes, const V (&f)[3],
                                                  const V (&m)[3], bool all, simd::mask_t<V> active) {
  Line force[3], moment[3];
  for (int i = 0; i < 3; ++i) force[i] = simd::widen(f[i], First), moment[i] = simd::widen(m[i], First);
  typename std::conditional_t<moments, Line, Half>::N row[8];
  if constexpr (moments)
    transpose_to_lines(force, moment, row);
  else
    transpose_to_halves(force, row);
#pragma GCC unroll 8
  for (int l = 0; l < 8; ++l)
    if (all || simd::lane(active, First + l)) subtract_from(sums[nodes[First + l]], row[l]);
}

/// Rows (x, y, z, 0) of four lanes: the row of lane l in row[l].
[[gnu::always_inline]] inline void transpose_four(const Half::N (&f)[3], Half::N (&row)[4]) {
  const Half::N zero = {};
  const auto even = mix<0, 4, 2, 6>(f[0], f[1]), even_z = mix<0, 4, 2, 6>(f[2], zero);
  const auto odd = mix<1, 5, 3, 7>(f[0], f[1]), odd_z = mix<1, 5, 3, 7>(f[2], zero);
  row[0] = mix<0, 1, 4, 5>(even, even_z);
  row[1] = mix<0, 1, 4, 5>(odd, odd_z);
  row[2] = mix<2, 3, 6, 7>(even, even_z);
  row[3] = mix<2, 3, 6, 7>(odd, odd_z);
}

/// Four lanes from `First` as doubles.
template <int First, class V>
[[gnu::always_inline]] inline Half::N four_doubles(V v) {
  return __builtin_convertvector(__builtin_shufflevector(v.n, v.n, First, First + 1, First + 2, First + 3),
                                 Half::N);
}

/// Integers of up to 51 bits, where no instruction makes 64-bit integers of doubles: `kOne` plus a number has
/// the nearest integer in the lower bits of its mantissa, and the exponent of `kOne` if it has so few bits.
class RoundedRows {
 public:
  using Bits = simd::native_t<std::int64_t, 4>;
  static constexpr double kOne = 0x1.8p52;

  /// @return the nearest integers, with the bits of `kOne`
  [[gnu::always_inline]] Bits operator()(Half::N row, double scale) {
    const Bits rounded = (Bits)(row * scale + kOne);  // scales are powers of two: the product is exact
    differs_ |= rounded ^ kOneBits;
    return rounded;
  }
  /// Whether all numbers so far were small enough; none of them was a NaN then.
  [[gnu::always_inline]] bool all_fit() const {
    return !simd::any(simd::Mask<double, 4>{(differs_ & kExponent) != 0});
  }
  [[gnu::always_inline]] static Bits subtracted(Bits from, Bits rounded) { return from + kOneBits - rounded; }

 private:
  static constexpr std::int64_t kOneBits = std::bit_cast<std::int64_t>(kOne);
  static constexpr std::int64_t kExponent = std::int64_t{-1} << 52;
  Bits differs_ = {};
};

/// Four lanes from `First` at one corner. @return false, with nothing done, if a number has too many bits
template <bool moments, int First, class V>
[[gnu::always_inline]] inline bool subtract_four(LoadSum* sums, const std::int32_t* nodes, const V (&f)[3],
                                                 const V (&m)[3]) {
  constexpr int kVectors = moments ? 2 : 1;
  RoundedRows rounds;
  RoundedRows::Bits rounded[kVectors][4];
#pragma GCC unroll 2
  for (int k = 0; k < kVectors; ++k) {
    const V(&value)[3] = k == 0 ? f : m;
    Half::N row[4];
    transpose_four(
        {four_doubles<First>(value[0]), four_doubles<First>(value[1]), four_doubles<First>(value[2])}, row);
#pragma GCC unroll 4
    for (int l = 0; l < 4; ++l) {
      const LoadSum& sum = sums[nodes[First + l]];
      rounded[k][l] = rounds(row[l], k == 0 ? sum.force.scale : sum.moment.scale);
    }
  }
  if (!rounds.all_fit()) return false;
#pragma GCC unroll 4
  for (int l = 0; l < 4; ++l)
#pragma GCC unroll 2
    for (int k = 0; k < kVectors; ++k) {
      parallel::FixedVector& sum = k == 0 ? sums[nodes[First + l]].force : sums[nodes[First + l]].moment;
      RoundedRows::Bits left;
      static_assert(sizeof left == sizeof sum);
      std::memcpy(&left, &sum, sizeof left);
      left = RoundedRows::subtracted(left, rounded[k][l]);
      std::memcpy(&sum, &left, sizeof left);
    }
  return true;
}

/// Lane by lane from `first`, for `count` lanes.
template <class V>
[[gnu::noinline]] void subtract_each(LoadSum* sums, const std::int32_t* nodes, const V (&f)[3],
                                     const V (&m)[3], bool moments, simd::mask_t<V> active, int first,
                                     int count) {
  for (int l = first; l < first + count; ++l) {
    if (!simd::lane(active, l)) continue;
    LoadSum& sum = sums[nodes[l]];
    const auto subtract = [l](parallel::FixedVector& from, const V(&value)[3]) {
      for (int i = 0; i < 3; ++i)
        from.sum[i] = parallel::minus(
            from.sum[i], parallel::to_fixed(static_cast<double>(simd::lane(value[i], l)), from.scale));
    };
    subtract(sum.force, f);
    if (moments) subtract(sum.moment, m);
  }
}

template <class V>
inline constexpr bool has_lines_v = simd::rounds_v<Line>&& simd::rounds_v<Half>&& simd::width_v<V> >= 8;

#ifdef __AVX2__
template <class V>
inline constexpr bool has_fours_v = simd::width_v<V> >= 4;
#else  // integers of 64 bits in halves of such registers cost more than they save
template <class V>
inline constexpr bool has_fours_v = false;
#endif

/// Node by node; `moment_on(a)` are the moments on node a, zero without `moments`.
template <bool moments, class V, int N, class MomentOn>
[[gnu::always_inline]] inline void subtract_at_nodes(LoadSum* sums, const std::int32_t* nodes,
                                                     const V (&f)[N][3], MomentOn moment_on,
                                                     simd::mask_t<V> active) {
  const bool all = simd::all(active);
  for (int a = 0; a < N; ++a) {
    const std::int32_t* of_node = nodes + a * kLanes;
    if constexpr (has_lines_v<V>) {
      subtract_lines<moments, 0>(sums, of_node, f[a], moment_on(a), all, active);
      if constexpr (simd::width_v<V> == 16)
        subtract_lines<moments, 8>(sums, of_node, f[a], moment_on(a), all, active);
    } else if constexpr (has_fours_v<V>) {
      if (!all || !subtract_four<moments, 0>(sums, of_node, f[a], moment_on(a)))
        subtract_each(sums, of_node, f[a], moment_on(a), moments, active, 0, 4);
      if constexpr (simd::width_v<V> == 8)
        if (!all || !subtract_four<moments, 4>(sums, of_node, f[a], moment_on(a)))
          subtract_each(sums, of_node, f[a], moment_on(a), moments, active, 4, 4);
    } else {
      subtract_each(sums, of_node, f[a], moment_on(a), moments, active, 0, simd::width_v<V>);
    }
  }
}

}  // namespace lanes

/// Subtract the forces f[a] and moments m[a] on node a of every lane in `active`; other lanes may hold
/// anything.
template <class V, int N>
inline void scatter_subtract(LoadSum* sums, const std::int32_t* nodes, const V (&f)[N][3], const V (&m)[N][3],
                             simd::mask_t<V> active) {
  lanes::subtract_at_nodes<true>(
      sums, nodes, f, [&](int a) -> const V(&)[3] { return m[a]; }, active);
}

/// The same for elements without moments.
template <class V, int N>
inline void scatter_subtract(LoadSum* sums, const std::int32_t* nodes, const V (&f)[N][3],
                             simd::mask_t<V> active) {
  const V none[3] = {V(0), V(0), V(0)};
  lanes::subtract_at_nodes<false>(
      sums, nodes, f, [&](int) -> const V(&)[3] { return none; }, active);
}

/// energy[l] += increment of every lane in `active`; energies are double in both precisions.
template <class V>
inline void add_energy(double* energy, V increment, simd::mask_t<V> active) {
  constexpr int W = simd::width_v<V>;
  const V counted = simd::select(active, increment, V(0));
  if constexpr (W >= 8 && simd::holds_v<double, 8>) {
    using D = simd::Vec<double, 8>;
    for (int l = 0; l < W; l += 8)
      simd::store(energy + l, simd::load<D>(energy + l) + simd::widen(counted, l));
  } else if constexpr (W >= 4 && simd::holds_v<double, 4>) {
    using D = simd::Vec<double, 4>;
    simd::store(energy, simd::load<D>(energy) + D(lanes::four_doubles<0>(counted)));
    if constexpr (W == 8)
      simd::store(energy + 4, simd::load<D>(energy + 4) + D(lanes::four_doubles<4>(counted)));
  } else {
    for (int l = 0; l < W; ++l) energy[l] += static_cast<double>(simd::lane(counted, l));
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
