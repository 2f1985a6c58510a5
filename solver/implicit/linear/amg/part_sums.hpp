// Scalar products, added up part by part: the same bits on any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "implicit/linear/parallel_loop.hpp"

namespace crumple::implicit::linear::amg {

inline constexpr std::size_t kNumbersOfPart = 4096;

/// act(begin, end) for each part of n numbers.
template <class Act>
void each_part(std::size_t n, int threads, Act act) {
  const auto parts = static_cast<std::int64_t>((n + kNumbersOfPart - 1) / kNumbersOfPart);
  parallel_loop(parts, threads, [&](std::int64_t part) {
    const auto begin = static_cast<std::size_t>(part) * kNumbersOfPart;
    act(begin, std::min(n, begin + kNumbersOfPart));
  });
}

/// The sum of act(begin, end) over parts.
template <class Act>
double sum_of_parts(std::size_t n, int threads, Act act) {
  std::vector<double> sums((n + kNumbersOfPart - 1) / kNumbersOfPart);
  each_part(n, threads,
            [&](std::size_t begin, std::size_t end) { sums[begin / kNumbersOfPart] = act(begin, end); });
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

/// a . b
inline double part_sum(std::span<const double> a, std::span<const double> b, int threads) {
  return sum_of_parts(a.size(), threads, [&](std::size_t begin, std::size_t end) {
    double sum[4] = {};
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4)
      for (std::size_t k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
    for (; i < end; ++i) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  });
}

}  // namespace crumple::implicit::linear::amg
