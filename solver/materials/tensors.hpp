// Symmetric tensors of laws and their history variables.
//
// All is inlined always: a product and a sum become one operation only within a function, so bits must not
// depend on what the compiler inlines where laws share a function.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// Rotate a symmetric tensor: a = R a R^T.
template <class V>
[[gnu::always_inline]] inline void rotate(const V (*r)[3], V (&a)[6]) {
  const V full[3][3] = {{a[0], a[3], a[5]}, {a[3], a[1], a[4]}, {a[5], a[4], a[2]}};
  V ra[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) ra[i][j] = r[i][0] * full[0][j] + r[i][1] * full[1][j] + r[i][2] * full[2][j];
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  for (int k = 0; k < 6; ++k) {
    const int i = row[k], j = column[k];
    a[k] = ra[i][0] * r[j][0] + ra[i][1] * r[j][1] + ra[i][2] * r[j][2];
  }
}

template <class V, int N>
[[gnu::always_inline]] inline void load_history(const History<simd::scalar_t<V>>& history, V (&a)[N]) {
  for (int i = 0; i < N; ++i) a[i] = history.template load<V>(i);
}
template <class V, int N>
[[gnu::always_inline]] inline void store_history(const History<simd::scalar_t<V>>& history, const V (&a)[N]) {
  for (int i = 0; i < N; ++i) history.store(i, a[i]);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
