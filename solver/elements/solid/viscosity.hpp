// Bulk viscosity and the stable time step of solids.
//
// The pressure q = rho l (Q1 l D^2 - Q2 c D) acts only in compression, D < 0 (von Neumann and Richtmyer
// 1950 for the quadratic, Landshoff 1955 for the linear term), with l the cube root of the volume. It is
// rho n |D| with the kinematic viscosity n = l (Q2 c + Q1 l |D|).
//
// The step is dt = L / (Q + sqrt(Q^2 + c^2)), the form of Hallquist (LS-DYNA theory manual, 2006, on time
// step control of solids) and Benson (1992, "Computational methods in Lagrangian and Eulerian hydrocodes").
// There Q = Q2 c + Q1 L |D|, which is right if l = L. Forces of stiffness K and damping C that lag half a
// step behind are stable while dt^2 / 4 K + dt / 2 C <= M for every motion (Belytschko, Liu and Moran 2000,
// section 6.6, dt = 2 / omega (sqrt(1 + xi^2) - xi)); With K <= (2 c / L)^2 M and C <= 4 Q / L M this gives
// the dt above, so Q must be that of the actual viscosity. In a brick that is flat along the wave, Q = n / L
// = l / L (Q2 c + Q1 l |D|); for sides of 1 to 5 this is nine times the manual's quadratic term. In a brick
// that shrinks on all sides it is three times as much as along one. The tangent of the quadratic term is
// twice its secant, but a rate that overshoots ends in expansion, where no viscosity acts: the secant is a
// bound.
//
// LS-DYNA's length L of a brick, V / A_max, is right inside a mesh, where every node belongs to eight
// bricks. A brick with free nodes has a higher frequency: all its nodes move against it at once. A free cube
// with nu = 0.3 has omega = sqrt(12 K / rho) / a, whose limit 2 / omega is 0.73 a / c; single bricks, rows
// and plates one brick thick, and the edges of blocks from nu = 0.4 or so gain energy without bound at 0.9 a
// / c. So the length here is at most 2 c / omega of the free element. Both agree for plates that are thin
// compared with their bricks' sides, and for nu = 0.
#pragma once

#include <algorithm>

#include "elements/kernel.hpp"
#include "elements/stiffness_damping.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Density and the speed of plane longitudinal waves at the current volume, from the elastic constants.
template <class V>
struct SoundSpeed {
  V density, speed;
};

/// `ratio` is the volume over the initial one, `inverse_ratio` is 1 / ratio.
template <class V>
SoundSpeed<V> sound_speed(const GroupParameters& group, V ratio, V inverse_ratio) {
  using T = simd::scalar_t<V>;
  const V density = V(static_cast<T>(group.density)) * inverse_ratio;
  const double modulus = group.bulk + 4.0 / 3.0 * group.shear;
  return {density, simd::positive_sqrt(V(static_cast<T>(modulus / group.density)) * ratio)};
}

/// Viscous pressure, positive in compression; 0 in expansion. `rate` is the trace of the strain rate.
template <class V>
V bulk_viscosity(const model::Hourglass& h, const SoundSpeed<V>& c, V length, V rate) {
  using T = simd::scalar_t<V>;
  const V compression = simd::min(rate, V(static_cast<T>(0)));
  const V q1 = V(static_cast<T>(h.q1)), q2 = V(static_cast<T>(h.q2));
  return c.density * length * compression * (q1 * length * compression - q2 * c.speed);
}

/// sum_I B_iI B_jI: xx yy zz xy yz zx.
template <class V, int N>
void gradient_products(const V (&b)[N][3], V (&g)[6]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    g[i] = b[0][i] * b[0][i];
    g[3 + i] = b[0][i] * b[0][j];
    for (int a = 1; a < N; ++a) {
      g[i] += b[a][i] * b[a][i];
      g[3 + i] += b[a][i] * b[a][j];
    }
  }
}

/// Data of an element's shape for the stable step.
template <class V>
struct StepGeometry {
  V steepness;  ///< 1 / L^2: without viscosity the step is L / c
  V damping;    ///< Q / n L: the part of Q from the kinematic viscosity, over L
};

