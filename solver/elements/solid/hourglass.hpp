// Hourglass control of the one-point hexahedron, types 1 to 6.
//
// The four hourglass shapes h = eta zeta, zeta xi, xi eta, xi eta zeta take +-1 at the nodes. Flanagan and
// Belytschko (1981) make them orthogonal to every linear field,
// gamma = h - sum_j (h.x_j) B_j / V, so that rigid motion and uniform strain meet no resistance. gamma is
// never formed: one Hadamard transform gives the sums of nodal values times all eight sign patterns, and the
// correction is added to the stress, since sum_j (h.x_j) B_jI / V multiplies the same B_jI.
//
//   type 1     viscous, with h itself (Kosloff and Frazier 1978; Hallquist, LS-DYNA theory manual 2006)
//   type 2, 3  viscous, with gamma (Flanagan and Belytschko 1981)
//   type 4, 5  the same with a stiffness; coefficient of Belytschko, Liu and Moran (2000, section 8.7)
//   type 6     assumed strain, co-rotational stiffness (Belytschko and Bindeman 1993)
//
// Types 2 and 3, and 4 and 5, differ in LS-DYNA by the gradient: at the centre, or integrated exactly. Here
// it is always integrated exactly.
#pragma once

#include "elements/element.hpp"
#include "elements/solid/layout.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// The variants of the types. Each has a kernel of its own, so that none keeps values of another in memory.
enum class HourglassControl { bare_viscous, viscous, stiffness, assumed_strain };

inline HourglassControl hourglass_control(int type) {
  switch (type) {
    case 6:
      return HourglassControl::assumed_strain;
    case 5:
    case 4:
      return HourglassControl::stiffness;
    case 1:
      return HourglassControl::bare_viscous;
    default:
      return HourglassControl::viscous;
  }
}

/// Sums of nodal values times the sign patterns of a hexahedron.
template <class V>
struct SignSums {
  V axis[3];       ///< xi, eta, zeta
  V hourglass[4];  ///< eta zeta, zeta xi, xi eta, xi eta zeta
};

/// Fast Hadamard transform of one nodal component, without the constant pattern.
template <class V>
SignSums<V> sign_sums(const V (&u)[8][3], int i) {
  // Pairs along xi: (0,1) (3,2) (4,5) (7,6); sum and difference of each.
  const V s0 = u[1][i] + u[0][i], d0 = u[1][i] - u[0][i];
  const V s1 = u[2][i] + u[3][i], d1 = u[2][i] - u[3][i];
  const V s2 = u[5][i] + u[4][i], d2 = u[5][i] - u[4][i];
  const V s3 = u[6][i] + u[7][i], d3 = u[6][i] - u[7][i];
  // Along eta: pairs (s0, s1) and (s2, s3).
  const V ss_low = s1 + s0, sd_low = s1 - s0, ss_high = s3 + s2, sd_high = s3 - s2;
  const V ds_low = d1 + d0, dd_low = d1 - d0, ds_high = d3 + d2, dd_high = d3 - d2;
  return {{ds_high + ds_low, sd_high + sd_low, ss_high - ss_low},
          {sd_high - sd_low, ds_high - ds_low, dd_high + dd_low, dd_high - dd_low}};
}

/// f[I][i] = sum_m a[m] xi_m[I] + sum_k q[k] h_k[I]: the transpose of the transform.
template <class V>
void set_pattern(const V (&a)[3], const V (&q)[4], int i, V (&f)[8][3]) {
  // Node (xi, eta, zeta) gets xi (a0 + zeta q1) + eta (a1 + zeta q0) + xi eta (q2 + zeta q3) + zeta a2.
  const V x_low = a[0] - q[1], x_high = a[0] + q[1], y_low = a[1] - q[0], y_high = a[1] + q[0];
  const V low = q[2] - q[3], high = q[2] + q[3];
  const V same_low = low - a[2], same_high = high + a[2], other_low = -low - a[2], other_high = a[2] - high;
  const V sum_low = x_low + y_low, sum_high = x_high + y_high;
  const V difference_low = x_low - y_low, difference_high = x_high - y_high;
  f[0][i] = same_low - sum_low;
  f[1][i] = other_low + difference_low;
  f[2][i] = same_low + sum_low;
  f[3][i] = other_low - difference_low;
  f[4][i] = same_high - sum_high;
  f[5][i] = other_high + difference_high;
  f[6][i] = same_high + sum_high;
  f[7][i] = other_high - difference_high;
}

