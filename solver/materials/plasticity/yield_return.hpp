// Implicit return to the yield surface at the end of a step, with one mode (three dimensions) or two.
//
// Exact for piecewise linear hardening: radial return in three dimensions (Wilkins 1964; Krieg and
// Krieg 1977), and the return in the space of plane stress (Simo and Taylor 1986; Simo and Hughes 1998, box
// 3.3), which for a beam fibre is the same with other eigenvalues. Let eta be the relative stress (stress
// minus back stress), q its equivalent stress and dp = lambda q the plastic strain increment. In each
// eigenmode of the elasticity eta is multiplied by 1 / (1 + a lambda):
//
//   q^2(lambda) = A / (1 + a lambda)^2 + B / (1 + b lambda)^2,   q(lambda) = k(p + lambda q)
//
//   plane stress  A = (eta_x + eta_y)^2 / 4, a = E / (2 (1 - nu));   B = the rest, b = 3 G
//   beam fibre    A = eta_xx^2,              a = E;                  B = 3 |shear|^2, b = 3 G
//
// and a, b grow by the modulus H_k of Prager's kinematic hardening. Solved on k / q - 1, nearly linear in
// lambda: Halley's step from lambda = 0, where both derivatives cost little, then Newton's method, guarded by
// a bracket. A lane stops at a small residual (BracketedNewton) and takes one more step. Then it is within
// 1e-10 (double) or a few units of the last place (single) of the yield surface, or within 1e-6 if that step
// passes a corner of the flow curve. A lane that has stopped is frozen, so its result does not depend on its
// neighbours.
#pragma once

#include <limits>

#include "materials/plasticity/flow_stress.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// Newton's method for an increasing function, kept inside a bracket [low, high] by bisection.
template <class V>
struct BracketedNewton {
  V x, low, high;
  simd::mask_t<V> active;

  static constexpr int kMostIterations = 40;
  static constexpr double kTolerance = sizeof(simd::scalar_t<V>) == sizeof(float) ? 1e-5 : 1e-9;
  /// Small enough where the function is smooth and nearly linear: one more step squares the residual.
  static constexpr double kSmoothTolerance = 1e-5;

  /// Start at `guess` if it is in the bracket, else at `low`.
  void begin(V guess) { x = simd::select(guess >= low && guess <= high, guess, low); }

  /// Go to `next`, the root of the tangent at x, where the function has the value `residual`.
  void advance(V residual, V next) {
    const simd::mask_t<V> left = residual < V(0);
    low = simd::select(active && left, x, low);
    high = simd::select(active && !left, x, high);
    next = simd::select(next >= low && next <= high, next, V(0.5) * (low + high));
    x = simd::select(active, next, x);
  }
};

/// Newton's step from x, taken in x^(1 / power), in which the function is smooth.
template <class V>
V power_step(V x, V step, double power) {
  return x * simd::pow(simd::max(V(1) + step / (x * V(power)), V(0)), V(power));
}

/// Increment dp of plastic strain that solves q - b dp = k(p + dp) on the lanes that yield, 0 on others.
template <class V, class Flow>
V radial_increment(V q, double b, V p, simd::mask_t<V> yields, const Flow& flow) {
  const V excess = q - flow.yield();
  BracketedNewton<V> newton{V(0), V(0), q * V(1 / b), yields};
  if (flow.is_power())
    newton.x = simd::max(simd::min(excess * V(1 / b), flow.most(excess)), V(1e-20) * newton.high);
  else
    newton.begin(excess / (V(b) + flow.slope()));
  for (int n = 0; n < newton.kMostIterations && simd::any(newton.active); ++n) {
    const V x = newton.x;
    V k, slope;
    flow.at(p + x, x, k, slope);
    const V residual = k + V(b) * x - q, step = -residual / (V(b) + slope);
    newton.advance(residual, flow.is_power() ? power_step(x, step, flow.exponent()) : x + step);
    newton.active = newton.active && simd::abs(residual) > V(newton.kTolerance) * k;
  }
  return simd::select(yields, newton.x, V(0));
}

/// The equivalent stress before the return, and 1 over it.
template <class V>
struct Trial {
  V q, inverse;
};

/// From q^2.
template <class V>
Trial<V> trial_of(V square) {
  const V inverse = simd::inverse_sqrt(simd::max(square, V(std::numeric_limits<simd::scalar_t<V>>::min())));
  return {square * inverse, inverse};
}

/// Result of the return with two modes.
template <class V>
struct Returned {
  V lambda = V(0);
  V u = V(1), v = V(1);  ///< factors of the two modes of the relative stress
  V dp = V(0);           ///< increment of plastic strain

  /// Copy `other` on the lanes in `where`.
  void take(const Returned& other, simd::mask_t<V> where) {
    lambda = simd::select(where, other.lambda, lambda);
    u = simd::select(where, other.u, u);
    v = simd::select(where, other.v, v);
    dp = simd::select(where, other.dp, dp);
  }
};