/// As step_geometry, for lambda + 2 mu, 4/9 lambda^2 and 2/3 2 mu (2 mu + 2 lambda), of the modulus of plane
/// waves.
template <int N, class V>
StepGeometry<V> step_geometry_of(V sum, V lambda_part, V shear_part, V area_squared, const V (&g)[6],
                                 V inverse) {
  using T = simd::scalar_t<V>;
  const auto constant = [](double c) { return V(static_cast<T>(c)); };
  const V trace = g[0] + g[1] + g[2], mean = constant(1.0 / 3.0) * trace;
  V deviation = constant(0);  // of G from its mean, squared
  for (int i = 0; i < 3; ++i) deviation += (g[i] - mean) * (g[i] - mean) + constant(2) * g[3 + i] * g[3 + i];
  // 2 s^2 of A over that of plane waves, written without cancellation.
  const V variance = lambda_part * trace * trace + shear_part * deviation;
  const V stiffness = sum * mean + simd::sqrt(variance);
  const V square = inverse * inverse;
  return {square * simd::max(area_squared, constant(N / 4.0) * stiffness),
          constant(N / 4.0) * square * trace};
}

/// L is at most the volume over the root of `area_squared`, and at most 2 c / omega of the free element with
/// its mass in equal parts at N nodes. `inverse` is 1 / volume.
///
/// With B the integrated gradient and `g` G_ij = sum_I B_iI B_jI (xx yy zz xy yz zx), the fastest motion of a
/// one-point element strains along the principal axes of G, with amplitudes that are the eigenvector of
///   A = lambda d d^T + 2 mu diag(d_i^2), d_i^2 the eigenvalues of G;   omega^2 = N / (rho V^2) max A
/// (shear modes have mu (d_i^2 + d_j^2), which is less; see Flanagan and Belytschko 1984, "Eigenvalues and
/// stable time steps for the uniform strain hexahedron and quadrilateral"). max A <= m + sqrt(2) s, with m
/// and s the mean and the standard deviation of its eigenvalues (Wolkowicz and Styan 1980, theorem 2.1),
/// which follow from the trace of G and its deviation. This is exact where the two lower ones are equal, as
/// in cubes, and in the limit of flat boxes. Bulk viscosity of the kinematic coefficient n has C <= N n tr G
/// / V^2 M, as (tr D)^2 <= tr G |v|^2 / V^2.
template <int N, class V>
StepGeometry<V> step_geometry(const GroupParameters& group, V area_squared, const V (&g)[6], V inverse) {
  using T = simd::scalar_t<V>;
  const auto constant = [](double c) { return V(static_cast<T>(c)); };
  const double modulus = group.bulk + 4.0 / 3.0 * group.shear;
  const double lambda = std::max(0.0, group.bulk - 2.0 / 3.0 * group.shear) / modulus;
  const double shear = 2 * group.shear / modulus;  // of 2 mu
  return step_geometry_of<N>(constant(lambda + shear), constant(4.0 / 9.0 * lambda * lambda),
                             constant(2.0 / 3.0 * shear * (shear + 2 * lambda)), area_squared, g, inverse);
}

/// The step without viscosity and damping.
template <class V>
V free_step(const SoundSpeed<V>& c, const StepGeometry<V>& shape) {
  return simd::inverse_sqrt(shape.steepness * c.speed * c.speed);
}

/// As damping_per_step, for elements whose step without damping is `free_step`.
template <class V>
V solid_damping_per_step(const GroupParameters& group, const SoundSpeed<V>& c, const StepGeometry<V>& shape,
                         double dt) {
  return group.stiffness_damping == 0 ? V(0) : damping_per_step(group, free_step(c, shape), dt);
}

/// Largest stable step, as 1 / (Q / L + sqrt((Q / L)^2 + (c / L)^2)). `length` is the cube root of the
/// volume, as in bulk_viscosity. Stiffness damping of the fraction x adds x c to Q.
template <class V>
V solid_stable_step(const GroupParameters& group, const SoundSpeed<V>& c, const StepGeometry<V>& shape,
                    V length, V rate) {
  using T = simd::scalar_t<V>;
  const model::Hourglass& h = group.hourglass;
  const V zero = V(static_cast<T>(0));
  const V compression = simd::min(rate, zero);
  const V kinematic =
      length * (V(static_cast<T>(h.q2)) * c.speed - V(static_cast<T>(h.q1)) * length * compression);
  const V square = shape.steepness * c.speed * c.speed;  // of c / L
  V q = simd::select(rate < zero, kinematic * shape.damping, zero);
  if (group.stiffness_damping != 0) {
    const V free = free_step(c, shape);
    q += StiffnessDamping<V>(group, free).fraction * simd::inverse(free);
  }
  return simd::inverse(q + simd::positive_sqrt(q * q + square));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
