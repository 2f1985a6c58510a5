// Stable time step of two-node beams: 2 / omega with the exact frequencies of a free beam.
//
// With half the mass m = mu L0 / 2 and the inertia J = L0 / 2 (rho I + mu L0^2 / 12) at each node, a free
// beam vibrates
//   along its axis      omega^2 = 4 E A / (L mu L0), so 2 / omega = L / c,
//   in shear or antisymmetric bending, with stiffness k for the angle between section and axis
//                       omega^2 = k (1 / (2 J) + 2 / (L^2 m)),
//   in symmetric bending and torsion  omega^2 = 2 E I / (L J), 2 G Jt / (L J).
// For a Belytschko-Schwer beam k = 12 E I / L, which gives L / 2 over c sqrt(3 I (3 / (12 I + A L^2) +
// 1 / (A L^2))) (Belytschko, Schwer and Klein 1977); for a Hughes-Liu beam k = kappa G A L.
#pragma once

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Stiffnesses of a beam's modes at unit length, in double as they are the same for a whole group.
struct BeamStiffness {
  double axial = 0;          ///< E A
  double bending = 0;        ///< E I, the larger
  double torsion = 0;        ///< G J
  double shear = 0;          ///< kappa G A, one-point beams
  double antisymmetric = 0;  ///< 12 E I, resultant beams
  double inertia = 0;        ///< I, the larger
  double area = 0;
  bool coupled = false;  ///< axial and bending modes mix: the reference axis is off the centroid
};

template <class V>
V beam_stable_step(const GroupParameters& group, const BeamStiffness& k, V length0, V length) {
  using T = simd::scalar_t<V>;
  const auto constant = [](double c) { return V(static_cast<T>(c)); };
  const double per_length = group.density * k.area + group.section->nsm;
  const V half0 = constant(0.5) * length0;
  const V mass = constant(per_length) * half0;
  const V inertia =
      half0 * (constant(group.density * k.inertia) + constant(per_length / 12) * length0 * length0);
  const V axial = constant(2 * k.axial) / (length * mass);
  const V symmetric = constant(2 * std::max(k.bending, k.torsion)) / (length * inertia);
  const V relative = constant(k.shear) * length + constant(k.antisymmetric) / length;
  const V antisymmetric = relative * (constant(0.5) / inertia + constant(2) / (length * length * mass));
  const V bending = simd::max(symmetric, antisymmetric);
  const V highest = k.coupled ? axial + bending : simd::max(axial, bending);
  return constant(2) / simd::sqrt(highest);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
