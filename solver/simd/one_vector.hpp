// One vector of the processor, or a plain number: Vec<T, W>, masks, load, gather, select.
//
// A part of vec.hpp, which says what kernels may use.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "simd/instruction_set.hpp"
#include "simd/x86.hpp"

#ifndef CRUMPLE_ISA
#define CRUMPLE_ISA baseline
#endif

namespace crumple::simd {
inline namespace CRUMPLE_ISA {

template <class T>
struct int_of;
template <>
struct int_of<double> {
  using type = std::int64_t;
};
template <>
struct int_of<float> {
  using type = std::int32_t;
};
template <class T>
using int_of_t = typename int_of<T>::type;

template <class T, int W>
struct native {
  typedef T type __attribute__((vector_size(W * sizeof(T))));
};
template <class T, int W>
using native_t = typename native<T, W>::type;

/// W lanes of truth values belonging to Vec<T, W>: a bit each where the processor has registers for that,
/// else a vector whose lanes are 0 or -1.
template <class T, int W, bool registers = detail::X86<T, W>::mask_registers>
struct Mask {
  using X86 = detail::X86<T, W>;
  typename X86::Bits n;

  friend Mask operator&&(Mask a, Mask b) { return {X86::both(a.n, b.n)}; }
  friend Mask operator||(Mask a, Mask b) { return {X86::either(a.n, b.n)}; }
  friend Mask operator!(Mask a) { return {X86::inverted(a.n)}; }
};
template <class T, int W>
struct Mask<T, W, false> {
  native_t<int_of_t<T>, W> n;

  friend Mask operator&&(Mask a, Mask b) { return {a.n & b.n}; }
  friend Mask operator||(Mask a, Mask b) { return {a.n | b.n}; }
  friend Mask operator!(Mask a) { return {~a.n}; }
};

/// W lanes of T with the arithmetic operators.
template <class T, int W>
struct Vec {
  using N = native_t<T, W>;
  N n;

  Vec() = default;
  Vec(N v) : n(v) {}
  Vec(T s) : n(s - N{}) {}  // broadcast; s - 0 is exact
  Vec(int s) : Vec(static_cast<T>(s)) {}
  template <class U>
  requires(std::is_same_v<T, float>&& std::is_same_v<U, double>) Vec(U s) : Vec(static_cast<T>(s)) {}

  Vec& operator+=(Vec b) { return n += b.n, *this; }
  Vec& operator-=(Vec b) { return n -= b.n, *this; }
  Vec& operator*=(Vec b) { return n *= b.n, *this; }
  Vec& operator/=(Vec b) { return n /= b.n, *this; }

  friend Vec operator+(Vec a, Vec b) { return a.n + b.n; }
  friend Vec operator-(Vec a, Vec b) { return a.n - b.n; }
  friend Vec operator*(Vec a, Vec b) { return a.n * b.n; }
  friend Vec operator/(Vec a, Vec b) { return a.n / b.n; }
  friend Vec operator-(Vec a) { return -a.n; }

  using M = Mask<T, W>;
  using X86 = detail::X86<T, W>;
  friend M operator<(Vec a, Vec b) {
    if constexpr (X86::mask_registers)
      return {X86::template compare<detail::kLess>(a.n, b.n)};
    else
      return {a.n < b.n};
  }
  friend M operator<=(Vec a, Vec b) {
    if constexpr (X86::mask_registers)
      return {X86::template compare<detail::kLessOrEqual>(a.n, b.n)};
    else
      return {a.n <= b.n};
  }
  friend M operator==(Vec a, Vec b) {
    if constexpr (X86::mask_registers)
      return {X86::template compare<detail::kEqual>(a.n, b.n)};
    else
      return {a.n == b.n};
  }
  friend M operator!=(Vec a, Vec b) {
    if constexpr (X86::mask_registers)
      return {X86::template compare<detail::kUnequal>(a.n, b.n)};
    else
      return {a.n != b.n};
  }
  friend M operator>(Vec a, Vec b) { return b < a; }
  friend M operator>=(Vec a, Vec b) { return b <= a; }
};

// ---- traits: what a kernel may ask of its V -----------------------------------------------------

template <class V>
struct traits {  // scalar reference
  using scalar = V;
  using mask = bool;
  static constexpr int width = 1;
};
template <class T, int W>
struct traits<Vec<T, W>> {
  using scalar = T;
  using mask = Mask<T, W>;
  static constexpr int width = W;
};
template <class V>
using scalar_t = typename traits<V>::scalar;
template <class V>
using mask_t = typename traits<V>::mask;
template <class V>
inline constexpr int width_v = traits<V>::width;

template <class V>
inline constexpr int parts_v = 1;  ///< plain vectors that V is made of (several.hpp)

// ---- functions on Vec ---------------------------------------------------------------------------

template <class T, int W>
Vec<T, W> select(Mask<T, W> m, Vec<T, W> a, Vec<T, W> b) {
  using X86 = detail::X86<T, W>;
  if constexpr (X86::mask_registers)
    return Vec<T, W>(X86::select(m.n, a.n, b.n));
  else
    return m.n ? a.n : b.n;
}
/// a < b ? a : b, so b where either is NaN.
template <class T, int W>
Vec<T, W> min(Vec<T, W> a, Vec<T, W> b) {
  using X86 = detail::X86<T, W>;
  if constexpr (X86::extremes)
    return Vec<T, W>(X86::min(a.n, b.n));
  else
    return a.n < b.n ? a.n : b.n;
}
/// a > b ? a : b, so b where either is NaN.
template <class T, int W>
Vec<T, W> max(Vec<T, W> a, Vec<T, W> b) {
  using X86 = detail::X86<T, W>;
  if constexpr (X86::extremes)
    return Vec<T, W>(X86::max(a.n, b.n));
  else
    return a.n > b.n ? a.n : b.n;
}
template <class T, int W>
Vec<T, W> abs(Vec<T, W> a) {
  using Bits = native_t<int_of_t<T>, W>;
  return (native_t<T, W>)((Bits)a.n & std::numeric_limits<int_of_t<T>>::max());  // without the sign bit
}
template <class T, int W>
Vec<T, W> sqrt(Vec<T, W> a) {
  Vec<T, W> r;
  for (int i = 0; i < W; ++i) r.n[i] = std::sqrt(a.n[i]);
  return r;
}
template <class T, int W>
bool any(Mask<T, W> m) {
  using X86 = detail::X86<T, W>;
  if constexpr (X86::tests) {
    return X86::any((typename X86::Bits)m.n);
  } else {
    int_of_t<T> r = 0;
    for (int i = 0; i < W; ++i) r |= m.n[i];
    return r != 0;
  }
}
template <class T, int W>
bool all(Mask<T, W> m) {
  using X86 = detail::X86<T, W>;
  if constexpr (X86::tests) {
    return X86::all((typename X86::Bits)m.n);
  } else {
    int_of_t<T> r = -1;
    for (int i = 0; i < W; ++i) r &= m.n[i];
    return r != 0;
  }
}
template <class T, int W>
T lane(Vec<T, W> a, int i) {
  return a.n[i];
}
template <class T, int W>
void set_lane(Vec<T, W>& a, int i, T value) {
  a.n[i] = value;
}
template <class T, int W>
bool lane(Mask<T, W> m, int i) {
  if constexpr (detail::X86<T, W>::mask_registers)
    return m.n >> i & 1;
  else
    return m.n[i] != 0;
}

namespace detail {

/// Lanes [first, first + W) made by `lane_value`, joined from halves in registers: filling a long vector
/// lane by lane makes GCC go through the stack, where its reload waits for all the stores.
template <class T, int W, class F>
native_t<T, W> assemble_lanes(F lane_value, int first) {
  native_t<T, W> r;
  if constexpr (W * sizeof(T) <= 16) {
    for (int i = 0; i < W; ++i) r[i] = lane_value(first + i);
  } else {
    const native_t<T, W / 2> low = assemble_lanes<T, W / 2>(lane_value, first);
    const native_t<T, W / 2> high = assemble_lanes<T, W / 2>(lane_value, first + W / 2);
    [&]<int... I>(std::integer_sequence<int, I...>) { r = __builtin_shufflevector(low, high, I...); }
    (std::make_integer_sequence<int, W>{});
  }
  return r;
}
template <class V, class F>
V assemble(F lane_value) {
  return V(assemble_lanes<scalar_t<V>, width_v<V>>(lane_value, 0));
}

}  // namespace detail

/// W values from consecutive, suitably aligned memory, converted when the memory's type differs.
template <class V, class S>
V load(const S* p) {
  if constexpr (width_v<V> == 1) {
    return static_cast<V>(*p);
  } else if constexpr (!std::is_same_v<S, scalar_t<V>>) {
    return detail::assemble<V>([p](int i) { return static_cast<scalar_t<V>>(p[i]); });
  } else {
    V r;
    for (int i = 0; i < width_v<V>; ++i) r.n[i] = p[i];
    return r;
  }
}
template <class V, class S>
void store(S* p, V a) {
  if constexpr (width_v<V> == 1) {
    *p = static_cast<S>(a);
  } else {
    for (int i = 0; i < width_v<V>; ++i) p[i] = static_cast<S>(a.n[i]);
  }
}
/// Prefetch the cache line at p.
///
/// The empty statement counts as a side effect. Without it GCC takes the function for one that does nothing
/// and drops its calls, even where it is not inlined.
template <class S>
[[gnu::always_inline]] inline void prefetch(const S* p) {
  __builtin_prefetch(p);
  asm volatile("");
}
/// Prefetch the cache line at p into the second-level cache, for data that is used much later. A processor
/// tracks only some twenty lines that are on their way to the first-level cache, and waits when that list is
/// full.
template <class S>
[[gnu::always_inline]] inline void prefetch_far(const S* p) {
  __builtin_prefetch(p, 0, 2);
  asm volatile("");
}
/// base[index[i]] for every lane.
template <class V, class S, class I>
V gather(const S* base, const I* index) {
  if constexpr (width_v<V> == 1) {
    return static_cast<V>(base[*index]);
  } else {
    return detail::assemble<V>([=](int i) { return static_cast<scalar_t<V>>(base[index[i]]); });
  }
}
/// base[lane of index, truncated to an integer]; lanes must be within the table.
template <class V, class S>
V lookup(const S* base, V index) {
  if constexpr (parts_v < V >> 1) {
    return {lookup(base, index.first), lookup(base, index.rest)};
  } else if constexpr (width_v<V> == 1) {
    return static_cast<V>(base[static_cast<std::int32_t>(index)]);
  } else {
    std::int32_t whole[width_v<V>];
    for (int i = 0; i < width_v<V>; ++i) whole[i] = static_cast<std::int32_t>(index.n[i]);
    return gather<V>(base, whole);
  }
}

/// Values of a table that lies in registers, where `picks_v` says that V has `place_among` and `pick`.
inline constexpr int kTableSize = 16;
template <class V>
inline constexpr bool picks_v = detail::X86<scalar_t<V>, width_v<V> / parts_v<V>>::tables;
/// An index into such tables for each lane.
template <class V>
struct Place;
template <class T, int W>
struct Place<Vec<T, W>> {
  native_t<int_of_t<T>, W> n;
};
/// How many of the first n values of an increasing table x has reached.
template <class T, int W>
Place<Vec<T, W>> place_among(const T* values, int n, Vec<T, W> x) {
  using X86 = detail::X86<T, W>;
  Place<Vec<T, W>> place{};
  for (int k = 0; k < n; ++k) {
    const auto reached = (typename X86::Bits)(x >= Vec<T, W>(values[k])).n;
    const auto next = X86::add_one((typename X86::Places)place.n, reached);
    place.n = (native_t<int_of_t<T>, W>)next;
  }
  return place;
}
/// The values at these indices; the table is aligned to a cache line.
template <class T, int W>
Vec<T, W> pick(const T* table, Place<Vec<T, W>> place) {
  using X86 = detail::X86<T, W>;
  return Vec<T, W>(X86::pick(table, (typename X86::Places)place.n));
}

/// Values of a table of rows of four, where `picks_rows_v` says that V has `place_among` and `pick_row`.
template <class V>
inline constexpr bool picks_rows_v = detail::X86<scalar_t<V>, width_v<V> / parts_v<V>>::rows;
template <class V>
struct RowOfFour {
  V a, b, c, d;
};
/// The rows at these indices: one load a lane, turned in registers. The table is aligned to its rows.
template <class T, int W>
RowOfFour<Vec<T, W>> pick_row(const T (*table)[4], Place<Vec<T, W>> place) {
  alignas(sizeof(place)) int_of_t<T> at[W];
  std::memcpy(at, &place, sizeof at);
  native_t<T, W> a, b, c, d;
  detail::X86<T, W>::pick_row(table, at, a, b, c, d);
  return {a, b, c, d};
}

/// Whether V has `rounded`.
template <class V>
inline constexpr bool rounds_v = detail::X86<scalar_t<V>, width_v<V>>::rounds;
/// Nearest integers, INT64_MIN for NaN and overflow.
template <class T, int W>
native_t<std::int64_t, W> rounded(Vec<T, W> a) {
  return (native_t<std::int64_t, W>)detail::X86<T, W>::round(a.n);
}
/// Nearest doubles, the same as a conversion of each gives.
template <int W>
[[gnu::always_inline]] inline native_t<double, W> to_double(native_t<std::int64_t, W> n) {
  if constexpr (rounds_v<Vec<double, W>>) {
    return __builtin_convertvector(n, native_t<double, W>);
  } else {  // the halves of 32 bits lie in mantissas, the upper one as n + 2^63; only the last sum rounds
    using Bits = native_t<std::int64_t, W>;
    using Unsigned = native_t<std::uint64_t, W>;
    const auto shifted = (Bits)((Unsigned)(n ^ INT64_MIN) >> 32);
    const auto high = (native_t<double, W>)(shifted | std::bit_cast<std::int64_t>(0x1p84));
    const auto low = (native_t<double, W>)((n & 0xFFFFFFFF) | std::bit_cast<std::int64_t>(0x1p52));
    return (high - (0x1p84 + 0x1p63 + 0x1p52)) + low;
  }
}
/// Whether W values of T fit in a register. GCC keeps longer vectors in memory and copies them in parts,
/// whose next load has to wait for all of them.
template <class T, int W>
inline constexpr bool holds_v = sizeof(T) * W <= kBytesPerVector;
/// The lanes of a, then those of b.
template <class T, int W>
[[gnu::always_inline]] inline native_t<T, 2 * W> append(native_t<T, W> a, native_t<T, W> b) {
  if constexpr (detail::X86<T, 2 * W>::halves) {
    return detail::X86<T, 2 * W>::joined(a, b);
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return native_t<T, 2 * W>(__builtin_shufflevector(a, b, I...));
    }
    (std::make_integer_sequence<int, 2 * W>{});
  }
}
/// Eight lanes from `first` as doubles.
template <class T, int W>
Vec<double, 8> widen(Vec<T, W> a, int first) {
  static_assert(W == 8 || W == 16);
  if constexpr (std::is_same_v<T, double>) {
    return a;
  } else {
    const native_t<T, 8> low = __builtin_shufflevector(a.n, a.n, 0, 1, 2, 3, 4, 5, 6, 7);
    const native_t<T, 8> high = __builtin_shufflevector(a.n, a.n, 8, 9, 10, 11, 12, 13, 14, 15);
    const native_t<T, 8> half = first == 0 ? low : high;
    if constexpr (detail::X86<T, W>::halves)
      return Vec<double, 8>(detail::X86<T, W>::widen(half));
    else
      return Vec<double, 8>(__builtin_convertvector(half, native_t<double, 8>));
  }
}

/// 1 / x to 27 bits (more than a float has), for intermediate results. Newton's method from an estimate where
/// the processor has one: it leaves the divider free, which serves one vector at a time.
template <class T, int W>
Vec<T, W> coarse_inverse(Vec<T, W> x) {
  using X86 = detail::X86<T, W>;
  if constexpr (X86::estimates) {
    const Vec<T, W> y{X86::inverse(x.n)};
    return y + y * (T(1) - x * y);
  } else {
    return T(1) / x;
  }
}
/// The same within 2 units of the last place for normal x; NaN at 0 and infinity.
template <class T, int W>
Vec<T, W> inverse(Vec<T, W> x) {
  const Vec<T, W> y = coarse_inverse(x);
  constexpr bool complete = !detail::X86<T, W>::estimates || sizeof(T) == 4;
  if constexpr (complete) return y;
  return y + y * (T(1) - x * y);
}
/// 1 / sqrt(x), within 3 units of the last place for positive normal x; NaN at 0 and infinity.
template <class T, int W>
Vec<T, W> inverse_sqrt(Vec<T, W> x) {
  using X86 = detail::X86<T, W>;
  if constexpr (X86::estimates) {
    Vec<T, W> y{X86::inverse_sqrt(x.n)};
    for (int bits = 14; bits < (sizeof(T) == 8 ? 53 : 24); bits *= 2) {
      const Vec<T, W> half = T(0.5) * y;
      y += y * (T(0.5) - x * y * half);
    }
    return y;
  } else {
    return T(1) / sqrt(x);
  }
}

/// Root of a positive normal number, within 3 units of the last place; NaN at 0 and infinity.
template <class T, int W>
Vec<T, W> positive_sqrt(Vec<T, W> x) {
  if constexpr (detail::X86<T, W>::estimates)
    return x * inverse_sqrt(x);
  else
    return sqrt(x);
}

// ---- the same functions on float and double, so that a kernel runs without SIMD -------------------

inline double select(bool m, double a, double b) { return m ? a : b; }
inline float select(bool m, float a, float b) { return m ? a : b; }
inline double min(double a, double b) { return a < b ? a : b; }
inline float min(float a, float b) { return a < b ? a : b; }
inline double max(double a, double b) { return a > b ? a : b; }
inline float max(float a, float b) { return a > b ? a : b; }
inline double abs(double a) { return a < 0 ? -a : a; }
inline float abs(float a) { return a < 0 ? -a : a; }
inline double sqrt(double a) { return std::sqrt(a); }
inline float sqrt(float a) { return std::sqrt(a); }
inline double inverse(double a) { return 1 / a; }
inline float inverse(float a) { return 1 / a; }
inline double coarse_inverse(double a) { return 1 / a; }
inline float coarse_inverse(float a) { return 1 / a; }
inline double inverse_sqrt(double a) { return 1 / std::sqrt(a); }
inline float inverse_sqrt(float a) { return 1 / std::sqrt(a); }
inline double positive_sqrt(double a) { return std::sqrt(a); }
inline float positive_sqrt(float a) { return std::sqrt(a); }
inline bool any(bool m) { return m; }
inline bool all(bool m) { return m; }
inline double lane(double a, int) { return a; }
inline float lane(float a, int) { return a; }
inline bool lane(bool m, int) { return m; }
inline void set_lane(double& a, int, double value) { a = value; }
inline void set_lane(float& a, int, float value) { a = value; }

}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
