// A sum of doubles that is exact, so that it does not depend on the order of its terms.
//
// A long fixed-point accumulator over the whole range of double (Kulisch and Miranker 1981), in 64-bit
// words that each carry a 32-bit digit and its pending carries, so that 2^30 terms can be added before
// carries must be propagated. Many terms at once are first added in doubles on a grid so coarse that nothing
// is rounded; their remainders are then added on a finer grid (Rump, Ogita and Oishi 2008, "Accurate
// floating-point summation", part I).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "parallel/communicator.hpp"

namespace crumple::parallel {

class ExactSum {
 public:
  /// Add one term. A NaN or infinity is remembered and makes the value NaN.
  void add(double term);
  void add(const ExactSum& other);
  ExactSum& operator+=(double term) { return add(term), *this; }
  /// The sum rounded to double, the same for the same terms in any order.
  double value() const;

  /// Propagate carries, so that the words of some billion sums can be added as integers.
  void carry();

  /// Replace each accumulator by the sum over all ranks. Collective.
  static void reduce(const Communicator& comm, std::span<ExactSum> sums);

 private:
  friend class CollectedSum;
  static constexpr std::size_t kBlock = 256;  ///< terms that are added together
  static constexpr int kDigits = 71;          ///< 32 bits each, from 2^-1152
  struct alignas(16) Block {
    std::array<double, kBlock> term;
  };
  void add_block(Block& block, std::size_t n);
  std::array<std::int64_t, kDigits> digit_{};
  std::int64_t terms_ = 0;
  std::int64_t invalid_ = 0;
};

/// An exact sum whose terms come one by one and are added in blocks.
class CollectedSum {
 public:
  CollectedSum& operator+=(double term) {
    block_.term[n_] = term;
    if (++n_ == ExactSum::kBlock) flush();
    return *this;
  }
  /// Sum of all terms so far.
  const ExactSum& sum() { return flush(), sum_; }

 private:
  void flush() {
    sum_.add_block(block_, n_);
    n_ = 0;
  }
  ExactSum::Block block_;
  std::size_t n_ = 0;
  ExactSum sum_;
};

}  // namespace crumple::parallel
