// The nodal motion of W shells.
#pragma once

#include "elements/element.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

using simd::scalar_t;
using simd::width_v;

/// Motion of the N nodes of W elements, with their angular velocities.
template <class V, int N>
using Motion = elements::Motion<V, N, true>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
