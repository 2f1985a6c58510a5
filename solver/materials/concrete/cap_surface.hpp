// The yield surface of concrete with a moving cap, and the return to it.
//
// With I = -tr(s), positive in compression, r = sqrt(J2) and the angle b of the deviator, sin 3b = -3 sqrt(3)
// J3 / (2 r^3), which is pi/6 in triaxial compression, 0 in torsion and -pi/6 in triaxial extension (Murray
// 2007, FHWA-HRT-05-062, chapter 2, "Yield surface"):
//
//   F = r^2 - (R F_f)^2 F_c = 0,      F_f(I) = alpha - lambda exp(-beta I) + theta I
//   F_c = 1 - ((I - L) / (X - L))^2 where I > L, else 1,      X = L + CR F_f(L)
//   e = W (1 - exp(-D1 (X - X0) - D2 (X - X0)^2))              plastic compaction
//
// R(Q1, Q2, b) is Rubin's function (Rubin 1991, J. Eng. Mech. 117, p. 1412): 1 in compression, Q1 in torsion
// and Q2 in extension. Both have the form of F_f over I in compression; in tension they are 1 / sqrt(3) and
// 1 / 2, a triangle. Beyond the tip, F_f = 0, F = r^2 + (R F_f)^2.
//
// Flow is associated in the plane of I and r at a constant b, our reading: along b R has corners. The return
// is by cutting planes (Simo and Ortiz 1985, Comput. Methods Appl. Mech. Eng. 49, p. 221) with the moving
// cap in their slope; what comes close to the tip, where F has no slope, ends on the tip. The cap does not
// fall below X0; with `retracts` plastic dilation moves it back.
#pragma once

#include "materials/concrete/sloped.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

/// alpha - lambda exp(-beta I) + theta I.
struct CapMeridian {
  double alpha = 0, lambda = 0, beta = 0, theta = 0;
};

struct CapSurface {
  CapMeridian compression, torsion, extension;
  double tip = 0;                              ///< I at F_f = 0
  double ratio = 0, first_cap = 0;             ///< R of the cards, X0
  double first_edge = 0;                       ///< L at X0
  double most_compaction = 0, d1 = 0, d2 = 0;  ///< W, D1, D2
  bool retracts = false;
  double scale = 0;  ///< F_f(0)
};