/// Stress of two modes with different moduli: q^2 = A / (1 + a lambda)^2 + B / (1 + b lambda)^2, a <= b.
///
/// Internally stresses are relative to q(0): A + B = 1, w = q(lambda) / q(0), and with f = k / w - 1
///   f / f' = (k - w) w^2 / (k S_1 + k' S_2 w),   S_1 = a A u^3 + b B v^3,   S_2 = A u^3 + B v^3.
template <class V>
struct TwoModes {
  V square_a, square_b;
  double a, b;

  /// At lambda = 0.
  Trial<V> trial() const { return trial_of(square_a + square_b); }

  /// The return with q = k(p + lambda q), on the lanes that yield.
  template <class Flow>
  Returned<V> solve(Trial<V> trial, V p, simd::mask_t<V> yields, const Flow& flow) const {
    const V q = trial.q, inverse = trial.inverse;
    const V part_a = square_a * inverse * inverse, part_b = square_b * inverse * inverse;
    // At `high` at most a thousandth of the yield stress, or of a millionth of q, would remain.
    const V least = simd::max(flow.yield(), V(1e-6) * q);
    BracketedNewton<V> newton{V(0), V(0), V(1000 / a) * q * simd::coarse_inverse(least), yields};
    guess(q, part_a, part_b, flow.yield() * inverse, flow, newton);
    const V tolerance(flow.is_linear() ? newton.kSmoothTolerance : newton.kTolerance);
    Returned<V> r;
    for (int n = 0; n < newton.kMostIterations && simd::any(newton.active); ++n) {
      const V x = newton.x;
      const Point now = at(x, part_a, part_b);
      const V au = part_a * now.u * now.u, bv = part_b * now.v * now.v;
      V k, slope;
      const V dp = x * now.w * q;
      flow.at(p + dp, dp, k, slope);
      k *= inverse;
      const V rise = k * (V(a) * au * now.u + V(b) * bv * now.v) + slope * (au * now.u + bv * now.v) * now.w;
      const V gap = k - now.w, step = -gap * (au + bv) * simd::coarse_inverse(rise);
      r.take(expand(step, now, part_a, part_b, q), newton.active);
      newton.advance(gap, flow.is_power() ? power_step(x, step, flow.exponent()) : x + step);
      newton.active = newton.active && simd::abs(gap) > tolerance * now.w;
    }
    return r;
  }

  /// A point of the iteration, in units of q(0).
  struct Point {
    V lambda, u, v, w;
    V inverse_square;  ///< 1 / w^2
  };

  /// Step from lambda = 0 of third order (Halley's), where the flow stress there is `yield` and `slope`
  /// dk/dp.
  V halley(V part_a, V part_b, V yield, V slope) const {
    const V excess = V(1) - yield;
    const V first = slope + yield * (V(a) * part_a + V(b) * part_b);  // f', and -f'' is:
    const V second = V(3 * (b - a) * (b - a)) * yield * part_a * part_b;
    return V(2) * excess * first * simd::coarse_inverse(V(2) * first * first - excess * second);
  }

  /// The point at lambda.
  Point at(V lambda, V part_a, V part_b) const {
    const V xa = V(1) + V(a) * lambda, xb = V(1) + V(b) * lambda;
    const V both = simd::inverse(xa * xb), u = xb * both, v = xa * both;
    const V square = part_a * u * u + part_b * v * v, inverse_w = simd::inverse_sqrt(square);
    return {lambda, u, v, square * inverse_w, inverse_w * inverse_w};
  }

  /// The return at lambda + step, by a series to the second power of the step. For the last step the error is
  /// of the third power of a number below 2e-4.
  Returned<V> expand(V step, const Point& from, V part_a, V part_b, V q) const {
    const V du = V(a) * from.u * step, dv = V(b) * from.v * step;
    const V u = from.u - from.u * (du - du * du), v = from.v - from.v * (dv - dv * dv);
    const V half = V(0.5) * ((part_a * u * u + part_b * v * v) * from.inverse_square - V(1));
    const V w = from.w + from.w * (half - V(0.5) * half * half);
    const V lambda = from.lambda + step;
    return {lambda, u, v, lambda * w * q};
  }

 private:
  /// The start of the iteration: Halley's step from 0. For a flow stress that is a power of dp, the smaller
  /// of the solutions with hardening alone and with rate alone.
  template <class Flow>
  void guess(V q, V part_a, V part_b, V yield, const Flow& flow, BracketedNewton<V>& newton) const {
    const V excess = V(1) - yield;
    if (flow.is_power()) {
      const V without_hardening = V(1 / a) * excess / yield;
      const V without_flow = flow.most(q - flow.yield()) / flow.yield();
      newton.x = simd::max(simd::min(without_hardening, without_flow), V(1e-20) * newton.high);
      return;
    }
    newton.begin(halley(part_a, part_b, yield, flow.slope()));
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
