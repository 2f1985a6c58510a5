// Thick shell of eight nodes with layers in plane stress (*SECTION_TSHELL, ELFORM 1 and 2): a shell on the
// middle surface, and four fibers.
//
// A fiber joins a node of the lower surface, b, with the one above it, t. The middle surface has the nodes
// x = (x_b + x_t) / 2, which turn as the fibers D = x_t - x_b do, in the sense of Hughes and Liu (1981):
//   v = (v_b + v_t) / 2,   w = D x D' / |D|^2 + d (d . W),   d = D / |D|,
// W the spin of the middle surface. Fibers do not have a turn about themselves; with the part along them that
// the surface has, any rigid motion gives no strain, also where fibers lean. On these nodes there is a shell
// of ELFORM 2 (one point, with its hourglass control; thick shell 1) or of ELFORM 7 (2 x 2 points,
// selectively reduced; thick shell 2), with its laws and layers. Its nodal forces f and moments m act by
// virtual power as
//   f_t, f_b = f / 2 +- m x D / |D|^2,
// and (m . d) d acts on the spin W, on the nodes of the middle surface.
//
// Plane stress leaves the thickness without a stiffness. Each fiber is a spring with the modulus E of the law
// at rest and a quarter of the area, in increments of ln |D|: no coupling by Poisson's ratio, no yield. The
// thickness over which layers lie is that at the start, volume over area of the middle surface.
//
// Step: nodes have no rotary inertia beside that of their masses, m (h / 2)^2 for a fiber of length h, while
// a shell's step counts on m r^2 (elements/shell/state.hpp). A smaller one raises eigenvalues by no more than
// r^2 / (h / 2)^2. The largest eigenvalue of the sum of shell and fibers is at most the sum of both (Weyl);
// that of a fiber between halves of a node's mass is 4 E / (rho h^2).
#pragma once

#include "elements/element.hpp"
#include "elements/shell/belytschko_tsay.hpp"
#include "elements/shell/selective_strains.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/thick_shell/layered_shell_layout.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// The four fibers, from the lower to the upper node, and their rates.
template <class V>
struct Fibers {
  V d[4][3], rate[4][3];

  /// At the time `back` before t_n.
  Fibers(const NodalMotion<V, 8>& m, V back) {
    for (int n = 0; n < 4; ++n)
      for (int i = 0; i < 3; ++i) {
        rate[n][i] = m.v[n + 4][i] - m.v[n][i];
        d[n][i] = m.x[n + 4][i] - m.x[n][i] - back * rate[n][i];
      }
  }
};

/// Motion of the nodes of the middle surface, relative to the first of them, without turns.
template <class V>
void middle_surface(const NodalMotion<V, 8>& m, Motion<V, 4, true>& middle) {
  const V half(0.5);
  for (int n = 3; n >= 0; --n)
    for (int i = 0; i < 3; ++i) {
      middle.x[n][i] = half * (m.x[n][i] + m.x[n + 4][i] - m.x[4][i]);
      middle.v[n][i] = half * (m.v[n][i] + m.v[n + 4][i] - m.v[4][i]);
      middle.w[n][i] = V(0);
    }
}

/// Spin of the middle surface, global; `g` is its geometry at mid step.
template <class V>
void surface_spin(const NodalMotion<V, 4>& m, const shell::QuadGeometry<V>& g, V (&spin)[3]) {
  const V zero[4][3] = {};
  const shell::QuadRates<V> r = shell::quad_rates(m.v, zero, g);
  const V local[3] = {r.vy[2], V(0) - r.vx[2], V(0.5) * (r.vx[1] - r.vy[0])};
  g.frame.to_global(local, spin);
}

/// Turns of the nodes of the middle surface.
template <class V>
void turn_with_fibers(const Fibers<V>& fibers, const V (&spin)[3], V (&w)[4][3]) {
  for (int n = 0; n < 4; ++n) {
    const V(&d)[3] = fibers.d[n];
    const V inverse = V(1) / shell::dot(d, d), along = shell::dot(d, spin);
    V turn[3];
    shell::cross(d, fibers.rate[n], turn);
    for (int i = 0; i < 3; ++i) w[n][i] = inverse * (turn[i] + along * d[i]);
  }
}

