// Implicit return to Hill's function with back stresses that follow the flow and fade with it: MAT_103.
//
// f(s - a) = k(p), a = a_1 + a_2, and (Armstrong and Frederick 1966, CEGB report RD/B/N 731; Chaboche 1986,
// Int. J. Plast. 2, eq. 12, with the direction of the relative stress, as LS-DYNA's keyword manual has it)
//
//   da_i = CX_i (QX_i (s - a) / f - a_i) dp,
//
// so that in uniaxial tension the back stress is QX_i (1 - exp(-CX_i p)). At the end of a step with the
// plastic strain x, l = x / k and b_i = 1 / (1 + CX_i x), the relative stress r solves
//
//   (1 + l sum b_i CX_i QX_i + l A) r = s_trial - sum b_i a_i,   a_i = b_i (a_i + CX_i QX_i l r),
//
// where A, elasticity times Hill's matrix, is what the flow takes. One unknown is left, x, with f(r) = k(p +
// x): by Newton's method with its derivative, in a bracket. In a frame where A has few components an
// `Operator` gives `solve(diagonal, l, b, to)` of (diagonal + l A) to = b, `times(x, to)` by A, and `form(x,
// y)`, of which f is the root.
#pragma once

#include "materials/plasticity/yield_return.hpp"

namespace crumple::materials {

/// QX and CX.
struct BackStresses {
  double range[2] = {0, 0}, rate[2] = {0, 0};

  bool any() const { return range[0] > 0 || range[1] > 0; }
};

inline namespace CRUMPLE_ISA {

/// What a return needs at a plastic strain.
template <class V, int N>
struct KinematicPoint {
  V relative[N];
  V f, fall;   ///< of the relative stress, and its derivative
  V k, slope;  ///< of the flow stress
  V multiplier;
};

template <class V, int N, class Operator, class Flow>
KinematicPoint<V, N> kinematic_point(const BackStresses& of, const Operator& op, const V (&trial)[N],
                                     const V (&back)[2][N], V p, V x, const Flow& flow) {
  KinematicPoint<V, N> at;
  flow.at(p + x, x, at.k, at.slope);
  const V l = x / at.k, dl = (at.k - x * at.slope) / (at.k * at.k);
  V rhs[N], fall[N], stiff(0), softer(0);
  for (int i = 0; i < N; ++i) rhs[i] = trial[i], fall[i] = V(0);
  for (int j = 0; j < 2; ++j) {
    const V left = V(1) / (V(1) + V(of.rate[j]) * x), faded = V(of.rate[j]) * left * left;
    for (int i = 0; i < N; ++i) {
      rhs[i] -= left * back[j][i];
      fall[i] += faded * back[j][i];
    }
    stiff += V(of.rate[j] * of.range[j]) * left;
    softer -= V(of.rate[j] * of.range[j]) * faded;
  }
  const V diagonal = V(1) + l * stiff, change = dl * stiff + l * softer;
  op.solve(diagonal, l, rhs, at.relative);
  V taken[N], slope[N];
  op.times(at.relative, taken);
  for (int i = 0; i < N; ++i) fall[i] -= change * at.relative[i] + dl * taken[i];
  op.solve(diagonal, l, fall, slope);
  at.f = simd::sqrt(simd::max(op.form(at.relative, at.relative), V(1e-30)));
  at.fall = op.form(at.relative, slope) / at.f;
  at.multiplier = l;
  return at;
}

/// The end of a step on the lanes that yield: `stress` and `back` are those after it; gives the plastic
/// strain x and l. `least` is the smallest eigenvalue of A.
template <class V, int N, class Operator, class Flow>
KinematicPoint<V, N> return_with_back(const BackStresses& of, const Operator& op, double least, double power,
                                      V p, simd::mask_t<V> yields, const Flow& flow, V (&stress)[N],
                                      V (&back)[2][N], V& x) {
  const auto norm = [&](const V(&s)[N]) { return simd::sqrt(simd::max(op.form(s, s), V(1e-30))); };
  const V most = (norm(stress) + norm(back[0]) + norm(back[1])) * V(1 / least);
  BracketedNewton<V> newton{power > 1 ? V(1e-3) * most : V(0), V(0), most, yields};
  for (int n = 0; n < newton.kMostIterations && simd::any(newton.active); ++n) {
    const V now = newton.x;
    const auto at = kinematic_point(of, op, stress, back, p, now, flow);
    const V gap = at.k / at.f - V(1), rise = (at.slope * at.f - at.k * at.fall) / (at.f * at.f);
    const V step = -(gap / rise);
    newton.advance(gap, power > 1 ? power_step(now, step, power) : now + step);
    newton.active = newton.active && simd::abs(gap) > V(newton.kTolerance);
  }
  x = simd::select(yields, newton.x, V(0));
  const auto at = kinematic_point(of, op, stress, back, p, x, flow);
  for (int i = 0; i < N; ++i) {
    V sum = at.relative[i];
    for (int j = 0; j < 2; ++j) {
      const V left = V(1) / (V(1) + V(of.rate[j]) * x);
      const V grown = V(of.rate[j] * of.range[j]) * at.multiplier * at.relative[i];
      const V after = left * (back[j][i] + grown);
      sum += after;
      back[j][i] = simd::select(yields, after, back[j][i]);
    }
    stress[i] = simd::select(yields, sum, stress[i]);
  }
  return at;
}

/// A is diagonal.
template <class V, int N>
struct DiagonalFlow {
  double modulus[N], weight[N];

  void solve(V diagonal, V l, const V (&b)[N], V (&to)[N]) const {
    for (int i = 0; i < N; ++i) to[i] = b[i] / (diagonal + V(modulus[i]) * l);
  }
  void times(const V (&x)[N], V (&to)[N]) const {
    for (int i = 0; i < N; ++i) to[i] = V(modulus[i]) * x[i];
  }
  V form(const V (&x)[N], const V (&y)[N]) const {
    V sum(0);
    for (int i = 0; i < N; ++i) sum += V(weight[i]) * x[i] * y[i];
    return sum;
  }
};

/// A of plane stress: xx and yy are coupled.
template <class V>
struct PlaneFlow {
  double xx, xy, yx, yy, shear;         ///< of A
  double f_xx, f_yy, f_cross, f_shear;  ///< of f^2

  void solve(V diagonal, V l, const V (&b)[3], V (&to)[3]) const {
    const V m = diagonal + l * V(xx), n = diagonal + l * V(yy), u = l * V(xy), v = l * V(yx);
    const V inverse = V(1) / (m * n - u * v);
    to[0] = (n * b[0] - u * b[1]) * inverse;
    to[1] = (m * b[1] - v * b[0]) * inverse;
    to[2] = b[2] / (diagonal + l * V(shear));
  }
  void times(const V (&x)[3], V (&to)[3]) const {
    to[0] = V(xx) * x[0] + V(xy) * x[1];
    to[1] = V(yx) * x[0] + V(yy) * x[1];
    to[2] = V(shear) * x[2];
  }
  V form(const V (&x)[3], const V (&y)[3]) const {
    return V(f_xx) * x[0] * y[0] + V(f_yy) * x[1] * y[1] + V(f_cross) * (x[0] * y[1] + x[1] * y[0]) +
           V(f_shear) * x[2] * y[2];
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
