// J2 plasticity with isotropic hardening by curve, strain rate effects and linear kinematic hardening: the
// engine of MAT_003, 012, 024, 081, 098 and 123. Flow stress: flow_stress.hpp, return: yield_return.hpp.
//
// Strain rates are sqrt(d_ij d_ij) / dt of the total or deviatoric rate of deformation, as the manual's
// remarks on MAT_024 define them. Where the thickness strain is not known yet (plane stress, beams), that of
// isochoric flow is used: rates matter only where the material flows.
#pragma once

#include "materials/plasticity/yield_return.hpp"
#include "materials/tensors.hpp"
#include "materials/vectors.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// sqrt(d_ij d_ij) of a strain increment with engineering shear, or of its deviator.
template <class V>
V strain_norm(const J2Law& law, V x, V y, V z, V shear_square) {
  V square = x * x + y * y + z * z + V(0.5) * shear_square;
  if (law.deviatoric_rate) {
    const V trace = x + y + z;
    square = simd::max(square - trace * trace * V(1.0 / 3.0), V(0));
  }
  return simd::sqrt(square);
}

/// The same as `where_it_yields`, for laws with strain rates and points that may yield.
template <class V, class Law, class Norm, class FlowBack>
[[gnu::noinline]] void at_a_rate(const Law& law, simd::mask_t<V> may, V q, V plastic_strain, V dt, Norm norm,
                                 FlowBack flow_back) {
  const V rate = !law.viscoplastic ? norm() / simd::select(dt > V(0), dt, V(1)) : V(0);
  const FlowOf<V, Law> flow(law, plastic_strain, rate, dt);
  const simd::mask_t<V> yields = may && q > flow.yield();
  if (simd::any(yields)) flow_back(yields, flow);
}

/// Call `flow_back(yields, flow)` if any point with the equivalent stress `q` yields; `norm()` gives the
/// norm of the strain increment. In the first call, where dt is 0, everything is elastic.
template <class V, class Law, class Norm, class FlowBack>
inline void where_it_yields(const Law& law, V q, V plastic_strain, V dt, Norm norm, FlowBack flow_back) {
  const simd::mask_t<V> may = q > V(law.least_yield) && plastic_strain <= V(law.fail) && dt > V(0);
  if (!simd::any(may)) return;
  if constexpr (std::is_same_v<Law, J2Law>) {
    if (law.rate == RateEffect::none) {
      const RateFreeFlow<V> flow(law, plastic_strain);
      const simd::mask_t<V> yields = may && q > flow.yield();
      if (simd::any(yields)) flow_back(yields, flow);
      return;
    }
  }
  at_a_rate(law, may, q, plastic_strain, dt, norm, flow_back);
}

/// Mark the points beyond the failure strain and set their stress to zero.
template <class V, int N>
simd::mask_t<V> fail_points(const J2Law& law, V plastic_strain, V (&s)[N]) {
  const simd::mask_t<V> failed = plastic_strain > V(law.fail);
  if (simd::any(failed))
    for (int i = 0; i < N; ++i) s[i] = simd::select(failed, V(0), s[i]);
  return failed;
}

/// New stress (and back stress) where a point yields, from the relative stress after the return.
template <class V, int N>
void set_stress(const J2Law& law, simd::mask_t<V> yields, V lambda, const V (&relative)[N], V (&back)[N],
                V (&s)[N]) {
  for (int i = 0; i < N; ++i) {
    V moved = relative[i];
    if (law.kinematic > 0) {
      back[i] += V(law.kinematic) * lambda * relative[i];
      moved += back[i];
    }
    s[i] = simd::select(yields, moved, s[i]);
  }
}

