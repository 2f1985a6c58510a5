// Stress update of the points through the thickness of a shell, and its stress resultants.
//
// Layout of a shell's state (elements/kernel.hpp: variable k of lane l at [k * kLanes + l]):
//   0 thickness, 1-5 hourglass stresses (membrane x, y, bending x, y, warping), 6 number of failed points,
//   then per point: 6 stresses in the corotational frame, plastic strain, history, failed flag;
//   with drilling stiffness, the moments of 4 corners; last, where elements have offsets of their own, the
//   offset.
#pragma once

#include <cmath>
#include <cstdint>

#include "elements/element.hpp"
#include "elements/failed_points.hpp"
#include "elements/kernel.hpp"
#include "elements/shell/state.hpp"
#include "elements/stiffness_damping.hpp"
#include "materials/update.hpp"
#include "simd/vec.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

using simd::scalar_t;

/// Strain increments of one in-plane point: strain at height z is membrane + z * curvature.
template <class V>
struct Increment {
  V membrane[3];   ///< xx, yy, xy (engineering)
  V curvature[3];  ///< xx, yy, xy (engineering)
  V shear[2];      ///< yz, zx (engineering)

  /// Zero where the mask is false: a deleted lane may hold NaN, and its state must not change.
  void keep(simd::mask_t<V> where) {
    for (V& d : membrane) d = simd::select(where, d, V(0));
    for (V& d : curvature) d = simd::select(where, d, V(0));
    for (V& d : shear) d = simd::select(where, d, V(0));
  }
};

/// Integrals of stress through the thickness, per unit area. The shear is without the shear factor.
template <class V>
struct Resultants {
  V force[3] = {V(0), V(0), V(0)};   ///< xx, yy, xy
  V moment[3] = {V(0), V(0), V(0)};  ///< xx, yy, xy
  V shear[2] = {V(0), V(0)};         ///< yz, zx
  V work = V(0);                     ///< stress power times dt (trapezoidal rule), with the shear factor
  V thinning = V(0);                 ///< mean thickness strain increment
  V taken = V(0);                    ///< energy of stiffness damping, with the shear factor
};

/// Data of an element's layers and of the step.
template <class V>
struct Laminate {
  V thickness, offset;  ///< offset: middle minus reference surface, along the normal
  V dt;
  V damping;  ///< time of stiffness damping over the time step, 0 without
};

/// Add the viscous stresses of stiffness damping at strain increment d, with weights w and w z, to
/// resultants.
template <class V>
inline void damp_layer(const GroupParameters& g, V rate, const V (&d)[6], V w, V z, Resultants<V>& r) {
  const V young = V(g.young / (1 - g.poisson * g.poisson)) * rate, shear = V(g.shear) * rate, nu(g.poisson);
  const V s[3] = {young * (d[0] + nu * d[1]), young * (d[1] + nu * d[0]), shear * d[3]};
  const V across[2] = {shear * d[4], shear * d[5]};
  for (int k = 0; k < 3; ++k) {
    r.force[k] += w * s[k];
    r.moment[k] += w * z * s[k];
  }
  for (int k = 0; k < 2; ++k) r.shear[k] += w * across[k];
  r.taken += w * (s[0] * d[0] + s[1] * d[1] + s[2] * d[3] +
                  V(g.shear_factor) * (across[0] * d[4] + across[1] * d[5]));
}

/// Indices of the plane stress components among the six.
inline constexpr int kStresses[5] = {0, 1, 3, 4, 5};

/// Where a layer's variables are. With several layers, each is `apart` values after the one before.
template <class V>
struct LayerState {
  scalar_t<V>* first;
  std::ptrdiff_t apart;

  V load(int variable) const { return simd::load<V>(first + variable * kLanes, apart); }
  void store(int variable, V value) const { simd::store(first + variable * kLanes, apart, value); }
  /// Prefetch the in-plane stresses, plastic strain and history of W lanes at distance `distance`.
  template <int W>
  [[gnu::always_inline]] void prefetch(std::ptrdiff_t distance, int n_history) const {
    simd::each_part<V>([&](auto i) {
      const scalar_t<V>* next = first + distance + i * apart;
      prefetch_rows<W>(next, 2);
      prefetch_rows<W>(next + 3 * kLanes, 4 + n_history);
    });
  }
};

/// Zero the stress of points that have failed, now or before; returns 1 for those that failed now.
template <class V>
inline V drop_failed(const LayerState<V>& state, int flag, materials::ShellPoint<V>& p) {
  const V before = state.load(flag);
  const V now = simd::select(p.failed, V(1), before);
  state.store(flag, now);
  for (V& s : p.s) s = simd::select(now > V(0), V(0), s);
  return now - before;
}

