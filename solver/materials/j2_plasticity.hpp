// J2 plasticity with isotropic hardening by curve, strain rate effects and linear kinematic hardening.
//
// The engine of MAT_003, 012, 024, 081, 098 and 123. Implicit return to the yield surface at the end of the
// step, exact for piecewise linear hardening: radial return in three dimensions (Wilkins 1964; Krieg and
// Krieg 1977), and the return in the space of plane stress (Simo and Taylor 1986; Simo and Hughes 1998, box
// 3.3), which for a beam fibre is the same with other eigenvalues. With relative stress eta (stress less
// back stress), plastic strain increment dp = lambda q and q the equivalent relative stress, eta of each
// eigenmode of the elasticity shrinks by 1 / (1 + a lambda):
//
//   q^2(lambda) = A / (1 + a lambda)^2 + B / (1 + b lambda)^2,   q(lambda) = k(p + lambda q)
//
//   plane stress  A = (eta_x + eta_y)^2 / 4, a = E / (2 (1 - nu));   B = the rest, b = 3 G
//   beam fibre    A = eta_xx^2,              a = E;                  B = 3 |shear|^2, b = 3 G
//
// and a, b grow by the modulus H_k of Prager's kinematic hardening. Solved on k / q - 1, nearly linear in
// lambda: Halley's step from lambda = 0, where both derivatives cost little, then Newton's method, guarded by
// a bracket. A lane stops at a small residual (BracketedNewton) and takes one step more, which leaves it
// within 1e-10 (double) or a few units of the last place (single) of the yield surface, or within 1e-6 where
// that step goes round a corner of the flow curve. A lane that has stopped is frozen, so its result does not
// depend on its neighbours.
//
// Strain rates are sqrt(d_ij d_ij) / dt of the total or deviatoric rate of deformation, as the manual's
// remarks on MAT_024 define them. Where the thickness strain is not known yet (plane stress, beams)
// it is the one of isochoric flow: rates matter only where the material flows.
#pragma once

#include <limits>

#include "materials/elastic.hpp"
#include "materials/flow_curves.hpp"