template <class V, class Law>
void return_solid(const Law& law, SolidPoint<V>& point) {
  const V(&d)[6] = point.d;
  V(&s)[6] = point.s;
  add_elastic_solid(law.elastic, d, s);
  const V mean = V(1.0 / 3.0) * (s[0] + s[1] + s[2]);
  V eta[6] = {s[0] - mean, s[1] - mean, s[2] - mean, s[3], s[4], s[5]};
  V back[6];
  const bool kinematic = law.kinematic > 0;
  if (kinematic) {
    load_history(point.history, back);
    if (point.rotation) rotate(point.rotation, back);
    for (int i = 0; i < 6; ++i) eta[i] -= back[i];
  }
  const V q = simd::sqrt(V(1.5) * (eta[0] * eta[0] + eta[1] * eta[1] + eta[2] * eta[2]) +
                         V(3) * (eta[3] * eta[3] + eta[4] * eta[4] + eta[5] * eta[5]));
  const auto norm = [&] {
    return strain_norm(law, d[0], d[1], d[2], d[3] * d[3] + d[4] * d[4] + d[5] * d[5]);
  };
  const auto flow_back = [&](simd::mask_t<V> yields, const auto& flow) {
    const double modulus = 3 * law.elastic.shear;
    const V dp = radial_increment(q, modulus + law.kinematic, point.plastic_strain, yields, flow);
    const V part = dp * simd::inverse(simd::select(yields, q, V(1)));
    for (int i = 0; i < 6; ++i) s[i] -= V(modulus) * part * eta[i];
    if (kinematic)
      for (int i = 0; i < 6; ++i) back[i] += V(law.kinematic) * part * eta[i];
    point.plastic_strain += dp;
  };
  where_it_yields(law, q, point.plastic_strain, point.dt, norm, flow_back);
  if (kinematic) store_history(point.history, back);
  point.failed = fail_points(law, point.plastic_strain, s);
}

template <class V, class Law>
void return_shell(const Law& law, ShellPoint<V>& point) {
  const V(&d)[6] = point.d;
  V(&s)[6] = point.s;
  add_elastic_shell(law.elastic, d, s);
  s[2] = V(0);
  V eta[6] = {s[0], s[1], V(0), s[3], s[4], s[5]};
  V back[6];
  const bool kinematic = law.kinematic > 0;
  if (kinematic) {
    load_history(point.history, back);
    for (int i = 0; i < 6; ++i) eta[i] -= back[i];
  }
  const V sum = eta[0] + eta[1], difference = eta[0] - eta[1];
  const V shear_square = eta[3] * eta[3] + eta[4] * eta[4] + eta[5] * eta[5];
  const TwoModes<V> modes{V(0.25) * sum * sum, V(0.75) * difference * difference + V(3) * shear_square,
                          0.5 * law.elastic.young / (1 - law.elastic.poisson) + law.kinematic,
                          3 * law.elastic.shear + law.kinematic};
  const Trial<V> trial = modes.trial();
  V plastic_thinning = V(0);  // plastic d[0] + d[1] = lambda (eta_x + eta_y) / 2 = -(plastic d[2])
  const auto norm = [&] {
    return strain_norm(law, d[0], d[1], -(d[0] + d[1]), d[3] * d[3] + d[4] * d[4] + d[5] * d[5]);
  };
  const auto flow_back = [&](simd::mask_t<V> yields, const auto& flow) {
    const auto [lambda, u, v, dp] = modes.solve(trial, point.plastic_strain, yields, flow);
    const V x = V(0.5) * u * sum, y = V(0.5) * v * difference;
    const V relative[6] = {x + y, x - y, V(0), v * eta[3], v * eta[4], v * eta[5]};
    set_stress(law, yields, lambda, relative, back, s);
    point.plastic_strain += dp;
    plastic_thinning = lambda * x;
  };
  where_it_yields(law, trial.q, point.plastic_strain, point.dt, norm, flow_back);
  if (kinematic) store_history(point.history, back);
  point.failed = fail_points(law, point.plastic_strain, s);
  const V thickness_strain = V(-law.elastic.thinning) * (d[0] + d[1] - plastic_thinning) - plastic_thinning;
  point.d[2] = simd::select(point.failed, V(0), thickness_strain);
}

/// The radial return of a plain law that reaches another segment of the flow curve.
template <class V>
[[gnu::noinline, gnu::cold]] V radial_increment_beyond(const J2Law& law, V q, V p, simd::mask_t<V> yields) {
  return radial_increment(q, 3 * law.elastic.shear, p, yields, RateFreeFlow<V>(law, p));
}