/// The update of a point by its layer's law.
template <class V>
[[gnu::noinline]] void update_in_layer(const Layer& layer, materials::ShellPoint<V>& p) {
  materials::update_shell(layer.law, p);
}

/// Data that all points of the W elements share.
template <class V>
struct Points {
  const GroupParameters& group;
  const Laminate<V>& laminate;
  int point_stride;
  V half_thickness;
  bool had_failed;
  std::ptrdiff_t next_block;  ///< distance to the state of the next block's elements
};

/// A column of points through the thickness: its strain increments and stress resultants.
template <class V>
struct Column {
  Increment<V> increment;
  Resultants<V> resultants;
};

/// Where a point is.
template <class V>
struct PointPlace {
  Column<V>* column;
  int layer;

  /// Order of points: all points of one column, then those of the next of N columns.
  template <int N>
  PointPlace next(int layers) const {
    return N == 1 || layer + 1 < layers ? PointPlace{column, layer + 1} : PointPlace{column + 1, 0};
  }
};

/// Update the points at `places`, one per part of P; their state starts at `state`.
template <class P, class V>
inline void integrate_points(const Points<V>& of, const PointPlace<V> (&places)[simd::parts_v<P>],
                             scalar_t<V>* state, V& n_failed) {
  const GroupParameters& g = of.group;
  const LayerState<P> kept{state, of.point_stride * kLanes};
  const V kappa(g.shear_factor), half(0.5);
  const auto join = [](auto part) { return simd::join<P>(part); };
  const P z = join(
      [&](auto i) { return of.half_thickness * V(g.layers[places[i].layer].zeta) + of.laminate.offset; });
  materials::ShellPoint<P> p;
  kept.template prefetch<simd::width_v<V>>(of.next_block, g.n_history);
  P before[6];
#pragma GCC unroll 5
  for (int k = 0; k < 5; ++k) before[kStresses[k]] = p.s[kStresses[k]] = kept.load(kStresses[k]);
  p.s[2] = P(0);
  constexpr int at[3] = {0, 1, 3};
  for (int k = 0; k < 3; ++k)
    p.d[at[k]] = join([&](auto i) {
      const Increment<V>& increment = places[i].column->increment;
      return increment.membrane[k] + simd::part<i>(z) * increment.curvature[k];
    });
  p.d[2] = P(0);
  for (int k = 0; k < 2; ++k) p.d[4 + k] = join([&](auto i) { return places[i].column->increment.shear[k]; });
  p.plastic_strain = kept.load(kPlasticStrain);
  p.history = {state + kHistory * kLanes, kLanes, kept.apart};
  p.dt = join([&](auto) { return of.laminate.dt; });
  p.failed = P(0) > P(0);
  const P d[6] = {p.d[0], p.d[1], P(0), p.d[3], p.d[4], p.d[5]};

  if constexpr (simd::parts_v<P> == 1) {
    if (g.laminated)
      update_in_layer(g.layers[places[0].layer], p);
    else
      materials::update_shell(g.law, p);
  } else {
    materials::update_shell(g.law, p);
  }
  const int flag = of.point_stride - 1;
  P new_failed(0);
  if (of.had_failed || simd::any(p.failed)) new_failed = drop_failed(kept, flag, p);

  simd::each_part<P>([&](auto i) {
    const auto of_part = [](const P& all) { return simd::part<decltype(i)::value>(all); };
    n_failed += of_part(new_failed);
    V s[6], s0[6], e[6];
#pragma GCC unroll 5
    for (int n = 0; n < 5; ++n) {
      const int k = kStresses[n];
      s[k] = of_part(p.s[k]), s0[k] = of_part(before[k]), e[k] = of_part(d[k]);
    }
    const double weight = g.layers[places[i].layer].weight;
    const V w = of.half_thickness * V(weight), wz = w * of_part(z);
    Resultants<V>& r = places[i].column->resultants;
    r.force[0] += w * s[0];
    r.force[1] += w * s[1];
    r.force[2] += w * s[3];
    r.moment[0] += wz * s[0];
    r.moment[1] += wz * s[1];
    r.moment[2] += wz * s[3];
    r.shear[0] += w * s[4];
    r.shear[1] += w * s[5];
    const V in_plane = (s0[0] + s[0]) * e[0] + (s0[1] + s[1]) * e[1] + (s0[3] + s[3]) * e[3];
    const V across = (s0[4] + s[4]) * e[4] + (s0[5] + s[5]) * e[5];
    r.work += half * w * (in_plane + kappa * across);
    r.thinning += V(0.5 * weight) * of_part(p.d[2]);
    if (g.stiffness_damping != 0) {
      const V lost = of.had_failed || simd::any(n_failed > V(0)) ? of_part(kept.load(flag)) : V(0);
      e[2] = V(0);
      damp_layer(g, simd::select(lost > V(0), V(0), of.laminate.damping), e, w, of_part(z), r);
    }
  });
#pragma GCC unroll 5
  for (int k = 0; k < 5; ++k) kept.store(kStresses[k], p.s[kStresses[k]]);
  kept.store(kPlasticStrain, p.plastic_strain);
}

