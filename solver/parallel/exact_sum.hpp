// A sum of doubles that is exact, so that it does not depend on the order of its terms.
//
// A long fixed-point accumulator over the whole range of double (Kulisch and Miranker 1981), in 64-bit
// words that each carry a 32-bit digit and its pending carries, so that 2^30 terms can be added before
// carries must be propagated. For scalars that need not be fast: energies, masses, external work.
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

  /// Replace each accumulator by the sum over all ranks. Collective.
  static void reduce(const Communicator& comm, std::span<ExactSum> sums);

 private:
  static constexpr int kDigits = 71;  ///< 32 bits each, from 2^-1152
  void carry();
  std::array<std::int64_t, kDigits> digit_{};
  std::int64_t terms_ = 0;
  std::int64_t invalid_ = 0;
};

}  // namespace crumple::parallel