/// Three dimensions of a plain law, one without strain rates and kinematic hardening: those of most parts.
/// Nothing in it but what such laws need, and no address is taken, so that the values stay in registers. On a
/// segment of the flow curve the return is one division.
template <class V>
[[gnu::flatten]] void return_plain_solid(const J2Law& law, SolidPoint<V>& point) {
  V(&s)[6] = point.s;
  add_elastic_solid(law.elastic, point.d, s);
  const V mean = V(1.0 / 3.0) * (s[0] + s[1] + s[2]), p = point.plastic_strain;
  const V x = s[0] - mean, y = s[1] - mean, z = s[2] - mean, xy = s[3], yz = s[4], zx = s[5];
  const V square = V(1.5) * (x * x + y * y + z * z) + V(3) * (xy * xy + yz * yz + zx * zx);
  const simd::mask_t<V> may =
      square > V(law.least_yield * law.least_yield) && p <= V(law.fail) && point.dt > V(0);
  if (simd::any(may)) {
    const Trial<V> trial = trial_of(square);
    const RateFreeFlow<V> flow(law, p);
    const simd::mask_t<V> yields = may && trial.q > flow.yield();
    if (simd::any(yields)) {
      const double modulus = 3 * law.elastic.shear;
      V dp = (trial.q - flow.yield()) * simd::inverse(V(modulus) + flow.slope());
      const simd::mask_t<V> beyond = yields && p + dp >= flow.end();
      if (simd::any(beyond)) [[unlikely]]
        dp = simd::select(beyond, radial_increment_beyond(law, trial.q, p, beyond), dp);
      const V part = simd::select(yields, V(modulus) * dp * trial.inverse, V(0));
      const V eta[6] = {x, y, z, xy, yz, zx};
      for (int i = 0; i < 6; ++i) s[i] -= part * eta[i];
      point.plastic_strain = simd::select(yields, p + dp, p);
    }
  }
  point.failed = fail_points(law, point.plastic_strain, s);
}

/// The return of a plain law by one step of third order (Chebyshev's) after Halley's, which is enough for
/// nearly all lanes: those in `solved`.
template <class V>
Returned<V> return_once(const TwoModes<V>& modes, Trial<V> trial, V p, const RateFreeFlow<V>& flow,
                        simd::mask_t<V>& solved) {
  constexpr double kTolerance = 2e-4;  // of |f|: its third power is left
  const V square = trial.inverse * trial.inverse, a(modes.a), b(modes.b);
  const V part_a = modes.square_a * square, part_b = modes.square_b * square;
  const V guess = modes.halley(part_a, part_b, flow.yield() * trial.inverse, flow.slope());
  const auto [x, u, v, w, inverse_square] = modes.at(simd::max(guess, V(0)), part_a, part_b);
  const V reached = p + x * w * trial.q, k = flow.on_stretch(reached) * trial.inverse,
          slope = flow.slope() * w;
  const V au = part_a * u * u, bv = part_b * v * v;
  const V inverse_rise = simd::coarse_inverse(k * (a * au * u + b * bv * v) + slope * (au * u + bv * v));
  const V gap = k - w, newton = -gap * (au + bv) * inverse_rise;
  const V bend = a * u - b * v;  // -f'' w / f' is 3 times:
  const V turn = au * bv * bend * (k * bend + slope * (u - v)) * inverse_square * inverse_rise;
  solved = simd::abs(gap) <= V(kTolerance) * w && reached < flow.end();
  return modes.expand(newton + V(1.5) * newton * newton * turn, {x, u, v, w, inverse_square}, part_a, part_b,
                      trial.q);
}

/// The same for lanes with a large return, or with a corner of the flow curve on the way.
template <class V>
[[gnu::noinline, gnu::cold]] Returned<V> return_by_iteration(const J2Law& law, V square_a, V square_b,
                                                             double a, double b, V p,
                                                             simd::mask_t<V> yields) {
  const TwoModes<V> modes{square_a, square_b, a, b};
  return modes.solve(modes.trial(), p, yields, RateFreeFlow<V>(law, p));
}

/// Plane stress of a plain law, one without strain rates and kinematic hardening: those of most parts.
/// Nothing in it but what such laws need, and no address is taken, so that the values stay in registers.
template <class V>
[[gnu::flatten]] void return_plain_shell(const J2Law& law, ShellPoint<V>& point) {
  const V(&d)[6] = point.d;
  V(&s)[6] = point.s;
  add_elastic_shell(law.elastic, d, s);
  const V sx = s[0], sy = s[1], txy = s[3], tyz = s[4], tzx = s[5], p = point.plastic_strain;
  const V sum = sx + sy, difference = sx - sy;
  const TwoModes<V> modes{V(0.25) * sum * sum,
                          V(0.75) * difference * difference + V(3) * (txy * txy + tyz * tyz + tzx * tzx),
                          0.5 * law.elastic.young / (1 - law.elastic.poisson), 3 * law.elastic.shear};
  V plastic_thinning(0);
  const simd::mask_t<V> may = modes.square_a + modes.square_b > V(law.least_yield * law.least_yield) &&
                              p <= V(law.fail) && point.dt > V(0);
  if (simd::any(may)) {
    const Trial<V> trial = modes.trial();
    const RateFreeFlow<V> flow(law, p);
    const simd::mask_t<V> yields = may && trial.q > flow.yield();
    if (simd::any(yields)) {
      simd::mask_t<V> solved;
      Returned<V> r = return_once(modes, trial, p, flow, solved);
      const simd::mask_t<V> left =
          yields && !solved;  // the others keep their result: it does not depend on neighbours
      if (simd::any(left)) [[unlikely]]
        r.take(return_by_iteration(law, modes.square_a, modes.square_b, modes.a, modes.b, p, left), left);
      const V x = V(0.5) * r.u * sum, y = V(0.5) * r.v * difference;
      s[0] = simd::select(yields, x + y, sx);
      s[1] = simd::select(yields, x - y, sy);
      const V v = simd::select(yields, r.v, V(1));
      s[3] = v * txy;
      s[4] = v * tyz;
      s[5] = v * tzx;
      point.plastic_strain = simd::select(yields, p + r.dp, p);
      plastic_thinning = simd::select(yields, r.lambda * x, V(0));
    }
  }
  point.failed = fail_points(law, point.plastic_strain, s);
  const V thickness_strain = V(-law.elastic.thinning) * (d[0] + d[1] - plastic_thinning) - plastic_thinning;
  point.d[2] = simd::select(point.failed, V(0), thickness_strain);
}

