// Principal values of symmetric tensors, all lanes at once and without branches.
#pragma once

#include "simd/vec.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// The largest and the smallest.
template <class V>
struct PrincipalRange {
  V largest, smallest;
};

/// Principal values of a tensor xx yy zz xy yz zx, by cyclic Jacobi rotations (Jacobi 1846; Golub and Van
/// Loan 2013, section 8.5): t = tan of the angle that makes a_pq zero, the smaller of two. Unlike closed
/// forms, this is exact to rounding also where two values are equal. Convergence is quadratic; five sweeps
/// are more than enough.
template <class V>
PrincipalRange<V> principal_range(const V (&a)[6]) {
  V diagonal[3] = {a[0], a[1], a[2]};
  V side[3] = {a[3], a[4], a[5]};  // xy, yz, zx
  for (int sweep = 0; sweep < 5; ++sweep)
    for (int k = 0; k < 3; ++k) {
      const int p = k, q = (k + 1) % 3;  // side[k] couples p and q; the others couple q and r, r and p
      V &pq = side[k], &qr = side[(k + 1) % 3], &rp = side[(k + 2) % 3];
      const V difference = diagonal[q] - diagonal[p], twice = pq + pq;
      const V root = simd::sqrt(difference * difference + twice * twice);
      const V denominator = simd::select(difference < V(0), difference - root, difference + root);
      const V t = simd::select(denominator == V(0), V(0),
                               twice / simd::select(denominator == V(0), V(1), denominator));
      const V c = V(1) / simd::sqrt(V(1) + t * t), s = t * c;
      diagonal[p] -= t * pq;
      diagonal[q] += t * pq;
      const V old = qr;
      qr = s * rp + c * qr;
      rp = c * rp - s * old;
      pq = V(0);
    }
  return {simd::max(simd::max(diagonal[0], diagonal[1]), diagonal[2]),
          simd::min(simd::min(diagonal[0], diagonal[1]), diagonal[2])};
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