/// The element's data for hourglass control. Forces act at the end of the step; rates are taken half way
/// through it.
template <class V>
struct HourglassInput {
  const SignSums<V> (&x)[3], (&middle)[3], (&v)[3];  ///< of positions at the end and half way, of velocities
  const V (&gradient)[3][3];                         ///< of velocity, half way
  const V (&rotation)[3][3];                         ///< of the step
  V volume, length;                                  ///< length is the cube root of the volume
  V gradient_squared;                                ///< sum of all B_iI^2
  V density, sound_speed;
  V dt;
};

/// Forces as generalised stresses: nodal force is sum_a q[i][a] gamma_a, plus the work done on them.
template <class V>
struct HourglassResult {
  V q[3][4];
  V work;
};

// The loops below are unrolled early: if GCC unrolls them late, their arrays are already in memory.

/// Hourglass velocities of `gamma` (`corrected`) or of the bare patterns, [direction][pattern].
template <bool corrected, class V>
void hourglass_rates(const HourglassInput<V>& in, V (&g)[3][4]) {
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i)
#pragma GCC unroll 4
    for (int a = 0; a < 4; ++a) {
      V rate = in.v[i].hourglass[a];
      if constexpr (corrected)
        for (int j = 0; j < 3; ++j) rate -= in.gradient[i][j] * in.middle[j].hourglass[a];
      g[i][a] = rate;
    }
}

/// Types 1 to 3: q = Q rho V^(2/3) c / 4 times the rate.
template <bool corrected, class V>
void viscous_hourglass(const GroupParameters& group, const HourglassInput<V>& in, HourglassResult<V>& out) {
  using T = simd::scalar_t<V>;
  const V factor =
      V(static_cast<T>(0.25 * group.hourglass.qm)) * in.density * in.length * in.length * in.sound_speed;
  V g[3][4];
  hourglass_rates<corrected>(in, g);
  V power = V(static_cast<T>(0));
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 4; ++a) {
      out.q[i][a] = factor * g[i][a];
      power += out.q[i][a] * g[i][a];
    }
  out.work = in.dt * power;
}

/// Types 4 and 5: q rotates with the element and is the time integral of the rate; gamma is 1/8 of the sums.
template <class V>
void stiffness_hourglass(const GroupParameters& group, const HourglassInput<V>& in,
                         const StateBefore<V>& before, const StateAfter<V>& after, HourglassResult<V>& out) {
  using T = simd::scalar_t<V>;
  const int first = solid::hourglass_offset(group);
  const double modulus = group.bulk + 4.0 / 3.0 * group.shear;
  const V factor =
      V(static_cast<T>(0.5 * group.hourglass.qm * modulus)) * in.gradient_squared * simd::inverse(in.volume);
  const V eighth = V(static_cast<T>(0.125)), half = V(static_cast<T>(0.5));
  V g[3][4];
  hourglass_rates<true>(in, g);
  out.work = V(static_cast<T>(0));
  for (int a = 0; a < 4; ++a) {
    V old[3];
    for (int i = 0; i < 3; ++i) old[i] = before.load(first + 3 * a + i);
    for (int i = 0; i < 3; ++i) {
      const V turned = in.rotation[i][0] * old[0] + in.rotation[i][1] * old[1] + in.rotation[i][2] * old[2];
      const V step = in.dt * eighth * g[i][a];
      const V now = turned + factor * step;
      out.work += half * (turned + now) * step;
      out.q[i][a] = eighth * now;
      after.store(first + 3 * a + i, now);
    }
  }
}

/// Orthonormal frame that rotates with the element: first axis along xi, second in the plane of xi and eta.
template <class V>
void hexahedron_frame(const SignSums<V> (&x)[3], V (&e)[3][3]) {
  const V r1[3] = {x[0].axis[0], x[1].axis[0], x[2].axis[0]};
  const V r2[3] = {x[0].axis[1], x[1].axis[1], x[2].axis[1]};
  const auto cross = [](const V(&a)[3], const V(&b)[3], V(&c)[3]) {
    for (int i = 0; i < 3; ++i) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  };
  const auto normalise = [](const V(&a)[3], V(&unit)[3]) {
    const V factor = simd::inverse_sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int i = 0; i < 3; ++i) unit[i] = factor * a[i];
  };
  V normal[3];
  cross(r1, r2, normal);
  normalise(r1, e[0]);
  normalise(normal, e[2]);
  cross(e[2], e[0], e[1]);
}

