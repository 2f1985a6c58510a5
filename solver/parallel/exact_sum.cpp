// Digits, carries and rounding of the long accumulator.
#include "parallel/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace crumple::parallel {

namespace {
constexpr int kLowest = -1152;  // exponent of digit 0: below the mantissa of the least denormal
constexpr std::int64_t kBase = std::int64_t{1} << 32;
constexpr std::int64_t kDigit = kBase - 1;
constexpr int kExponentOnes = 0x7ff;

// On a grid of 2^(e - 44), terms below 2^e are integers of 45 bits, so that 2^8 of them add without rounding.
constexpr int kGridBits = 44;
constexpr double kLeast = 0x1p-800,
                 kMost = 0x1p900;  ///< limit of the largest term, so that grids are normal numbers
constexpr int kFinest = -950;

using Pair [[gnu::vector_size(16), gnu::may_alias]] = double;
using PairBits [[gnu::vector_size(16)]] = std::int64_t;

Pair magnitude(Pair a) { return (Pair)((PairBits)a & INT64_MAX); }
Pair larger(Pair a, Pair b) { return a < b ? b : a; }
/// All terms are zero: their magnitudes have no bit set.
bool are_zero(PairBits bits) { return ((bits[0] | bits[1]) & INT64_MAX) == 0; }
/// The largest magnitude; NaN is left out. `bits` gets the bits of all terms.
double largest(const Pair* terms, std::size_t n, PairBits& bits) {
  Pair most{};
  for (std::size_t k = 0; k < n; ++k) {
    most = larger(most, magnitude(terms[k]));
    bits |= (PairBits)terms[k];
  }
  return std::max(most[0], most[1]);
}
}  // namespace

void ExactSum::add(double term) {
  if (term == 0.0) return;
  const auto bits = std::bit_cast<std::uint64_t>(term);
  const int exponent = static_cast<int>(bits >> 52 & kExponentOnes);
  if (exponent == kExponentOnes) {  // infinity or NaN
    ++invalid_;
    return;
  }
  constexpr std::int64_t hidden = std::int64_t{1} << 52;
  const auto fraction = static_cast<std::int64_t>(bits & (hidden - 1));
  const std::int64_t magnitude = exponent > 0 ? fraction | hidden : fraction;  // times 2^(exponent - 1075)
  const std::int64_t sign = term < 0 ? -1 : 1;
  const int position = std::max(exponent, 1) - 1075 - kLowest;
  const int first = position / 32, shift = position % 32;
  const std::int64_t low = (magnitude & kDigit) << shift, high = (magnitude >> 32) << shift;
  digit_[first] += sign * (low & kDigit);
  digit_[first + 1] += sign * ((low >> 32) + (high & kDigit));
  digit_[first + 2] += sign * (high >> 32);
  if (++terms_ == (std::int64_t{1} << 29)) carry();
}

/// Grid after grid, until nothing is left of the first `n` terms. A NaN makes the sum NaN.
void ExactSum::add_block(Block& block, std::size_t n) {
  auto* const rest = reinterpret_cast<Pair*>(block.term.data());
  while (n % 4 != 0) block.term[n++] = 0.0;
  const std::size_t pairs = n / 2;
  PairBits left{};
  const double size = largest(rest, pairs, left);
  if (size > kLeast && size < kMost)
    for (int grid = std::ilogb(size) + 1 - kGridBits; grid > kFinest && !are_zero(left); grid -= kGridBits) {
      const double to_grid = std::ldexp(1.5, 52 + grid);
      Pair sum[2] = {};  // two sums in parallel: each addition waits for the one before
      left = PairBits{};
      for (std::size_t k = 0; k < pairs; k += 2)
        for (const std::size_t i : {0, 1}) {
          const Pair on_grid = (rest[k + i] + to_grid) - to_grid;
          sum[i] += on_grid;
          rest[k + i] -= on_grid;
          left |= (PairBits)rest[k + i];
        }
      sum[0] += sum[1];
      add(sum[0][0] + sum[0][1]);
      if (invalid_ > 0) return;
    }
  if (are_zero(left)) return;
  for (std::size_t k = 0; k < n; ++k) add(block.term[k]);
}

void ExactSum::add(const ExactSum& other) {
  ExactSum o = other;
  o.carry();
  carry();
  for (int k = 0; k < kDigits; ++k) digit_[k] += o.digit_[k];
  invalid_ += o.invalid_;
  carry();
}

void ExactSum::carry() {
  std::int64_t c = 0;
  for (int k = 0; k + 1 < kDigits; ++k) {
    const std::int64_t v = digit_[k] + c;
    c = v >> 32;  // floor
    digit_[k] = v - c * kBase;
  }
  digit_[kDigits - 1] += c;
  terms_ = 0;
}

double ExactSum::value() const {
  if (invalid_ > 0) return std::numeric_limits<double>::quiet_NaN();
  ExactSum s = *this;
  s.carry();
  const bool negative = s.digit_[kDigits - 1] < 0;
  if (negative) {
    for (auto& d : s.digit_) d = -d;
    s.carry();
  }
  double sum = 0.0;  // from the top: all digits are non-negative now, a fixed order, one result
  for (int k = kDigits - 1; k >= 0; --k)
    if (s.digit_[k] != 0) sum += std::ldexp(static_cast<double>(s.digit_[k]), kLowest + 32 * k);
  return negative ? -sum : sum;
}

void ExactSum::reduce(const Communicator& comm, std::span<ExactSum> sums) {
  if (comm.size() == 1) {
    for (ExactSum& sum : sums) sum.carry();
    return;
  }
  constexpr int stride = kDigits + 1;
  std::vector<std::int64_t> words(sums.size() * stride);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i].carry();
    std::copy(sums[i].digit_.begin(), sums[i].digit_.end(), words.begin() + i * stride);
    words[i * stride + kDigits] = sums[i].invalid_;
  }
  if (!words.empty()) comm.sum(words);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::copy_n(words.begin() + i * stride, kDigits, sums[i].digit_.begin());
    sums[i].invalid_ = words[i * stride + kDigits];
    sums[i].carry();
  }
}

}  // namespace crumple::parallel