template <class V, class Law>
void return_beam(const Law& law, BeamPoint<V>& point) {
  const V(&d)[3] = point.d;
  V(&s)[3] = point.s;
  add_elastic_beam(law.elastic, d, s);
  V eta[3] = {s[0], s[1], s[2]};
  V back[3];
  const bool kinematic = law.kinematic > 0;
  if (kinematic) {
    load_history(point.history, back);
    for (int i = 0; i < 3; ++i) eta[i] -= back[i];
  }
  const TwoModes<V> modes{eta[0] * eta[0], V(3) * (eta[1] * eta[1] + eta[2] * eta[2]),
                          law.elastic.young + law.kinematic, 3 * law.elastic.shear + law.kinematic};
  const Trial<V> trial = modes.trial();
  const auto norm = [&] {
    const V lateral = V(-0.5) * d[0];
    return strain_norm(law, d[0], lateral, lateral, d[1] * d[1] + d[2] * d[2]);
  };
  const auto flow_back = [&](simd::mask_t<V> yields, const auto& flow) {
    const auto [lambda, u, v, dp] = modes.solve(trial, point.plastic_strain, yields, flow);
    const V relative[3] = {u * eta[0], v * eta[1], v * eta[2]};
    set_stress(law, yields, lambda, relative, back, s);
    point.plastic_strain += dp;
  };
  where_it_yields(law, trial.q, point.plastic_strain, point.dt, norm, flow_back);
  if (kinematic) store_history(point.history, back);
  point.failed = fail_points(law, point.plastic_strain, s);
}

/// Whether the law can use return_plain_solid and return_plain_shell.
inline bool is_plain(const J2Law& law) { return law.rate == RateEffect::none && law.kinematic == 0; }

template <class V>
void update_solid(const J2Law& law, SolidPoint<V>& point) {
  if (is_plain(law))
    return_plain_solid(law, point);
  else
    return_solid(law, point);
}
template <class V>
void update_shell(const J2Law& law, ShellPoint<V>& point) {
  if (is_plain(law))
    return_plain_shell(law, point);
  else
    return_shell(law, point);
}
template <class V>
void update_beam(const J2Law& law, BeamPoint<V>& point) {
  return_beam(law, point);
}

/// What laws call of J2Law; compiled once, with MAT_024.
#define CRUMPLE_J2_UPDATES(EXTERN)                                          \
  CRUMPLE_J2_OF_ALL_POINTS(EXTERN, Singles)                                 \
  CRUMPLE_J2_OF_ALL_POINTS(EXTERN, Doubles)                                 \
  CRUMPLE_J2_OF_ALL_POINTS(EXTERN, WithDerivatives)                         \
  EXTERN template void update_shell(const J2Law&, ShellPoint<TwoSingles>&); \
  EXTERN template void update_shell(const J2Law&, ShellPoint<TwoDoubles>&);
#define CRUMPLE_J2_OF_ALL_POINTS(EXTERN, V)                        \
  EXTERN template void update_solid(const J2Law&, SolidPoint<V>&); \
  EXTERN template void update_shell(const J2Law&, ShellPoint<V>&); \
  EXTERN template void return_solid(const J2Law&, SolidPoint<V>&); \
  EXTERN template void return_beam(const J2Law&, BeamPoint<V>&);

#ifdef CRUMPLE_COMPILES_UPDATES
CRUMPLE_J2_UPDATES(extern)
#endif

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
