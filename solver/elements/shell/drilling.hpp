// Drilling stiffness of shells (DRCPSID of *CONTROL_SHELL): ties the nodes' rotations about the normal to the
// rotation of the element in its plane.
//
// Without it these rotations are free, and on a curved mesh they cancel the twist: the normal changes from
// one facet to the next, so that the twisting curvature contains the rotation about the normal over the
// radius R.
//
// The penalty of Kanok-Nukulchai (1979, Int. J. Numer. Methods Eng. 14, 179-200) and Hughes and Brezzi (1989,
// Comput. Methods Appl. Mech. Eng. 72, 105-121), at the corners as in Erhart and Borrvall (2013, 9th European
// LS-DYNA Conference; DRCMTH = 0), in rates. With the sides a and c that leave corner I for its neighbours J
// and L, the gradient of the velocity in the corner's plane has the spin (v_a . c - v_c . a) / (2 |a x c|),
// v_a = v_J - v_I, v_c = v_L - v_I; the rate of drilling is, times the sine of the corner's angle,
//
//   r_I = (w_I . (a x c) - (v_a . c - v_c . a) / 2) / (|a| |c|).
//
// It is zero in a rigid rotation. With the sine it stays finite at a corner that has become straight. Moments
// grow by k r_I,
//   k = DRCPRM G t^3 / (12 N):
// the N corners together are as stiff as the element against twisting by the same angle over its size L (G
// t^3 / 12 over L^2, times the area). The error of the twisting stiffness is then at most (L / R)^2. It
// vanishes when the mesh is refined, and so does the effect on bending in the plane. A penalty proportional
// to G t would lock coarse curved meshes, where rotations about tangents have a drilling part in the facets.
#pragma once

#include "elements/shell/lamina.hpp"
#include "elements/shell/motion.hpp"
#include "elements/shell/quad_geometry.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// The two sides at a corner, and values that follow from them.
template <class V>
struct Corner {
  V a[3], c[3], normal[3];  ///< normal: a x c
  V inverse;                ///< 1 / (|a| |c|)
};

template <class V, int N>
inline Corner<V> corner_at(const V (&x)[N][3], int n) {
  Corner<V> k;
  for (int i = 0; i < 3; ++i) {
    k.a[i] = x[(n + 1) % N][i] - x[n][i];
    k.c[i] = x[(n + N - 1) % N][i] - x[n][i];
  }
  cross(k.a, k.c, k.normal);
  k.inverse = V(1) / simd::sqrt(dot(k.a, k.a) * dot(k.c, k.c));
  return k;
}

/// Rates of drilling at mid step, positions `x`.
///
/// An explicit step rotates a rigid body by the angle |w| dt. From the chords of its nodes the rate is (2 /
/// dt) tan(|w| dt / 2). The spin follows from this by the series of the arc tangent. In steps that turn far
/// (kernel.hpp) nodes have the rate of the chords.
template <class V, int N>
inline void drilling_rates(const GroupParameters& g, const Motion<V, N>& m, const V (&x)[N][3], V dt,
                           V (&rate)[N]) {
  // The spin of the whole element: from the diagonals, or from two sides of a triangle.
  constexpr int from = N == 4 ? 1 : 0, to = N == 4 ? 3 : 2, first = N == 4 ? 2 : 1;
  V a[3], c[3], va[3], vc[3], n[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = x[first][i] - x[0][i], va[i] = m.v[first][i] - m.v[0][i];
    c[i] = x[to][i] - x[from][i], vc[i] = m.v[to][i] - m.v[from][i];
  }
  cross(a, c, n);
  const V in_plane = V(0.5) * (dot(va, c) - dot(vc, a));
  const V inverse = V(1) / dot(n, n), van = dot(va, n), vcn = dot(vc, n);
  const V tilt = (van * van * dot(c, c) + vcn * vcn * dot(a, a) - V(2) * van * vcn * dot(a, c)) * inverse;
  const V half2 = V(0.25) * dt * dt * (in_plane * in_plane + tilt) * inverse;  // tan^2
  const V arc = g.turns_far ? V(1) : V(1) - half2 * (V(1.0 / 3) - V(0.2) * half2);
  for (int k = 0; k < N; ++k) {
    const Corner<V> corner = corner_at(x, k);
    const int next = (k + 1) % N, last = (k + N - 1) % N;
    V ahead[3], behind[3];
    for (int i = 0; i < 3; ++i) {
      ahead[i] = m.v[next][i] - m.v[k][i];
      behind[i] = m.v[last][i] - m.v[k][i];
    }
    const V spin = V(0.5) * (dot(ahead, corner.c) - dot(behind, corner.a));
    rate[k] = (dot(m.w[k], corner.normal) - arc * spin) * corner.inverse;
  }
}

