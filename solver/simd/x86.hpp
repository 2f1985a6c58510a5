// What GCC makes poor code of on x86, written with intrinsics: tests of masks, rounding to integers.
//
// Everything here is optional: vec.hpp asks `X86<T, W>` and falls back on its generic loops. Nothing but
// vec.hpp includes this file. Gathers are not here on purpose: the instructions were slower than plain
// loads on the processor where they were measured (AMD Zen 4).
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

/// W lanes of T on this instruction set: `tests` says that `any` and `all` are here, `rounds` that `round`
/// is, to the nearest 64-bit integer, INT64_MIN for NaN and what is too large.
template <class T, int W>
struct X86 {
  static constexpr bool tests = false, rounds = false;
};

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

template <>
struct X86<double, 8> {
  static constexpr bool tests = true, rounds = true;
  using Bits = __m512i;
  static Bits round(__m512d v) { return _mm512_cvtpd_epi64(v); }
  static bool any(Bits m) { return _mm512_movepi64_mask(m) != 0; }
  static bool all(Bits m) { return _mm512_movepi64_mask(m) == 0xff; }
};

template <>
struct X86<float, 16> {
  static constexpr bool tests = true, rounds = false;
  using Bits = __m512i;
  static bool any(Bits m) { return _mm512_movepi32_mask(m) != 0; }
  static bool all(Bits m) { return _mm512_movepi32_mask(m) == 0xffff; }
};

#elif defined(__AVX2__)

template <>
struct X86<double, 4> {
  static constexpr bool tests = true, rounds = false;
  using Bits = __m256i;
  static bool any(Bits m) { return _mm256_movemask_pd(_mm256_castsi256_pd(m)) != 0; }
  static bool all(Bits m) { return _mm256_movemask_pd(_mm256_castsi256_pd(m)) == 0xf; }
};

template <>
struct X86<float, 8> {
  static constexpr bool tests = true, rounds = false;
  using Bits = __m256i;
  static bool any(Bits m) { return _mm256_movemask_ps(_mm256_castsi256_ps(m)) != 0; }
  static bool all(Bits m) { return _mm256_movemask_ps(_mm256_castsi256_ps(m)) == 0xff; }
};

#elif defined(__SSE2__)

template <>
struct X86<double, 2> {
  static constexpr bool tests = true, rounds = false;
  using Bits = __m128i;
  static bool any(Bits m) { return _mm_movemask_pd(_mm_castsi128_pd(m)) != 0; }
  static bool all(Bits m) { return _mm_movemask_pd(_mm_castsi128_pd(m)) == 0x3; }
};

template <>
struct X86<float, 4> {
  static constexpr bool tests = true, rounds = false;
  using Bits = __m128i;
  static bool any(Bits m) { return _mm_movemask_ps(_mm_castsi128_ps(m)) != 0; }
  static bool all(Bits m) { return _mm_movemask_ps(_mm_castsi128_ps(m)) == 0xf; }
};

#endif

}  // namespace detail
}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