namespace crumple::materials {

/// How the flow stress depends on the strain rate.
enum class RateEffect : int { none, cowper_symonds, scale_curve, table, johnson_cook };

/// Parameters of the engine.
struct J2Law {
  ElasticLaw elastic;
  // flow stress without rate effects: yield + hardening p, or the curves where there are some
  double yield = 0, hardening = 0;
  FlowCurves curves;       ///< n_curves 0: bilinear
  double least_yield = 0;  ///< no flow stress is below: points below it are elastic at no further cost
  double kinematic = 0;    ///< H_k = dq / dp of the back stress; needs history
  // strain rates
  RateEffect rate = RateEffect::none;
  bool viscoplastic = false;     ///< VP = 1: the rate is that of plastic strain, found by the return
  bool deviatoric_rate = false;  ///< VP = -1
  double inverse_c = 0, power = 1, inverse_power = 1;  ///< Cowper and Symonds: factor 1 + (rate / C)^(1 / P)
  double overstress = 0;     ///< > 0: viscoplastic flow adds overstress (rate / C)^(1 / P) instead
  FlowCurves scale;          ///< factor over strain rate
  double fail = 1e21;        ///< plastic strain beyond which a point has failed
  double min_time_step = 0;  ///< TDEL: the element's business
};

/// History variables where `kinematic` is not zero: the back stress (solids its deviator; plane stress
/// and beams the components of s, with a zero thickness component).
inline constexpr int kBackStressVariables = 6;

/// E_p = E ETAN / (E - ETAN). Throws CR-M108 unless 0 <= ETAN < E.
double plastic_modulus_from_etan(const model::Material& material);
/// The failure strain in `field`, 0: none. Throws CR-M105 for a negative one.
void set_failure_strain(const model::Material& material, const std::string& field, J2Law& law);
/// VP: -1 deviatoric rate, 0 total rate, 1 viscoplastic. Throws CR-M105 for others.
void set_viscoplastic(const model::Material& material, J2Law& law);
/// Find `least_yield` when all the rest is set.
void set_least_yield(J2Law& law);
/// Cowper and Symonds' constants, none if both are 0. Throws CR-M108 for one without the other.
void set_cowper_symonds(const model::Material& material, const std::string& c_field,
                        const std::string& p_field, J2Law& law);

inline namespace CRUMPLE_ISA {

/// Flow stress k and its derivative dk/dp of one step, as functions of the plastic strain reached, of a law
/// with rate effects (RateFreeFlow is for those without).
///
/// The segment of the curve at the beginning is kept: few lanes leave it in a step, and only then is
/// the curve searched again. Lanes that stay use what was kept, so that neighbours do not matter.
template <class V>
class FlowStress {
 public:
  /// `strain_rate` is used unless the law is viscoplastic.
  FlowStress(const J2Law& law, V plastic_strain, V strain_rate, V dt)
      : law_(law), table_rate_(law.rate == RateEffect::table && law.viscoplastic) {
    if (law.viscoplastic) {
      inverse_dt_ = simd::select(dt > V(0), V(1) / dt, V(0));
      dt_ = dt;
    } else if (law.rate == RateEffect::cowper_symonds) {
      factor_ = V(1) + simd::pow(strain_rate * V(law.inverse_c), V(law.inverse_power));
    } else if (law.rate == RateEffect::scale_curve) {
      factor_ = scale_factor(strain_rate).value;
    } else {
      rate_ = find_rate(law.curves, strain_rate);
    }
    if (table_rate_)
      stretch_.segment = find_segment(law.curves, plastic_strain);
    else if (law.curves.n_curves > 0)
      stretch_ = stretch_at(plastic_strain);
    at(plastic_strain, V(0), yield_, slope_);
  }

  /// Flow stress at the beginning of the step's plastic flow, and its derivative there.
  V yield() const { return yield_; }
  V slope() const { return slope_; }

  /// k and dk/dp where the plastic strain is `p` after an increment `dp` in this step.
  void at(V p, V dp, V& k, V& slope) const {
    if (table_rate_) return at_table_rate(p, dp, k, slope);
    without_rate(p, k, slope);
    if (!law_.viscoplastic) {
      k *= factor_;
      slope *= factor_;
    } else if (law_.rate == RateEffect::cowper_symonds) {
      const V flowing = simd::max(dp, V(1e-30));  // keeps 0 / 0 out of the slope; dp = 0 gives f = 0
      const V f = simd::pow(dp * inverse_dt_ * V(law_.inverse_c), V(law_.inverse_power));
      const V f_slope = f * V(law_.inverse_power) / flowing;
      const V s = V(law_.overstress);
      const bool adds = law_.overstress > 0;
      slope = adds ? slope + s * f_slope : slope * (V(1) + f) + k * f_slope;
      k = adds ? k + s * f : k * (V(1) + f);
    } else {
      const Line<V> f = scale_factor(dp * inverse_dt_);
      slope = slope * f.value + k * f.slope * inverse_dt_;
      k *= f.value;
    }
  }

  /// The flow stress is piecewise linear in dp.
  bool is_linear() const { return !law_.viscoplastic; }
  /// dp^(1 / exponent) is the variable in which the flow stress is smooth.
  bool is_power() const { return law_.viscoplastic && law_.rate == RateEffect::cowper_symonds; }
  double exponent() const { return law_.power; }

  /// Upper bound of dp when the rate effect alone takes the stress in excess of yield(); for is_power().
  V most(V excess) const {
    const V over = law_.overstress > 0 ? V(law_.overstress) : yield_;
    return dt_ / V(law_.inverse_c) * simd::pow(simd::max(excess, V(0)) / over, V(law_.power));
  }

 private:
  /// The curve, or the table between its rates, where it holds p.
  Stretch<V> stretch_at(V p) const {
    if (law_.curves.n_curves == 1) return find_stretch(law_.curves, p);
    const Segment<V> segment = find_segment(law_.curves, p);
    return {segment, line_on(segment)};
  }

  /// The curve, or the table between its rates, on a segment.
  Line<V> line_on(const Segment<V>& segment) const {
    const Line<V> lower = line_of(law_.curves, rate_.curve, segment);
    if (law_.rate != RateEffect::table) return lower;
    return blend(lower, line_of(law_.curves, rate_.curve + V(1), segment), rate_.weight);
  }

  /// Flow stress at plastic strain p, up to the factor of the strain rate.
  void without_rate(V p, V& k, V& slope) const {
    if (law_.curves.n_curves == 0) {
      slope = V(law_.hardening);
      k = V(law_.yield) + slope * p;
      return;
    }
    k = stretch_.line.value + stretch_.line.slope * (p - stretch_.segment.begin);
    slope = stretch_.line.slope;
    const simd::mask_t<V> beyond = p >= stretch_.segment.end;
    if (simd::any(beyond)) {
      const Stretch<V> there = stretch_at(p);
      k = simd::select(beyond, there.line.value + there.line.slope * (p - there.segment.begin), k);
      slope = simd::select(beyond, there.line.slope, slope);
    }
  }

  void at_table_rate(V p, V dp, V& k, V& slope) const {
    const RatePosition<V> rate = find_rate(law_.curves, dp * inverse_dt_);
    Segment<V> segment = stretch_.segment;
    const simd::mask_t<V> beyond = p >= segment.end;
    if (simd::any(beyond)) {
      const Segment<V> other = find_segment(law_.curves, p);
      segment.index = simd::select(beyond, other.index, segment.index);
      segment.begin = simd::select(beyond, other.begin, segment.begin);
    }
    const Line<V> lower = line_of(law_.curves, rate.curve, segment);
    const Line<V> upper = line_of(law_.curves, rate.curve + V(1), segment);
    const Line<V> line = blend(lower, upper, rate.weight);
    const V distance = p - segment.begin;
    const V rise = upper.value - lower.value + (upper.slope - lower.slope) * distance;
    k = line.value + line.slope * distance;
    slope = line.slope + rise * rate.weight_slope * inverse_dt_;
  }

  /// The scale curve, constant beyond its ends, as value and slope at a strain rate.
  Line<V> scale_factor(V strain_rate) const {
    const FlowCurves& c = law_.scale;
    const V inside = simd::min(simd::max(strain_rate, V(c.first)), V(c.last));
    const Segment<V> segment = find_segment(c, inside);
    const Line<V> line = line_of(c, V(0), segment);
    return {line.value + line.slope * (inside - segment.begin),
            simd::select(inside == strain_rate, line.slope, V(0))};
  }

  const J2Law& law_;
  const bool table_rate_;  ///< a table whose rate the return finds
  V yield_ = V(0), slope_ = V(0), factor_ = V(1), dt_ = V(0), inverse_dt_ = V(0);
  RatePosition<V> rate_{V(0), V(0), V(0)};
  Stretch<V> stretch_{};  ///< at the beginning
};

/// The flow stress of a law without rate effects: what most parts of most models have.
template <class V>
class RateFreeFlow {
 public:
  RateFreeFlow(const J2Law& law, V plastic_strain) : curves_(law.curves) {
    if (law.curves.n_curves > 0)
      stretch_ = find_stretch(law.curves, plastic_strain);
    else
      stretch_ = {{V(0), V(0), V(1e30)}, {V(law.yield), V(law.hardening)}};
    yield_ = on(stretch_, plastic_strain);
  }

  V yield() const { return yield_; }
  V slope() const { return stretch_.line.slope; }
  /// Where the segment of the beginning ends, and the flow stress on it.
  V end() const { return stretch_.segment.end; }
  V on_stretch(V p) const { return on(stretch_, p); }

  void at(V p, V, V& k, V& slope) const {
    k = on(stretch_, p);
    slope = stretch_.line.slope;
    const simd::mask_t<V> beyond = p >= stretch_.segment.end;
    if (simd::any(beyond)) [[unlikely]] {
      const Line<V> there = search(curves_, p);
      k = simd::select(beyond, there.value, k);
      slope = simd::select(beyond, there.slope, slope);
    }
  }

  static constexpr bool is_linear() { return true; }
  static constexpr bool is_power() { return false; }
  static constexpr double exponent() { return 1; }
  V most(V) const { return V(0); }

 private:
  static V on(const Stretch<V>& s, V p) { return s.line.value + s.line.slope * (p - s.segment.begin); }

  /// Value and slope at p.
  [[gnu::noinline, gnu::cold]] static Line<V> search(const FlowCurves& curves, V p) {
    const Stretch<V> there = find_stretch(curves, p);
    return {on(there, p), there.line.slope};
  }

  const FlowCurves& curves_;
  Stretch<V> stretch_;  ///< at the beginning
  V yield_;
};

/// The flow stress that a law has: `FlowOf<V, Law>` is made from (law, plastic strain, strain rate, dt).
template <class V, class Law>
struct FlowOfLaw {
  using Type = FlowStress<V>;
};
template <class V, class Law>
using FlowOf = typename FlowOfLaw<V, Law>::Type;

/// Newton's method for an increasing function, kept inside a bracket [low, high] by bisection.
template <class V>
struct BracketedNewton {
  V x, low, high;
  simd::mask_t<V> active;

  static constexpr int kMostIterations = 40;
  static constexpr double kTolerance = sizeof(simd::scalar_t<V>) == sizeof(float) ? 1e-5 : 1e-9;
  /// Enough where the function is smooth and nearly linear, so that one step more squares the residual.
  static constexpr double kSmoothTolerance = 1e-5;

  /// Begin at `guess` if it lies in the bracket, else at `low`.
  void begin(V guess) { x = simd::select(guess >= low && guess <= high, guess, low); }

  /// Go to `next`, the root by the tangent at x, where the function is `residual`.
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

/// What the return of two modes comes to.
template <class V>
struct Returned {
  V lambda = V(0);
  V u = V(1), v = V(1);  ///< factors of the two modes of the relative stress
  V dp = V(0);           ///< increment of plastic strain

  /// Take over `other` on some lanes.
  void take(const Returned& other, simd::mask_t<V> where) {
    lambda = simd::select(where, other.lambda, lambda);
    u = simd::select(where, other.u, u);
    v = simd::select(where, other.v, v);
    dp = simd::select(where, other.dp, dp);
  }
};

/// Stress of two modes with different moduli: q^2 = A / (1 + a lambda)^2 + B / (1 + b lambda)^2, a <= b.
///
/// Inside, stresses are relative to q(0): A + B = 1, w = q(lambda) / q(0), and with f = k / w - 1
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
    // Beyond `high` no more than a thousandth of the yield stress, or of a millionth of q, would be left.
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

  /// A place on the way, in units of q(0).
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

  /// The return at lambda + step by series in the step to its second power: where it is the last, what is
  /// left out is of the third power of a number below 2e-4.
  Returned<V> expand(V step, const Point& from, V part_a, V part_b, V q) const {
    const V du = V(a) * from.u * step, dv = V(b) * from.v * step;
    const V u = from.u - from.u * (du - du * du), v = from.v - from.v * (dv - dv * dv);
    const V half = V(0.5) * ((part_a * u * u + part_b * v * v) * from.inverse_square - V(1));
    const V w = from.w + from.w * (half - V(0.5) * half * half);
    const V lambda = from.lambda + step;
    return {lambda, u, v, lambda * w * q};
  }

 private:
  /// Where to begin: Halley's step from 0, or for a flow stress that is a power of dp, the nearer of what
  /// hardening and rate alone would give.
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

/// The same as `where_it_yields` for the points that may, with strain rates.
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

/// Turn a symmetric tensor: a = R a R^T.
template <class V>
void rotate(const V (*r)[3], V (&a)[6]) {
  const V full[3][3] = {{a[0], a[3], a[5]}, {a[3], a[1], a[4]}, {a[5], a[4], a[2]}};
  V ra[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) ra[i][j] = r[i][0] * full[0][j] + r[i][1] * full[1][j] + r[i][2] * full[2][j];
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  for (int k = 0; k < 6; ++k) {
    const int i = row[k], j = column[k];
    a[k] = ra[i][0] * r[j][0] + ra[i][1] * r[j][1] + ra[i][2] * r[j][2];
  }
}

template <class V, int N>
void load_history(const History<simd::scalar_t<V>>& history, V (&a)[N]) {
  for (int i = 0; i < N; ++i) a[i] = history.template load<V>(i);
}
template <class V, int N>
void store_history(const History<simd::scalar_t<V>>& history, const V (&a)[N]) {
  for (int i = 0; i < N; ++i) history.store(i, a[i]);
}

/// Mark the points beyond the failure strain and take their stress away.
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

/// The radial return of a plain law where it reaches another segment of the flow curve.
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

/// The return of a plain law by one step of third order (Chebyshev's) from Halley's: all that nearly all
/// lanes need. `solved` tells of which this is so.
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

/// The same for lanes that are far from where they begin, or where the flow curve has a corner.
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
          yields && !solved;  // the others keep what they have: neighbours do not matter
      if (simd::any(left)) [[unlikely]]
        r.take(return_by_iteration(law, modes.square_a, modes.square_b, modes.a, modes.b, p, left), left);
      const V x = V(0.5) * r.u * sum, y = V(0.5) * r.v * difference;
      s[0] = simd::select(yields, x + y, sx);
      s[1] = simd::select(yields, x - y, sy);
      s[3] = simd::select(yields, r.v * txy, txy);
      s[4] = simd::select(yields, r.v * tyz, tyz);
      s[5] = simd::select(yields, r.v * tzx, tzx);
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

/// Whether the law is as return_plain_solid and return_plain_shell have it.
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

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
