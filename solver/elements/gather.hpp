// Brings nodal vectors into SIMD lanes.
//
// A node's three components are one load of four values, of which the last is dropped; they become components
// by lanes in registers. (Stored one by one they would have to leave the store buffer before a vector of them
// could be loaded.) The load reads 8 bytes beyond a node: arrays must be AlignedVectors.
//
// Differences are taken in double, before they are rounded to the kernel's precision: a float kernel then
// loses nothing when a model lies far from the origin or moves fast as a whole.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

namespace lanes {

using Row = simd::native_t<double, 4>;  ///< x, y, z, and what comes next in memory

inline Row row(const Vec3& v) {
  Row r;
  std::memcpy(&r, &v, sizeof r);
  return r;
}

/// In each group of four values, those at Pick of the two groups of a (0 to 3) and b (4 to 7).
template <int... Pick, class N>
[[gnu::always_inline]] inline N mix(N a, N b) {
  constexpr int pick[4] = {Pick...};
  constexpr int width = sizeof(N) / sizeof(a[0]);
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return __builtin_shufflevector(a, b, ((I & ~3) + (pick[I & 3] & 3) + (pick[I & 3] & 4 ? width : 0))...);
  }
  (std::make_integer_sequence<int, width>{});
}

template <class N>
[[gnu::always_inline]] inline auto append(N a, N b) {
  constexpr int width = sizeof(N) / sizeof(a[0]);
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return __builtin_shufflevector(a, b, I...);
  }
  (std::make_integer_sequence<int, 2 * width>{});
}

/// Registers of double rows: those of lanes `first` and `first + 2` where there is room for two.
template <int W, class RowOf>
[[gnu::always_inline]] inline auto double_rows(RowOf row, int first) {
  if constexpr (W == 8)
    return append(row(first), row(first + 2));
  else
    return row(first);
}

/// Registers of float rows: those of lanes `first`, `first + 4` and so on.
template <int W, class RowOf>
[[gnu::always_inline]] inline auto float_rows(RowOf row, int first) {
  if constexpr (W == 4)
    return __builtin_convertvector(row(first), simd::native_t<float, 4>);
  else if constexpr (W == 8)
    return __builtin_convertvector(append(row(first), row(first + 4)), simd::native_t<float, 8>);
  else
    return append(float_rows<8>(row, first), float_rows<8>(row, first + 8));
}

/// Components by lanes of `row(l)`, the vector of lane l.
template <class V, class RowOf>
[[gnu::always_inline]] inline void transpose(RowOf row, V (&out)[3]) {
  using T = simd::scalar_t<V>;
  constexpr int W = simd::width_v<V>;
  if constexpr (W == 1) {
    for (int k = 0; k < 3; ++k) out[k] = static_cast<T>(row(0)[k]);
  } else if constexpr (sizeof(T) == 4) {
    const auto a = float_rows<W>(row, 0), b = float_rows<W>(row, 1);
    const auto c = float_rows<W>(row, 2), d = float_rows<W>(row, 3);
    const auto xy = mix<0, 4, 1, 5>(a, b), xy_next = mix<0, 4, 1, 5>(c, d);
    out[0] = V(mix<0, 1, 4, 5>(xy, xy_next));
    out[1] = V(mix<2, 3, 6, 7>(xy, xy_next));
    out[2] = V(mix<0, 1, 4, 5>(mix<2, 6, 3, 7>(a, b), mix<2, 6, 3, 7>(c, d)));
  } else if constexpr (W == 2) {
    const Row a = row(0), b = row(1);
    out[0] = V(__builtin_shufflevector(a, b, 0, 4));
    out[1] = V(__builtin_shufflevector(a, b, 1, 5));
    out[2] = V(__builtin_shufflevector(a, b, 2, 6));
  } else {
    const auto a = double_rows<W>(row, 0), b = double_rows<W>(row, 1);
    const auto c = double_rows<W>(row, W / 2), d = double_rows<W>(row, W / 2 + 1);
    const auto xz = mix<0, 4, 2, 6>(a, b), xz_next = mix<0, 4, 2, 6>(c, d);
    const auto y = mix<1, 5, 3, 7>(a, b), y_next = mix<1, 5, 3, 7>(c, d);
    if constexpr (W == 4) {
      out[0] = V(mix<0, 1, 4, 5>(xz, xz_next));
      out[1] = V(mix<0, 1, 4, 5>(y, y_next));
      out[2] = V(mix<2, 3, 6, 7>(xz, xz_next));
    } else {
      out[0] = V(__builtin_shufflevector(xz, xz_next, 0, 1, 4, 5, 8, 9, 12, 13));
      out[1] = V(__builtin_shufflevector(y, y_next, 0, 1, 4, 5, 8, 9, 12, 13));
      out[2] = V(__builtin_shufflevector(xz, xz_next, 2, 3, 6, 7, 10, 11, 14, 15));
    }
  }
}

}  // namespace lanes

/// The vectors of a node of W elements; `nodes` points at its first lane.
template <class V>
inline void gather_vectors(const Vec3* array, const std::int32_t* nodes, V (&out)[3]) {
  lanes::transpose([=](int l) { return lanes::row(array[nodes[l]]); }, out);
}

/// Differences of the vectors of N nodes from that of the first; `nodes` points at the first lane of node 0.
template <class V, int N>
inline void gather_relative(const Vec3* array, const std::int32_t* nodes, V (&out)[N][3]) {
  for (int k = 0; k < 3; ++k) out[0][k] = V(0);
  if constexpr (sizeof(simd::scalar_t<V>) == 8) {
    V first[3];
    gather_vectors(array, nodes, first);
    for (int a = 1; a < N; ++a) {
      gather_vectors(array, nodes + a * kLanes, out[a]);
      for (int k = 0; k < 3; ++k) out[a][k] = out[a][k] - first[k];
    }
  } else {
    lanes::Row first[simd::width_v<V>];
    for (int l = 0; l < simd::width_v<V>; ++l) first[l] = lanes::row(array[nodes[l]]);
    for (int a = 1; a < N; ++a)
      lanes::transpose([&](int l) { return lanes::row(array[nodes[a * kLanes + l]]) - first[l]; }, out[a]);
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
