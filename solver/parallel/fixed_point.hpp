// Order-free sums: forces are added as 64-bit fixed-point numbers whose scale comes from the model.
//
// Integer addition is associative, so a nodal force is the same bits whatever the order of elements,
// threads or ranks. The scale of a node is a power of two (multiplying by it is exact) chosen from the
// stiffest element at the node: see state/assembly.cpp. A typical elastic limit force keeps 48 bits or so;
// 14 bits remain as headroom, and a sum beyond `kOverflow` is reported as a runaway, never wrapped
// silently. (The idea is old: Demmel and Nguyen 2013, "Fast reproducible floating-point summation",
// survey it; fixed point is its cheapest form when bounds are known.)
#pragma once

#include <cmath>
#include <cstdint>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace crumple::parallel {

/// Magnitude beyond which a fixed-point sum counts as overflowed (a NaN converts beyond it, too).
inline constexpr std::int64_t kOverflow = std::int64_t{1} << 61;

/// `value` times the power of two `scale`, to the nearest integer. NaN and overflow give INT64_MIN.
inline std::int64_t to_fixed(double value, double scale) {
#if defined(__x86_64__)
  return _mm_cvtsd_si64(_mm_set_sd(value * scale));  // one instruction, without errno or traps
#else
  const double s = value * scale;
  return std::abs(s) < 9.2e18 ? std::llrint(s) : INT64_MIN;
#endif
}

inline double from_fixed(std::int64_t sum, double scale) { return static_cast<double>(sum) / scale; }

/// a + b and a - b of sums. One that has run away may pass the end of integers before anyone looks at it:
/// then it goes on from the other end.
inline std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

inline bool overflowed(std::int64_t sum) { return sum > kOverflow || sum < -kOverflow; }

}  // namespace crumple::parallel