/// Forces of the eight nodes from forces and moments of the middle surface: the transpose of the above, with
/// the geometry at the end of the step.
template <class V>
void spread_forces(const Fibers<V>& fibers, const shell::QuadGeometry<V>& g, const V (&force)[4][3],
                   const V (&moment)[4][3], V (&out)[8][3]) {
  const V half(0.5);
  V spin[3] = {V(0), V(0), V(0)};
  for (int n = 0; n < 4; ++n) {
    const V(&d)[3] = fibers.d[n];
    const V inverse = V(1) / shell::dot(d, d), along = inverse * shell::dot(moment[n], d);
    V couple[3];
    shell::cross(moment[n], d, couple);
    for (int i = 0; i < 3; ++i) {
      out[n + 4][i] = half * force[n][i] + inverse * couple[i];
      out[n][i] = half * force[n][i] - inverse * couple[i];
      spin[i] += along * d[i];
    }
  }
  V s[3], a[3], b[3], ga[3], gb[3];
  g.frame.to_local(spin, s);
  const V by_x[3] = {V(0), half * s[2], V(0) - s[1]}, by_y[3] = {V(0) - half * s[2], V(0), s[0]};
  for (int k = 0; k < 3; ++k) {
    a[k] = g.bx[0] * by_x[k] + g.by[0] * by_y[k];
    b[k] = g.bx[1] * by_x[k] + g.by[1] * by_y[k];
  }
  g.frame.to_global(a, ga);
  g.frame.to_global(b, gb);
  for (int i = 0; i < 3; ++i)
    for (const int side : {0, 4}) {
      out[side][i] += half * ga[i];
      out[side + 1][i] += half * gb[i];
      out[side + 2][i] -= half * ga[i];
      out[side + 3][i] -= half * gb[i];
    }
}

/// Update the fibers' stresses and add their forces. Returns their work.
template <class V>
V stretch_fibers(const GroupParameters& group, const Fibers<V>& middle, const Fibers<V>& end, V middle_area,
                 V end_area, V dt, simd::mask_t<V> living, const StateBefore<V>& before,
                 const StateAfter<V>& after, V (&out)[8][3]) {
  const int first = layered_shell::fibers_at(group);
  const V quarter(0.25);
  V work(0);
  for (int n = 0; n < layered_shell::kFibers; ++n) {
    const V rate = shell::dot(middle.d[n], middle.rate[n]) / shell::dot(middle.d[n], middle.d[n]);
    const V strain = simd::select(living, dt * rate, V(0));
    const V old = before.load(first + n), now = old + V(group.young) * strain;
    after.store(first + n, now);
    const V length = simd::sqrt(shell::dot(middle.d[n], middle.d[n]));
    work += V(0.5) * quarter * middle_area * length * (old + now) * strain;
    const V pull = quarter * end_area * now / simd::sqrt(shell::dot(end.d[n], end.d[n]));
    for (int i = 0; i < 3; ++i) {
      out[n + 4][i] += pull * end.d[n][i];
      out[n][i] -= pull * end.d[n][i];
    }
  }
  return work;
}

/// The stable step from that of the shell.
template <class V>
V fibers_step(const GroupParameters& group, const Fibers<V>& fibers, V area, V thickness, V shell_step) {
  V shortest2 = shell::dot(fibers.d[0], fibers.d[0]);
  for (int n = 1; n < 4; ++n) shortest2 = simd::min(shortest2, shell::dot(fibers.d[n], fibers.d[n]));
  const V radius2 = shell::rotary_radius2(area, thickness);
  const V more = simd::max(V(1), V(4) * radius2 / shortest2);
  const V by_shell = V(4) * more / (shell_step * shell_step);
  const V by_fibers = V(4 * group.young / group.density) / shortest2;
  return V(2) / simd::sqrt(by_shell + by_fibers);
}

template <class Inner>
struct LayeredShell {
  static constexpr int n_nodes = 8;
  static constexpr bool rotations = false, prefetches = false, hourglass = true, drilling = false,
                        damps = true, only_step_at_start = false;
  static constexpr auto& shape = kHexahedronShape;
  static int variables(const GroupParameters& group) { return layered_shell::n_variables(group); }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 8, false>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 8, false>& out) const {
    const V dt(of.dt), back = V(0.5) * dt;
    Motion<V, 4, true> surface;
    middle_surface(motion, surface);
    shell::QuadGeometry<V> middle, end;
    shell::quad_geometry_at(surface, back, middle);
    shell::quad_geometry(surface.x, end);
    const Fibers<V> halfway(motion, back), last(motion, V(0));
    V spin[3];
    surface_spin(surface, middle, spin);
    turn_with_fibers(halfway, spin, surface.w);

    constexpr int skipped = layered_shell::kShell * kLanes;
    const StateBefore<V> shell_before{before.first + skipped, before.next_block};
    Forces<V, 4, true> inner{};
    Inner()(group, surface, of, shell_before, StateAfter<V>{after.first + skipped}, inner);
    const V thickness = shell_before.load(shell::kThickness);

    spread_forces(last, end, inner.f, inner.m, out.f);
    const V work =
        stretch_fibers(group, halfway, last, middle.area, end.area, dt, of.living, before, after, out.f);
    out.internal = inner.internal + work;
    out.hourglass = inner.hourglass;
    if (group.stiffness_damping != 0) out.damping = inner.damping;
    out.step = fibers_step(group, last, end.area, thickness, inner.step);
    out.survives = inner.survives;
    out.acts = inner.acts;
    out.counts = inner.counts;
  }
};

/// ELFORM 1 of *SECTION_TSHELL.
struct OnePointLayersForm {
  static constexpr bool flatten = false;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(LayeredShell<shell::BelytschkoTsay<false>>());
  }
};

/// ELFORM 2 of *SECTION_TSHELL.
struct SelectiveLayersForm {
  static constexpr bool flatten = false;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(LayeredShell<shell::FullyIntegrated<false, shell::SelectiveStrains>>());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
