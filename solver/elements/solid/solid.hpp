// Properties of all solids that the drivers ask for.
#pragma once

#include "elements/element.hpp"
#include "elements/solid/layout.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// See element.hpp.
struct Solid {
  static constexpr bool rotations = false, prefetches = true, drilling = false, only_step_at_start = true;
  static int variables(const GroupParameters& group) { return solid::n_variables(group); }
  /// All variables except points and hourglass stresses, which are prefetched where they are used.
  template <class V>
  [[gnu::always_inline]] static void prefetch(const GroupParameters&, const StateBefore<V>& before) {
    before.prefetch(0, solid::kPoints);
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
