// Brings nodal vectors into SIMD lanes.
//
// A node's three components are one load of four values; the last is dropped. Rows are transposed to lanes in
// registers. (If they were stored one by one, the load of a vector would have to wait for the store buffer.)
// The load reads 8 bytes beyond a node: arrays must be AlignedVectors.
//
// Differences are taken in double, before they are rounded to the kernel's precision. So a float kernel loses
// no digits when a model is far from the origin or moves fast as a whole.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

namespace lanes {

using Row = simd::native_t<double, 4>;  ///< x, y, z, and the next value in memory

/// In each group of four: the values number Pick of the groups of a (0 to 3) and b (4 to 7).
template <int... Pick, class N>
[[gnu::always_inline]] inline N mix(N a, N b) {
  constexpr int pick[4] = {Pick...};
  constexpr int width = sizeof(N) / sizeof(a[0]);
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return __builtin_shufflevector(a, b, ((I & ~3) + (pick[I & 3] & 3) + (pick[I & 3] & 4 ? width : 0))...);
  }
  (std::make_integer_sequence<int, width>{});
}

/// The nodal vectors of one corner of W elements, by lanes.
struct Rows {
  const Vec3* array;
  const std::int32_t* nodes;  ///< nodes of the first lane and the next ones

  [[gnu::always_inline]] Row one(int l) const {
    Row r;
    std::memcpy(&r, &array[nodes[l]], sizeof r);
    return r;
  }
  [[gnu::always_inline]] auto two(int l, int m) const { return simd::append<double, 4>(one(l), one(m)); }
};

/// The same relative to rows of an origin.
struct RelativeRows {
  Rows rows;
  const Row* origin;

  [[gnu::always_inline]] Row one(int l) const { return rows.one(l) - origin[l]; }
  [[gnu::always_inline]] auto two(int l, int m) const {
    return rows.two(l, m) - simd::append<double, 4>(origin[l], origin[m]);
  }
};

/// Registers of double rows: of lanes `first` and `first + 2` where a register holds two.
template <int W, class R>
[[gnu::always_inline]] inline auto double_rows(const R& rows, int first) {
  if constexpr (W == 8)
    return rows.two(first, first + 2);
  else
    return rows.one(first);
}

/// Registers of float rows: of lanes `first`, `first + 4` and so on.
template <int W, class R>
[[gnu::always_inline]] inline auto float_rows(const R& rows, int first) {
  if constexpr (W == 4)
    return __builtin_convertvector(rows.one(first), simd::native_t<float, 4>);
  else if constexpr (W == 8 && simd::holds_v<double, 8>)
    return __builtin_convertvector(rows.two(first, first + 4), simd::native_t<float, 8>);
  else if constexpr (W == 8)
    return simd::append<float, 4>(float_rows<4>(rows, first), float_rows<4>(rows, first + 4));
  else
    return simd::append<float, 8>(float_rows<8>(rows, first), float_rows<8>(rows, first + 8));
}

/// Transposes rows to components by lanes.
template <class V, class R>
[[gnu::always_inline]] inline void transpose(const R& rows, V (&out)[3]) {
  using T = simd::scalar_t<V>;
  constexpr int W = simd::width_v<V>;
  if constexpr (W == 1) {
    for (int k = 0; k < 3; ++k) out[k] = static_cast<T>(rows.one(0)[k]);
  } else if constexpr (sizeof(T) == 4) {
    const auto a = float_rows<W>(rows, 0), b = float_rows<W>(rows, 1);
    const auto c = float_rows<W>(rows, 2), d = float_rows<W>(rows, 3);
    const auto xy = mix<0, 4, 1, 5>(a, b), xy_next = mix<0, 4, 1, 5>(c, d);
    out[0] = V(mix<0, 1, 4, 5>(xy, xy_next));
    out[1] = V(mix<2, 3, 6, 7>(xy, xy_next));
    out[2] = V(mix<0, 1, 4, 5>(mix<2, 6, 3, 7>(a, b), mix<2, 6, 3, 7>(c, d)));
  } else if constexpr (W == 2) {
    const Row a = rows.one(0), b = rows.one(1);
    out[0] = V(__builtin_shufflevector(a, b, 0, 4));
    out[1] = V(__builtin_shufflevector(a, b, 1, 5));
    out[2] = V(__builtin_shufflevector(a, b, 2, 6));
  } else {
    const auto a = double_rows<W>(rows, 0), b = double_rows<W>(rows, 1);
    const auto c = double_rows<W>(rows, W / 2), d = double_rows<W>(rows, W / 2 + 1);
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

/// The nodal vectors of one corner of W elements; `nodes` points at its first lane.
template <class V>
inline void gather_vectors(const Vec3* array, const std::int32_t* nodes, V (&out)[3]) {
  lanes::transpose(lanes::Rows{array, nodes}, out);
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
    const lanes::Rows of_first{array, nodes};
    lanes::Row first[simd::width_v<V>];
    for (int l = 0; l < simd::width_v<V>; ++l) first[l] = of_first.one(l);
    for (int a = 1; a < N; ++a)
      lanes::transpose(lanes::RelativeRows{{array, nodes + a * kLanes}, first}, out[a]);
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
