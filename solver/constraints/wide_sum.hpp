// A 128-bit fixed-point sum: independent of order, with a large range, and cheap enough for every node and
// step.
#pragma once

#include <cmath>
#include <cstdint>

#include "parallel/exact_sum.hpp"
#include "parallel/fixed_point.hpp"

namespace crumple::constraints {

/// Sum of terms that are each rounded to a multiple of 1 / scale; scale is a power of two.
class WideSum {
 public:
  explicit WideSum(double scale = 1.0) : scale_(scale) {}

  void add(double term) {
    const double scaled = term * scale_;
    if (std::abs(scaled) < 0x1p62) {  // one instruction, while 128 bits need a function call
      sum_ += parallel::to_fixed(term, scale_);
    } else if (std::abs(scaled) < 0x1p100) {
      sum_ += static_cast<Int128>(std::nearbyint(scaled));
    } else {
      ++invalid_;  // not finite, or much too large
    }
  }

  /// Add terms that were summed before, as to_fixed gives them at this scale.
  void add_fixed(std::int64_t sum) { sum_ += sum; }

  /// Add another sum of the same scale.
  void add(const WideSum& other) {
    sum_ += other.sum_;
    invalid_ += other.invalid_;
  }

  /// Terms that were not finite or too large to be counted.
  std::int64_t invalid() const { return invalid_; }

  /// Two words that may be added over up to 2^14 ranks, and back.
  std::int64_t high() const { return static_cast<std::int64_t>(sum_ >> kSplit); }
  std::int64_t low() const { return static_cast<std::int64_t>(sum_ & ((Int128{1} << kSplit) - 1)); }
  static double value(std::int64_t high, std::int64_t low, double scale) {
    return static_cast<double>((static_cast<Int128>(high) << kSplit) + low) / scale;
  }

  /// Move the sum, without rounding, into `total`; NaN if a term was invalid.
  void flush_to(parallel::ExactSum& total) {
    constexpr int kPart = 50;  // bits that a double holds exactly
    Int128 rest = sum_;
    double weight = 1.0 / scale_;
    for (int k = 0; k < 2; ++k) {
      const Int128 upper = rest >> kPart;
      total += static_cast<double>(rest - (upper << kPart)) * weight;
      weight *= 0x1p50;
      rest = upper;
    }
    total += static_cast<double>(rest) * weight;  // the sign, and at most 28 bits
    if (invalid_ != 0) total += std::nan("");
    sum_ = 0;
    invalid_ = 0;
  }

 private:
  __extension__ using Int128 = __int128;
  static constexpr int kSplit = 48;
  Int128 sum_ = 0;
  std::int64_t invalid_ = 0;
  double scale_;
};

}  // namespace crumple::constraints
