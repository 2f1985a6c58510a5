// Shear in the plane of a lamina that softens with its stress (Hahn and Tsai 1973, J. Compos. Mater. 7,
// p. 102): gamma = tau / G + alpha tau^3, elastic.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// The shear stress after a change of the strain. Newton's method from the tangent's prediction: it is beyond
/// the root, or short of it when unloading, so that it converges from one side.
template <class V>
V nonlinear_shear(double shear, double alpha, V before, V change) {
  const V compliance(1 / shear), a(alpha), three(3);
  const V wanted = before * (compliance + a * before * before) + change;
  V tau = before + change / (compliance + three * a * before * before);
  constexpr int kIterations = 6;
  for (int k = 0; k < kIterations; ++k) {
    const V square = tau * tau;
    tau -= (tau * (compliance + a * square) - wanted) / (compliance + three * a * square);
  }
  return tau;
}

/// Stress in the plane after a strain increment along the axes, elastic. Transverse shears, too.
template <class Stiffness, class V>
void add_lamina_stress(const Stiffness& q, double alpha, const V (&d)[6], V (&s)[6]) {
  s[0] += V(q.aa) * d[0] + V(q.ab) * d[1];
  s[1] += V(q.ab) * d[0] + V(q.bb) * d[1];
  s[3] = alpha > 0 ? nonlinear_shear(q.shear, alpha, s[3], d[3]) : s[3] + V(q.shear) * d[3];
  s[4] += V(q.shear_bc) * d[4];
  s[5] += V(q.shear_ca) * d[5];
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
