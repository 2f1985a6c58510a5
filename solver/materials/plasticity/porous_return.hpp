// The yield surface of Gurson, Tvergaard and Needleman for porous metals, and the implicit return to it.
//
// With the mean stress m, von Mises's stress q and c = q1 f*, b = 1.5 q2 (Gurson 1977; Tvergaard 1981;
// Tvergaard and Needleman 1984)
//
//   (q / k)^2 + 2 c cosh(b m / k) - 1 - c^2 = 0.
//
// The k that solves this for a stress is a function of degree 1, k(m, q). With h = b m / k, Q = q / k and
// D = Q^2 + c h sinh h its derivatives are
//
//   dk/dm = c b sinh h / D,   dk/dq = Q / D,
//
// and its Hessian has the vector (q, -m) only. It is increasing and convex, so 1 / k is found by Newton's
// method from above, where the bounds of either term alone meet: q / k <= 1 - c, b |m| / k <= -ln c.
//
// In three dimensions the return has two unknown stresses, m and r = q; in plane stress also two: m, which
// is then a third of s_x + s_y, and the radius r of the other components: q^2 = 9/4 m^2 + r^2. At the end of
// the step, with n the gradient over (m, r) and l the increment that is conjugate to k,
//
//   m = m_trial - M l n_m,   r = r_trial - 3 G l n_r,   k(m, r) = flow stress at p + l / (1 - f),
//
// M = K in solids and 2 E / (9 (1 - nu)) in plane stress. The last is the equivalence of plastic work, s : de
// = (1 - f) k dp. Newton's method with halved steps, as in plane_surface_return.hpp.
#pragma once

#include "materials/hooke.hpp"
#include "simd/math.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// The surface of a point, with its voids.
template <class V>
struct PorousSurface {
  V c;           ///< q1 f*, below 1
  double b = 1;  ///< 1.5 q2
  double share;  ///< of m^2 in q^2: 0, or 9/4 in plane stress
};

/// k at (m, r), with its derivatives.
template <class V>
struct PorousPoint {
  V k, m, r;     ///< k, and dk/dm, dk/dr
  V volume;      ///< dk/dm at a constant q: the volume that flow gives
  V mm, rr, mr;  ///< second derivatives
};

namespace porous_return {

/// 1 / k.
template <class V>
V inverse_stress(const PorousSurface<V>& of, V m, V q) {
  constexpr double tolerance = sizeof(simd::scalar_t<V>) == sizeof(float) ? 1e-4 : 1e-10;
  constexpr int most_steps = 30;
  const V tiny(1e-20), across = V(of.b) * simd::abs(m);
  const V of_q = (V(1) - of.c) / simd::max(q, tiny), of_m = -simd::log(of.c) / simd::max(across, tiny);
  V u = simd::min(simd::min(of_q, of_m), V(1e15));
  const V bound = V(1) + of.c * of.c;
  simd::mask_t<V> active = q + across > tiny;
  for (int n = 0; n < most_steps && simd::any(active); ++n) {
    const V grown = simd::exp(across * u), shrunk = V(1) / grown;
    const V size = q * u, both = of.c * (grown + shrunk);
    const V left = size * size + both - bound;
    const V slope = V(2) * q * size + of.c * across * (grown - shrunk);
    u = simd::select(active, u - left / simd::select(active, slope, V(1)), u);
    active = active && simd::abs(left) > V(tolerance);
  }
  return u;
}

template <class V>
PorousPoint<V> at(const PorousSurface<V>& of, V m, V r) {
  const V b(of.b), share(of.share), c = of.c;
  const V q = simd::sqrt(simd::max(share * m * m + r * r, V(1e-30)));
  const V u = inverse_stress(of, m, q), h = b * m * u, size = q * u;
  const V grown = simd::exp(h), shrunk = V(1) / grown;
  const V sinh = V(0.5) * (grown - shrunk), cosh = V(0.5) * (grown + shrunk);
  const V square = size * size, d = square + c * h * sinh, per = V(1) / d;
  const V rise = c * h * cosh - c * sinh;  // dD / dh
  const V cubed = per * per * per, bend = c * (cosh * d - sinh * rise);
  // Over m and q
  const V of_m = c * b * sinh * per, of_q = size * per;
  const V mm = bend * b * b * u * square * cubed, mq = -(bend * b * h * u * size * cubed);
  const V qq = h * u * (c * sinh * d + square * rise) * cubed;
  // Over m and r: q' = share m / q, r / q
  const V per_q = V(1) / q, qm = share * m * per_q, qr = r * per_q, bent = share * of_q * per_q;
  return {V(1) / u,
          of_m + of_q * qm,
          of_q * qr,
          of_m,
          mm + V(2) * mq * qm + qq * qm * qm + bent * qr * qr,
          qq * qr * qr + bent * m * m * per_q * per_q,
          mq * qr + qq * qm * qr - bent * m * r * per_q * per_q};
}

/// A point of the iteration, with its residual.
template <class V>
struct PorousState {
  V m, r, l;
  PorousPoint<V> surface;
  V slope;  ///< of the flow stress over l
  V gap_m, gap_r, gap, merit;

