// What cohesive laws share: the size of a separation, and tractions with damage.
#pragma once

#include "materials/law.hpp"
#include "simd/vec.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// Squares below it are no separation: no number of a deck is so small.
template <class V>
V no_separation() {
  return V(static_cast<simd::scalar_t<V>>(1e-30));
}

/// The separation as mode I, which only opens, and mode II.
template <class V>
struct Modes {
  V opening;    ///< 0 where the surfaces are pressed together
  V share;      ///< of mode II in the square of the separation, 0 to 1
  V magnitude;  ///< of both together
};

/// Mixed-mode separation of Camanho, Davila and de Moura (2003), eq. 10.
template <class V>
Modes<V> modes_of(const V (&d)[3]) {
  const V along2 = d[0] * d[0] + d[1] * d[1], opening = simd::max(d[2], V(0));
  const V square = simd::max(along2 + opening * opening, no_separation<V>());
  return {opening, along2 * simd::inverse(square), simd::sqrt(square)};
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
