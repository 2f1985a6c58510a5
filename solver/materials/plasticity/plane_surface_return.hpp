// Implicit return to a yield surface f(s) = k in plane stress, for any smooth, convex surface whose function
// f is homogeneous of degree 1.
//
// At the end of the step (Simo and Hughes 1998, section 3.6; the flow rule is associated)
//
//   s - s_trial + dp C n = 0,   f(s) - k(p + dp) = 0,   n = df/ds,
//
// and as f is of degree 1, dp is both the multiplier and the plastic strain that is conjugate to f. Newton's
// method with the exact Hessian; steps are halved until the residual falls (Scherzinger 2017, Comput. Methods
// Appl. Mech. Eng. 317, p. 526), which surfaces with nearly sharp corners need far from the root. A lane
// whose residual is small takes one more full step, which squares it, and is frozen: its result does not
// depend on its neighbours, and numbers with derivatives have those of the root.
//
// A surface has `at(s)`, which returns a `SurfacePoint`; components are xx, yy, xy.
#pragma once

#include "materials/hooke.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// A yield function at a stress.
template <class V>
struct SurfacePoint {
  V f;
  V n[3];  ///< df/ds
  V h[6];  ///< its derivative: xx yy xy, then (xx, yy), (yy, xy), (xy, xx)
};

/// What the return gives.
template <class V>
struct SurfaceReturn {
  V s[3];
  V n[3];
  V dp;
};

namespace surface_return {

/// A point of the iteration, with its residual.
template <class V>
struct SurfaceState {
  V s[3], dp;
  SurfacePoint<V> surface;
  V slope;          ///< dk/dp
  V stress_gap[3];  ///< s - s_trial + dp C n
  V gap;            ///< f - k
  V merit;

  void take(const SurfaceState& o, simd::mask_t<V> where) {
    for (int i = 0; i < 3; ++i) {
      s[i] = simd::select(where, o.s[i], s[i]);
      surface.n[i] = simd::select(where, o.surface.n[i], surface.n[i]);
      stress_gap[i] = simd::select(where, o.stress_gap[i], stress_gap[i]);
    }
    for (int i = 0; i < 6; ++i) surface.h[i] = simd::select(where, o.surface.h[i], surface.h[i]);
    dp = simd::select(where, o.dp, dp);
    slope = simd::select(where, o.slope, slope);
    gap = simd::select(where, o.gap, gap);
    merit = simd::select(where, o.merit, merit);
  }
};

template <class V, class Surface, class Flow>
SurfaceState<V> surface_state(const ElasticLaw& e, const Surface& surface, const Flow& flow, V p,
                              const V (&trial)[3], const V (&s)[3], V dp) {
  SurfaceState<V> at{{s[0], s[1], s[2]}, dp, surface.at(s), V(0), {}, V(0), V(0)};
  V k(0);
  flow.at(p + dp, dp, k, at.slope);
  const V(&n)[3] = at.surface.n;
  const V plane = V(e.plane) * dp, nu(e.poisson);
  at.stress_gap[0] = s[0] - trial[0] + plane * (n[0] + nu * n[1]);
  at.stress_gap[1] = s[1] - trial[1] + plane * (n[1] + nu * n[0]);
  at.stress_gap[2] = s[2] - trial[2] + V(e.shear) * dp * n[2];
  at.gap = at.surface.f - k;
  at.merit = at.gap * at.gap;
  for (const V& g : at.stress_gap) at.merit += g * g;
  return at;
}

/// x of m x = b for a symmetric, positive m: xx yy zz, then (x, y), (y, z), (z, x).
template <class V>
void solve_three(const V (&m)[6], const V (&b)[3], V (&x)[3]) {
  const V inverse = V(1) / m[0], xy = m[3] * inverse, xz = m[5] * inverse;
  const V yy = m[1] - xy * m[3], yz = m[4] - xy * m[5];
  const V yz_share = yz / yy, zz = m[2] - xz * m[5] - yz_share * yz;
  const V y = b[1] - xy * b[0], z = b[2] - xz * b[0] - yz_share * y;
  x[2] = z / zz;
  x[1] = (y - yz * x[2]) / yy;
  x[0] = (b[0] - m[3] * x[1] - m[5] * x[2]) * inverse;
}

/// Newton's step.
template <class V>
void surface_step(const ElasticLaw& e, const SurfaceState<V>& at, V (&ds)[3], V& ddp) {
  const V compliance(1 / e.young), cross(-e.poisson / e.young), shear(1 / e.shear);
  const V(&r)[3] = at.stress_gap;
  const V(&n)[3] = at.surface.n;
  const V(&h)[6] = at.surface.h;
  const V m[6] = {compliance + at.dp * h[0],
                  compliance + at.dp * h[1],
                  shear + at.dp * h[2],
                  cross + at.dp * h[3],
                  at.dp * h[4],
                  at.dp * h[5]};
  const V strain[3] = {compliance * r[0] + cross * r[1], compliance * r[1] + cross * r[0], shear * r[2]};
  V y[3], z[3];
  solve_three(m, strain, y);
  solve_three(m, n, z);
  const V along = n[0] * y[0] + n[1] * y[1] + n[2] * y[2];
  const V stiff = n[0] * z[0] + n[1] * z[1] + n[2] * z[2];
  ddp = (at.gap - along) / (stiff + at.slope);
  for (int i = 0; i < 3; ++i) ds[i] = -(y[i] + z[i] * ddp);
}

}  // namespace surface_return

/// The return from `trial` on the lanes that yield; `yield` is k at the beginning, for tolerances.
template <class V, class Surface, class Flow>
SurfaceReturn<V> return_to_surface(const ElasticLaw& e, const Surface& surface, const Flow& flow, V p,
                                   const V (&trial)[3], simd::mask_t<V> yields) {
  constexpr bool single = sizeof(simd::scalar_t<V>) == sizeof(float);
  constexpr double tolerance = single ? 1e-4 : 1e-7, least_fall = 1e-4;
  constexpr int most_steps = 40, most_halvings = 8;
  const V small = V(tolerance * tolerance) * flow.yield() * flow.yield();
  auto now = surface_return::surface_state(e, surface, flow, p, trial, trial, V(0));
  simd::mask_t<V> active = yields;
  for (int n = 0; n < most_steps && simd::any(active); ++n) {
    V ds[3], ddp(0), part(1);
    surface_return::surface_step(e, now, ds, ddp);
    const auto moved = [&] {
      const V s[3] = {now.s[0] + part * ds[0], now.s[1] + part * ds[1], now.s[2] + part * ds[2]};
      return surface_return::surface_state(e, surface, flow, p, trial, s,
                                           simd::max(now.dp + part * ddp, V(0)));
    };
    const simd::mask_t<V> last = now.merit <= small;
    auto next = moved();
    const auto rises = [&] {
      return active && !last && !(next.merit <= (V(1) - V(least_fall) * part) * now.merit);
    };
    simd::mask_t<V> bad = rises();
    for (int k = 0; k < most_halvings && simd::any(bad); ++k) {
      part = simd::select(bad, V(0.5) * part, part);
      next.take(moved(), bad);
      bad = rises();
    }
    now.take(next, active);
    active = active && !last;
  }
  return {{now.s[0], now.s[1], now.s[2]}, {now.surface.n[0], now.surface.n[1], now.surface.n[2]}, now.dp};
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