inline namespace CRUMPLE_ISA {

template <class V>
Sloped<V> meridian(const CapMeridian& m, V i) {
  const V fading = V(m.lambda) * simd::exp(V(-m.beta) * i);
  return {V(m.alpha) - fading + V(m.theta) * i, V(m.beta) * fading + V(m.theta)};
}

/// Rubin's function of the strengths in torsion and extension over that in compression.
template <class V>
Sloped<V> rubin(const Sloped<V>& q1, const Sloped<V>& q2, V sine, V cosine) {
  const auto number = [](double x) { return constant_along(V(x)); };
  const Sloped<V> two = number(2), four = number(4), less = q2 - number(1);
  const Sloped<V> a1 = number(1.7320508075688772) * q2 + two * q1 * less;
  const Sloped<V> a0 = two * q1 * q1 * less;
  const Sloped<V> a = (root_of(a1 * a1 - four * q2 * a0) - a1) / (two * q2);
  const Sloped<V> wide = two * q1 + a, b = wide * wide - number(3);
  const Sloped<V> c = constant_along(cosine) - a * constant_along(sine);
  const Sloped<V> b2 = c * c + b * constant_along(V(sine * sine)), b1 = a * c;
  const Sloped<V> b0 = (a * a - b - number(3)) * number(0.25);
  return (root_of(b1 * b1 - four * b2 * b0) - b1) / (two * b2);
}

/// The direction of a deviator.
template <class V>
struct DeviatorAngle {
  V sine, cosine;
};

/// R F_f over I, straight beyond the tip.
template <class V>
Sloped<V> shear_strength(const CapSurface& p, V i, const DeviatorAngle<V>& angle) {
  const simd::mask_t<V> pressed = i > V(0);
  const V pressure = simd::max(i, V(0));
  const auto ratio = [&](const CapMeridian& m, double in_tension) {
    const Sloped<V> of = meridian(m, pressure);
    return Sloped<V>{simd::select(pressed, of.at, V(in_tension)), simd::select(pressed, of.slope, V(0))};
  };
  const Sloped<V> q1 = ratio(p.torsion, 0.57735026918962576), q2 = ratio(p.extension, 0.5);
  const V inside = simd::max(i, V(p.tip));
  Sloped<V> compression = meridian(p.compression, inside);
  compression.at += compression.slope * (i - inside);
  return rubin(q1, q2, angle.sine, angle.cosine) * compression;
}

/// The cap: where it begins and ends, how far it has moved.
template <class V>
struct ConcreteCap {
  V edge, compaction;  ///< L, e
};

/// dX/de.
template <class V>
V cap_speed(const CapSurface& p, V compaction) {
  const V left = V(p.most_compaction) - compaction;
  const V z = -simd::log(left * V(1 / p.most_compaction));
  return V(1) / (left * simd::sqrt(V(p.d1 * p.d1) + V(4 * p.d2) * z));
}

/// The cap at a plastic compaction, found from where it was by Newton's method.
template <class V>
ConcreteCap<V> cap_at(const CapSurface& p, V compaction, V edge) {
  const V most(p.most_compaction);
  const V e = simd::min(simd::max(compaction, V(0)), V(1 - 1e-6) * most);
  const V z = -simd::log(V(1) - e * V(1 / p.most_compaction));
  const V x = V(p.first_cap) + (z + z) / (V(p.d1) + simd::sqrt(V(p.d1 * p.d1) + V(4 * p.d2) * z));
  for (int n = 0; n < 4; ++n) {
    const Sloped<V> f = meridian(p.compression, edge);
    edge -= (edge + V(p.ratio) * f.at - x) / (V(1) + V(p.ratio) * f.slope);
  }
  return {edge, e};
}

/// (R F_f)^2 F_c, and its slopes over I and over the motion of the cap L.
template <class V>
struct CapRadius {
  V square, by_i, by_edge;
};

template <class V>
CapRadius<V> cap_radius(const CapSurface& p, V i, V edge, const DeviatorAngle<V>& angle) {
  const Sloped<V> strength = shear_strength(p, i, angle);
  const V size = simd::abs(strength.at);
  const V square = size * strength.at, slope = (size + size) * strength.slope;
  const Sloped<V> at_edge = meridian(p.compression, edge);
  const V length = V(p.ratio) * at_edge.at;
  const V q = simd::max(i - edge, V(0)) / length, twice = (q + q) / length;
  const V cap = V(1) - q * q;
  return {square * cap, slope * cap - square * twice,
          square * twice * (V(1) + q * V(p.ratio) * at_edge.slope)};
}

/// A point of the plane of I and r, with its cap.
template <class V>
struct CapPoint {
  V i, r;
  ConcreteCap<V> cap;
  simd::mask_t<V> dilates;  ///< has been returned where flow grows the volume
};

/// Where the return has not converged: straight back on the surface, at a constant pressure.
template <class V>
void end_straight(const CapSurface& p, const DeviatorAngle<V>& angle, simd::mask_t<V> where,
                  CapPoint<V>& to) {
  const V i = simd::max(to.i, V(p.tip));
  const V radius = cap_radius(p, i, to.cap.edge, angle).square;
  const V r = simd::min(to.r, simd::sqrt(simd::max(radius, V(0))));
  to.i = simd::select(where, i, to.i);
  to.r = simd::select(where, r, to.r);
}

/// Plastic compaction over the multiplier of the flow, as far as the cap follows it.
template <class V>
V compaction_speed(const CapSurface& p, V by_i, const ConcreteCap<V>& cap) {
  const V pull = V(-3) * by_i, pressed = simd::max(pull, V(0));
  return p.retracts ? simd::select(cap.compaction > V(0), pull, pressed) : pressed;
}

/// The return of a trial stress.
template <class V>
CapPoint<V> return_to_cap(const CapSurface& p, double bulk, double shear, const DeviatorAngle<V>& angle,
                          const CapPoint<V>& trial) {
  constexpr bool single = sizeof(simd::scalar_t<V>) == sizeof(float);
  constexpr double tolerance = single ? 1e-6 : 1e-12;
  constexpr int most_steps = 30;
  const V small(tolerance * p.scale * p.scale), near_tip((1 - 1e-4) * p.tip);
  CapPoint<V> to = trial;
  CapRadius<V> radius = cap_radius(p, to.i, to.cap.edge, angle);
  simd::mask_t<V> active = to.r * to.r - radius.square > small;
  const simd::mask_t<V> yields = active;
  for (int n = 0; n < most_steps && simd::any(active); ++n) {
    const V excess = to.r * to.r - radius.square;
    // One more step on the surface, for derivatives; what ends on the tip needs none.
    const simd::mask_t<V> last = excess <= small || (to.i < near_tip && to.r < V(1e-3 * p.scale));
    const V along = V(9 * bulk) * radius.by_i, across = V(4 * shear) * to.r * to.r;
    const V pull = compaction_speed(p, radius.by_i, to.cap);
    const V edge_slope = V(1) + V(p.ratio) * meridian(p.compression, to.cap.edge).slope;
    const V hardening = radius.by_edge * pull * cap_speed(p, to.cap.compaction) / edge_slope;
    const V l = excess / simd::max(along * radius.by_i + across + hardening, V(1e-30));
    const ConcreteCap<V> cap = cap_at(p, to.cap.compaction + l * pull, to.cap.edge);
    to.i = simd::select(active, to.i + l * along, to.i);
    to.r = simd::select(active, to.r * simd::max(V(1) - V(2 * shear) * l, V(0.25)), to.r);
    to.cap.edge = simd::select(active, cap.edge, to.cap.edge);
    to.cap.compaction = simd::select(active, cap.compaction, to.cap.compaction);
    radius = cap_radius(p, to.i, to.cap.edge, angle);
    active = active && !last;
  }
  const simd::mask_t<V> tip = yields && to.i < near_tip;
  to.dilates = yields && (radius.by_i > V(0) || tip);
  if (simd::any(active)) end_straight(p, angle, active, to);
  to.i = simd::select(tip, V(p.tip), to.i);
  to.r = simd::select(tip, V(0), to.r);
  return to;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
