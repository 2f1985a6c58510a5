// Operations for which GCC makes slow code on x86, written with intrinsics: tests of masks, rounding to
// integers, estimates of 1 / x and 1 / sqrt(x).
//
// Everything here is optional: vec.hpp asks `X86<T, W>` and falls back on its generic loops. Only vec.hpp
// includes this file. There are no gathers on purpose: the instructions were slower than plain loads on the
// processor where they were measured (AMD Zen 4).
#pragma once

#ifndef CRUMPLE_ISA
#define CRUMPLE_ISA baseline
#endif

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace crumple::simd {
inline namespace CRUMPLE_ISA {
namespace detail {

/// Codes of the comparison instructions. For a NaN only kUnequal is true; none raises an exception.
inline constexpr int kEqual = 0, kLess = 17, kLessOrEqual = 18, kUnequal = 4;

/// W lanes of T on this instruction set. Flags say which operations exist. `tests`: `any` and `all`.
/// `rounds`: `round` to the nearest 64-bit integer, INT64_MIN for NaN and overflow. `estimates`: 1 / x and 1
/// / sqrt(x) to 14 bits. `mask_registers`: truth values have registers of their own. `halves`: `joined` of
/// two halves of a register, and for floats `widen` of a half to doubles (in generic vectors GCC 12 makes
/// slow shuffles of joined loads, and seven instructions of a conversion). `tables`: `pick` of values from a
/// table of 16, by integers as wide as T. `rows`: `pick_row` from a table of rows of four. `extremes`: `min`
/// and `max`, for which GCC 12 compares and blends.
template <class T, int W>
struct X86 {
  static constexpr bool tests = false, rounds = false, estimates = false, mask_registers = false,
                        halves = false, tables = false, rows = false, extremes = false;
};

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

template <>
struct X86<double, 8> {
  static constexpr bool tests = true, rounds = true, estimates = true, mask_registers = true, halves = true,
                        tables = true, rows = false, extremes = false;
  using Bits = __mmask8;
  template <int Predicate>
  static Bits compare(__m512d a, __m512d b) {
    return _mm512_cmp_pd_mask(a, b, Predicate);
  }
  static __m512d select(Bits m, __m512d a, __m512d b) { return _mm512_mask_blend_pd(m, b, a); }
  static Bits both(Bits a, Bits b) { return _kand_mask8(a, b); }
  static Bits either(Bits a, Bits b) { return _kor_mask8(a, b); }
  static Bits inverted(Bits a) { return _knot_mask8(a); }
  static bool any(Bits m) { return !_kortestz_mask8_u8(m, m); }
  static bool all(Bits m) { return _kortestc_mask8_u8(m, m); }
  static __m512i round(__m512d v) { return _mm512_cvtpd_epi64(v); }
  static constexpr Bits kAllLanes = -1;  // without a mask GCC 12 gives warnings in its own headers
  static __m512d joined(__m256d low, __m256d high) {
    return _mm512_maskz_insertf64x4(kAllLanes, _mm512_castpd256_pd512(low), high, 1);
  }
  static __m512d inverse(__m512d v) { return _mm512_mask_rcp14_pd(v, kAllLanes, v); }
  static __m512d inverse_sqrt(__m512d v) { return _mm512_mask_rsqrt14_pd(v, kAllLanes, v); }
  using Places = __m512i;
  static Places add_one(Places n, Bits where) {
    return _mm512_mask_add_epi64(n, where, n, _mm512_set1_epi64(1));
  }
  static __m512d pick(const double* table, Places place) {
    return _mm512_permutex2var_pd(_mm512_load_pd(table), place, _mm512_load_pd(table + 8));
  }
};

template <>
struct X86<double, 4> {
  static constexpr bool tests = false, rounds = true, estimates = false, mask_registers = false,
                        halves = false, tables = false, rows = false, extremes = false;
  static __m256i round(__m256d v) { return _mm256_cvtpd_epi64(v); }
};

template <>
struct X86<float, 16> {
  static constexpr bool tests = true, rounds = false, estimates = true, mask_registers = true, halves = true,
                        tables = true, rows = false, extremes = false;
  using Bits = __mmask16;
  template <int Predicate>
  static Bits compare(__m512 a, __m512 b) {
    return _mm512_cmp_ps_mask(a, b, Predicate);
  }
  static __m512 select(Bits m, __m512 a, __m512 b) { return _mm512_mask_blend_ps(m, b, a); }
  static Bits both(Bits a, Bits b) { return _kand_mask16(a, b); }
  static Bits either(Bits a, Bits b) { return _kor_mask16(a, b); }
  static Bits inverted(Bits a) { return _knot_mask16(a); }
  static bool any(Bits m) { return !_kortestz_mask16_u8(m, m); }
  static bool all(Bits m) { return _kortestc_mask16_u8(m, m); }
  static constexpr Bits kAllLanes = -1;
  static __m512 joined(__m256 low, __m256 high) {
    return _mm512_maskz_insertf32x8(kAllLanes, _mm512_castps256_ps512(low), high, 1);
  }
  static __m512d widen(__m256 v) { return _mm512_maskz_cvtps_pd(__mmask8(kAllLanes), v); }
  static __m512 inverse(__m512 v) { return _mm512_mask_rcp14_ps(v, kAllLanes, v); }
  static __m512 inverse_sqrt(__m512 v) { return _mm512_mask_rsqrt14_ps(v, kAllLanes, v); }
  using Places = __m512i;
  static Places add_one(Places n, Bits where) {
    return _mm512_mask_add_epi32(n, where, n, _mm512_set1_epi32(1));
  }
  static __m512 pick(const float* table, Places place) {
    return _mm512_maskz_permutexvar_ps(kAllLanes, place, _mm512_load_ps(table));
  }
};

#elif defined(__AVX2__)

template <>
struct X86<double, 4> {
  static constexpr bool tests = true, rounds = false, estimates = false, mask_registers = false,
                        halves = false, tables = false, rows = true, extremes = true;
  using Bits = __m256i;
  static bool any(Bits m) { return _mm256_movemask_pd(_mm256_castsi256_pd(m)) != 0; }
  static bool all(Bits m) { return _mm256_movemask_pd(_mm256_castsi256_pd(m)) == 0xf; }
  static __m256d min(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
  static __m256d max(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
  using Places = __m256i;
  static Places add_one(Places n, Bits where) { return _mm256_sub_epi64(n, where); }
  template <class N>
  static void pick_row(const double (*table)[4], const long* at, N& a, N& b, N& c, N& d) {
    const __m256d r0 = _mm256_load_pd(table[at[0]]), r1 = _mm256_load_pd(table[at[1]]);
    const __m256d r2 = _mm256_load_pd(table[at[2]]), r3 = _mm256_load_pd(table[at[3]]);
    const __m256d ac = _mm256_unpacklo_pd(r0, r1), bd = _mm256_unpackhi_pd(r0, r1);
    const __m256d ac_next = _mm256_unpacklo_pd(r2, r3), bd_next = _mm256_unpackhi_pd(r2, r3);
    a = _mm256_permute2f128_pd(ac, ac_next, 0x20), c = _mm256_permute2f128_pd(ac, ac_next, 0x31);
    b = _mm256_permute2f128_pd(bd, bd_next, 0x20), d = _mm256_permute2f128_pd(bd, bd_next, 0x31);
  }
};

template <>
struct X86<float, 8> {
  static constexpr bool tests = true, rounds = false, estimates = false, mask_registers = false,
                        halves = false, tables = false, rows = true, extremes = true;
  using Bits = __m256i;
  static bool any(Bits m) { return _mm256_movemask_ps(_mm256_castsi256_ps(m)) != 0; }
  static bool all(Bits m) { return _mm256_movemask_ps(_mm256_castsi256_ps(m)) == 0xff; }
  static __m256 min(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
  static __m256 max(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
  using Places = __m256i;
  static Places add_one(Places n, Bits where) { return _mm256_sub_epi32(n, where); }
  template <class N>
  static void pick_row(const float (*table)[4], const int* at, N& a, N& b, N& c, N& d) {
    // A register has the rows of lanes k and k + 4.
    const auto two = [&](int k) {
      return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(table[at[k]])),
                                  _mm_load_ps(table[at[k + 4]]), 1);
    };
    const __m256 r0 = two(0), r1 = two(1), r2 = two(2), r3 = two(3);
    const __m256 ab = _mm256_unpacklo_ps(r0, r1), ab_next = _mm256_unpacklo_ps(r2, r3);
    const __m256 cd = _mm256_unpackhi_ps(r0, r1), cd_next = _mm256_unpackhi_ps(r2, r3);
    a = _mm256_shuffle_ps(ab, ab_next, 0x44), b = _mm256_shuffle_ps(ab, ab_next, 0xee);
    c = _mm256_shuffle_ps(cd, cd_next, 0x44), d = _mm256_shuffle_ps(cd, cd_next, 0xee);
  }
};

#elif defined(__SSE2__)

template <>
struct X86<double, 2> {
  static constexpr bool tests = true, rounds = false, estimates = false, mask_registers = false,
                        halves = false, tables = false, rows = false, extremes = true;
  using Bits = __m128i;
  static bool any(Bits m) { return _mm_movemask_pd(_mm_castsi128_pd(m)) != 0; }
  static bool all(Bits m) { return _mm_movemask_pd(_mm_castsi128_pd(m)) == 0x3; }
  static __m128d min(__m128d a, __m128d b) { return _mm_min_pd(a, b); }
  static __m128d max(__m128d a, __m128d b) { return _mm_max_pd(a, b); }
};

template <>
struct X86<float, 4> {
  static constexpr bool tests = true, rounds = false, estimates = false, mask_registers = false,
                        halves = false, tables = false, rows = false, extremes = true;
  using Bits = __m128i;
  static bool any(Bits m) { return _mm_movemask_ps(_mm_castsi128_ps(m)) != 0; }
  static bool all(Bits m) { return _mm_movemask_ps(_mm_castsi128_ps(m)) == 0xf; }
  static __m128 min(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
  static __m128 max(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
};

#endif

}  // namespace detail
}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
