// Which candidates of a node may be within reach now: of dozens mostly a few.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "contact/search/segments.hpp"

namespace crumple::contact {

/// Calls `visit(pair)` for the pairs whose gap is not above `moved`, in their order. Four are compared at
/// once.
///
/// @param pairs a span of Pair or const Pair
/// @returns the least gap of the others; the largest float if there are none
template <class Pairs, class Visit>
[[gnu::always_inline]] inline float visit_near(Pairs pairs, double moved, Visit visit) {
  using Four [[gnu::vector_size(16)]] = float;
  using Bits [[gnu::vector_size(16)]] = std::int32_t;
  using Halves [[gnu::vector_size(16)]] = std::int64_t;
  static_assert(sizeof(Pair) == 8);
  constexpr float none = std::numeric_limits<float>::max();
  constexpr std::size_t together = 4;
  auto most = static_cast<float>(moved);
  if (static_cast<double>(most) < moved) most = std::nextafter(most, none);
  const std::size_t n = pairs.size(), whole = n - n % together;
  float least = none;
  Four least_of_four{none, none, none, none};
  const auto look_at = [&](auto& pair) {
    if (static_cast<double>(pair.gap) > moved)
      least = pair.gap < least ? pair.gap : least;
    else
      visit(pair);
  };
  for (std::size_t k = 0; k < whole; k += together) {
    Four a, b;
    std::memcpy(&a, &pairs[k], sizeof a);
    std::memcpy(&b, &pairs[k + 2], sizeof b);
    const Four gap = __builtin_shufflevector(a, b, 1, 3, 5, 7);
    const Halves near = (Halves)(Bits)(gap <= most);
    if ((near[0] | near[1]) == 0)
      least_of_four = gap < least_of_four ? gap : least_of_four;
    else
      for (std::size_t l = k; l < k + together; ++l) look_at(pairs[l]);
  }
  for (std::size_t k = whole; k < n; ++k) look_at(pairs[k]);
  for (int l = 0; l < 4; ++l) least = least_of_four[l] < least ? least_of_four[l] : least;
  return least;
}

}  // namespace crumple::contact