/// H_ii of a box, edge_j edge_k / 3 edge_i.
template <class V>
void box_integrals(const V (&edge)[3], V (&h)[3]) {
  const V face[3] = {edge[1] * edge[2], edge[2] * edge[0], edge[0] * edge[1]};
  const V scale = V(static_cast<simd::scalar_t<V>>(1.0 / 3.0)) * simd::inverse(edge[0] * face[0]);
  for (int i = 0; i < 3; ++i) h[i] = scale * face[i] * face[i];
}

/// Type 6. In the element's frame, with g the rates for gamma / 8 and H_ii, H_ij integrals of h_a,i h_b,j
/// over a box of the element's size, the assumed strain field gives
///   q_ii' = mu ((H_jj + H_kk) g_ii + H_ij g_jj + H_ik g_kk)           shear: two patterns each
///   q_ij' = 2 mu / (1 - nu) (H_ii g_ij + nu H_ij g_ji)                  bending: plane stress
///   q_i4' = 2 mu (1 + nu) / 3 H_ii g_i4                                uniaxial stress
/// (Belytschko and Bindeman 1993, "Assumed strain stabilization of the eight node hexahedral element",
/// quintessential bending incompressible field). QM = 1 makes bending of a box exact.
template <class V>
void assumed_strain_hourglass(const GroupParameters& group, const HourglassInput<V>& in,
                              const StateBefore<V>& before, const StateAfter<V>& after,
                              HourglassResult<V>& out) {
  using T = simd::scalar_t<V>;
  const auto constant = [](double c) { return V(static_cast<T>(c)); };
  const int first = solid::hourglass_offset(group);
  const double mu = group.hourglass.qm * group.shear, nu = group.poisson;
  const V shear = in.dt * constant(mu), bending = in.dt * constant(2 * mu / (1 - nu)), poisson = constant(nu);
  const V torsion = in.dt * constant(2 * mu * (1 + nu) / 3), third = constant(1.0 / 3.0);
  const V eighth = constant(0.125);

  V frame[3][3], rate[3][4], g[3][4], edge[3], h[3];
  hexahedron_frame(in.x, frame);
  hourglass_rates<true>(in, rate);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    edge[i] = frame[i][0] * in.x[0].axis[i] + frame[i][1] * in.x[1].axis[i] + frame[i][2] * in.x[2].axis[i];
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) frame[i][j] *= eighth;
#pragma GCC unroll 4
    for (int a = 0; a < 4; ++a)
      g[i][a] = frame[i][0] * rate[0][a] + frame[i][1] * rate[1][a] + frame[i][2] * rate[2][a];
  }
  box_integrals(edge, h);
  const auto mixed = [&](int i, int j) { return third * edge[3 - i - j]; };

  V local[3][4], power = constant(0);  // twice its mean
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    V step[4];
    step[i] = shear * ((h[j] + h[k]) * g[i][i] + mixed(i, j) * g[j][j] + mixed(i, k) * g[k][k]);
    step[j] = bending * (h[i] * g[i][j] + poisson * mixed(i, j) * g[j][i]);
    step[k] = bending * (h[i] * g[i][k] + poisson * mixed(i, k) * g[k][i]);
    step[3] = torsion * h[i] * g[i][3];
#pragma GCC unroll 4
    for (int a = 0; a < 4; ++a) {
      const V old = before.load(first + 3 * a + i);
      local[i][a] = old + step[a];
      power += (old + local[i][a]) * g[i][a];
      after.store(first + 3 * a + i, local[i][a]);
    }
  }
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i)
#pragma GCC unroll 4
    for (int a = 0; a < 4; ++a)
      out.q[i][a] = frame[0][i] * local[0][a] + frame[1][i] * local[1][a] + frame[2][i] * local[2][a];
  out.work = constant(0.5) * in.dt * power;
}

/// Generalised forces.
template <HourglassControl control, class V>
void hourglass_forces(const GroupParameters& group, const HourglassInput<V>& in, const StateBefore<V>& before,
                      const StateAfter<V>& after, HourglassResult<V>& out) {
  if constexpr (control == HourglassControl::assumed_strain)
    assumed_strain_hourglass(group, in, before, after, out);
  else if constexpr (control == HourglassControl::stiffness)
    stiffness_hourglass(group, in, before, after, out);
  else
    viscous_hourglass<control != HourglassControl::bare_viscous>(group, in, out);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
