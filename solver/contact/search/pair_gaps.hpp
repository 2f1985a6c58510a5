// Which candidates of a node may be within reach now.
#pragma once

#include <limits>

#include "contact/search/segments.hpp"

namespace crumple::contact {

/// Calls `visit(pair)` for the pairs whose gap is not above `moved`, in their order.
///
/// @param pairs a span of Pair or const Pair
/// @returns the least gap of the others; the largest float if there are none
template <class Pairs, class Visit>
[[gnu::always_inline]] inline float visit_near(Pairs pairs, double moved, Visit visit) {
  float least = std::numeric_limits<float>::max();
  for (auto& pair : pairs) {
    if (static_cast<double>(pair.gap) > moved)
      least = pair.gap < least ? pair.gap : least;
    else
      visit(pair);
  }
  return least;
}

}  // namespace crumple::contact