/// Update all points of N columns with `n_layers` each, and add to the columns' resultants. The state of the
/// first point is at `state`, each next one `point_stride` variables further.
///
/// The law updates two points together: the return to the yield surface is one chain of divisions and roots,
/// whose latency would be idle time with a single point. Layers with different laws are updated one by one.
template <class V, int N>
inline void integrate_columns(const GroupParameters& g, int n_layers, int point_stride, scalar_t<V>* state,
                              const Laminate<V>& laminate, Column<V> (&columns)[N], V& n_failed) {
  const Points<V> points{g,
                         laminate,
                         point_stride,
                         V(0.5) * laminate.thickness,
                         simd::any(n_failed > V(0)),
                         shell_variables(g) * kLanes};
  PointPlace<V> place{columns, 0};
  int left = N * n_layers;
  if constexpr (simd::width_v < V >> 1) {
    for (; left > 1 && !g.laminated; left -= 2, state += 2 * point_stride * kLanes) {
      const PointPlace<V> second = place.template next<N>(n_layers);
      integrate_points<simd::several_t<V, 2>>(points, {place, second}, state, n_failed);
      place = second.template next<N>(n_layers);
    }
  }
  for (; left > 0; --left, state += point_stride * kLanes) {
    integrate_points<V>(points, {place}, state, n_failed);
    place = place.template next<N>(n_layers);
  }
}

/// Prefetch the state of the same lanes in the next block, except their points.
template <bool hourglass, class V>
[[gnu::always_inline]] inline void prefetch_shell(const StateBefore<V>& before) {
  if constexpr (hourglass) {
    before.prefetch(0, kFirstPoint);
  } else {
    before.prefetch(kThickness, 1);
    before.prefetch(kFailedCount, 1);
  }
}

/// Shells of a null law carry no force and do not limit the time step: they serve contact only.
inline bool is_null(const GroupParameters& g) { return g.law.row->null; }

/// The step given to laws. They divide by it, so it is not 0 at the first call, where all increments are
/// zero.
template <class V>
inline V law_step(double dt) {
  return V(dt > 0 ? dt : 1.0);
}

/// Offset of the middle surface from the nodes, along the normal.
template <class V>
inline V middle_offset(const GroupParameters& g, const StateBefore<V>& before, V thickness) {
  return g.own_offsets ? before.load(offset_at(g)) : V(-0.5 * g.nloc) * thickness;
}

/// Unscaled stable step of a plate element: length over sqrt(E / (rho (1 - nu^2))).
///
/// With the middle offset from the nodes by o, membrane forces act on rotations too. For velocities v + w x o
/// e3 and nodes with mass m and inertia m r^2, the membrane's eigenvalue is 1 + o^2 / r^2 times that without
/// offset.
template <class V>
inline V plate_step(const GroupParameters& g, V length, V area, V thickness, V offset) {
  const V step = length * V(std::sqrt(g.density * (1 - g.poisson * g.poisson) / g.young));
  if (!g.own_offsets && g.nloc == 0) return step;
  return step / simd::sqrt(V(1) + offset * offset / rotary_radius2(area, thickness));
}

/// Store thickness and number of failed points for the next step. Returns which elements survive: those that
/// were not deleted before and in which not enough points have failed for deletion.
template <class V>
inline simd::mask_t<V> finish_state(const GroupParameters& g, const StateAfter<V>& after,
                                    simd::mask_t<V> living, V thickness, V thinning, V n_failed) {
  if (g.thickness_update) after.store(kThickness, thickness * (V(1) + thinning));
  after.store(kFailedCount, n_failed);
  const scalar_t<V>* history = after.from(kFirstPoint + kHistory);
  return living && !enough_failed(g, n_failed, history, point_stride(g));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