  void take(const PorousState& o, simd::mask_t<V> where) {
    V* const mine[] = {&m,         &r,          &l,          &surface.k,  &surface.m,
                       &surface.r, &surface.mm, &surface.rr, &surface.mr, &surface.volume,
                       &slope,     &gap_m,      &gap_r,      &gap,        &merit};
    const V* const its[] = {&o.m,         &o.r,          &o.l,          &o.surface.k,  &o.surface.m,
                            &o.surface.r, &o.surface.mm, &o.surface.rr, &o.surface.mr, &o.surface.volume,
                            &o.slope,     &o.gap_m,      &o.gap_r,      &o.gap,        &o.merit};
    for (int k = 0; k < 15; ++k) *mine[k] = simd::select(where, *its[k], *mine[k]);
  }
};

/// What a step returns from, and its moduli.
template <class V, class Flow>
struct PorousStep {
  const PorousSurface<V>& surface;
  const Flow& flow;
  V p, per_solid;  ///< plastic strain, 1 / (1 - f)
  V trial_m, trial_r;
  double modulus_m, modulus_r;

  PorousState<V> state(V m, V r, V l) const {
    PorousState<V> s{m, r, l, at(surface, m, r), V(0), V(0), V(0), V(0), V(0)};
    V k(0);
    const V dp = per_solid * l;
    flow.at(p + dp, dp, k, s.slope);
    s.slope *= per_solid;
    s.gap_m = m - trial_m + V(modulus_m) * l * s.surface.m;
    s.gap_r = r - trial_r + V(modulus_r) * l * s.surface.r;
    s.gap = s.surface.k - k;
    s.merit = s.gap_m * s.gap_m + s.gap_r * s.gap_r + s.gap * s.gap;
    return s;
  }

  /// Newton's step.
  void newton(const PorousState<V>& s, V& dm, V& dr, V& dl) const {
    const V per_m(1 / modulus_m), per_r(1 / modulus_r);
    const V mm = per_m + s.l * s.surface.mm, rr = per_r + s.l * s.surface.rr, mr = s.l * s.surface.mr;
    const V inverse = V(1) / (mm * rr - mr * mr);
    const V a = per_m * s.gap_m, b = per_r * s.gap_r, n = s.surface.m, o = s.surface.r;
    const V ym = inverse * (rr * a - mr * b), yr = inverse * (mm * b - mr * a);
    const V zm = inverse * (rr * n - mr * o), zr = inverse * (mm * o - mr * n);
    dl = (s.gap - (n * ym + o * yr)) / (n * zm + o * zr + s.slope);
    dm = -(ym + zm * dl);
    dr = -(yr + zr * dl);
  }
};

}  // namespace porous_return

/// What the return gives; l is conjugate to k.
template <class V>
struct PorousReturn {
  V m, r, l;
  V of_m, volume;  ///< dk/dm, and dk/dm at a constant q
};

/// The return on the lanes that yield.
template <class V, class Flow>
PorousReturn<V> return_to_porous(const porous_return::PorousStep<V, Flow>& step, simd::mask_t<V> yields) {
  constexpr bool single = sizeof(simd::scalar_t<V>) == sizeof(float);
  constexpr double tolerance = single ? 1e-4 : 1e-7, least_fall = 1e-4;
  constexpr int most_steps = 40, most_halvings = 8;
  const V small = V(tolerance * tolerance) * step.flow.yield() * step.flow.yield();
  auto now = step.state(step.trial_m, step.trial_r, V(0));
  simd::mask_t<V> active = yields;
  for (int n = 0; n < most_steps && simd::any(active); ++n) {
    V dm(0), dr(0), dl(0), part(1);
    step.newton(now, dm, dr, dl);
    const auto moved = [&] {
      return step.state(now.m + part * dm, now.r + part * dr, simd::max(now.l + part * dl, V(0)));
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
  return {now.m, now.r, now.l, now.surface.m, now.surface.volume};
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