template <class V, int N>
inline V drilling_stiffness(const GroupParameters& g, V thickness) {
  return V(g.drilling * g.shear / (12 * N)) * thickness * thickness * thickness;
}

/// Update the corners' moments, copy them to `moment`, and return their work. Uses the rotations of the
/// nodes, not those of `project_rotations`. The state of deleted lanes does not change.
template <class V, int N>
inline V advance_drilling(const GroupParameters& g, const StateBefore<V>& state, const StateAfter<V>& after,
                          const Motion<V, N>& m, V dt, simd::mask_t<V> living, V (&moment)[N]) {
  V x[N][3], rate[N];
  for (int n = 0; n < N; ++n)
    for (int i = 0; i < 3; ++i) x[n][i] = m.x[n][i] - V(0.5) * dt * m.v[n][i];
  drilling_rates<V, N>(g, m, x, dt, rate);
  const V k = drilling_stiffness<V, N>(g, state.load(kThickness));
  V work(0);
  for (int n = 0; n < N; ++n) {
    const V angle = simd::select(living, dt * rate[n], V(0)), before = state.load(drilling_at(g) + n);
    moment[n] = before + k * angle;
    work += V(0.5) * (before + moment[n]) * angle;
    after.store(drilling_at(g) + n, moment[n]);
  }
  return work;
}

/// Add the nodal forces and moments (global) of the corners' moments: the transpose of `drilling_rates`.
template <class V, int N>
inline void add_drilling_forces(const V (&drilling)[N], const V (&x)[N][3], V (&force)[N][3],
                                V (&moment)[N][3]) {
  for (int n = 0; n < N; ++n) {
    const Corner<V> corner = corner_at(x, n);
    const V m = drilling[n] * corner.inverse, half = V(0.5) * m;
    for (int i = 0; i < 3; ++i) {
      moment[n][i] += m * corner.normal[i];
      force[(n + 1) % N][i] -= half * corner.c[i];
      force[(n + N - 1) % N][i] += half * corner.a[i];
      force[n][i] += half * (corner.c[i] - corner.a[i]);
    }
  }
}

/// Stable step with drilling, from that without.
///
/// The largest eigenvalue of a sum of two stiffnesses is at most the sum of their largest (Weyl), and that of
/// a mesh is at most the largest of its elements (Irons and Treharne 1971). That of drilling is at most k
/// times the traces 1 / inertia + sum of |dr_I / dv|^2 / mass.
template <class V, int N>
inline V drilling_step(const GroupParameters& g, const V (&x)[N][3], V area, V thickness, V step) {
  V gradients(0);
  for (int n = 0; n < N; ++n) {
    const Corner<V> corner = corner_at(x, n);
    const V a2 = dot(corner.a, corner.a), c2 = dot(corner.c, corner.c), ac = dot(corner.a, corner.c);
    gradients += V(0.5) * (a2 + c2 - ac) * corner.inverse * corner.inverse;  // (a2 + c2 + |a - c|^2) / 4
  }
  const V mass = V(g.density / N) * area * thickness;
  const V eigenvalue =
      drilling_stiffness<V, N>(g, thickness) * (V(1) / rotary_radius2(area, thickness) + gradients) / mass;
  return step / simd::sqrt(V(1) + V(0.25) * eigenvalue * step * step);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
