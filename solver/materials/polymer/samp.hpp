// MAT_187 (*MAT_SAMP-1): polymers that yield by pressure, by curves of tension, compression and shear, in
// solids and shells.
//
// Kolling, Haufe, Feucht and Du Bois (2005, SAMP-1: a semi-analytical model for the simulation of polymers,
// 4th LS-DYNA Anwenderforum). With q the equivalent stress of von Mises and the pressure p, the yield surface
// is that through the three tests,
//
//   q^2 = A0 + A1 p + A2 p^2,   A0 = 3 t^2, A1 = 9 t^2 (c - s) / (c s), A2 = 9 (c s - 3 t^2) / (c s),
//
// of the yield stresses s in tension, c in compression and t in shear. Without shear A2 = 0, 3 t^2 = c s;
// without compression A2 = 0, c = 3 t^2 / s; with tension alone it is von Mises'. ICONV = 1 raises t to ASAF
// sqrt(c s / 3) where it is below, which makes the surface convex.
//
// Flow follows the potential psi^2 = q^2 + a p^2, a = 9/2 (1 - 2 n) / (1 + n), which has the plastic
// Poisson's ratio n in tension and compression. The curves are over the plastic strain of their test: with
// the equivalent strain e of the plastic deviator, 3 e / (2 (1 + n)) in tension and compression and sqrt(3) e
// / 2 in shear. A table in tension is over the rate of plastic strain; the other curves are scaled as that of
// tension.
//
// With m = d lambda / psi every mode of the stress is divided by 1 + (its modulus) m in the return, so that
// there is one equation for m, in plane stress, too:
//
//   solids   p = P / (1 + K a m),  q = Q / (1 + 3 G m)
//   shells   (s_x + s_y) / 2 is divided by 1 + E / (1 - nu) (1/2 + 2 a / 9) m,  the rest by 1 + 3 G m
//
// solved on (A0 + A1 p + A2 p^2) / q^2 = 1 by Newton's method in a bracket. n is that of the beginning of the
// step. With n = 1/2 the pressure is elastic, and where no deviator is on the surface at that pressure it
// becomes 0.
//
// Damage (LCID-D) is over the plastic strain of tension: the stress is 1 - d times that of the undamaged
// material, whose yield stresses are the curves (LCID-D > 0) or the curves over 1 - d (LCID-D < 0), d of the
// step's beginning. Beyond EPFAIL the stress fades in a line, to 0 at EPFAIL + DEPRPT, where the point has
// failed. q^2 is blunted by 1e-12 s^2.
//
// State: plastic strain of tension. History: plastic strain of shear.
#pragma once

#include "materials/plasticity/flow_stress.hpp"
#include "materials/plasticity/yield_return.hpp"
#include "materials/wrappers/tabulated.hpp"

namespace crumple::materials {

struct SampLaw {
  ElasticLaw elastic;
  double bulk = 0;
  J2Law tension;                  ///< its flow stress: a curve, or a table over the rate of plastic strain
  FlowCurves compression, shear;  ///< none where not given
  double convex = 0;              ///< ASAF with ICONV = 1
  Tabulated ratio;                ///< plastic Poisson's ratio
  bool damages = false, true_stress = false;
  Tabulated damage;
  double fade_begin = 1e5, fade_end = 1e5;
};

inline namespace CRUMPLE_ISA {

/// A yield stress, and its derivative by m.
template <class V>
struct YieldStress {
  V value, slope;

  void scale(const YieldStress& by) {
    slope = slope * by.value + value * by.slope;
    value *= by.value;
  }
};

/// A curve at x, of which d x / d m = rise.
template <class V>
YieldStress<V> stress_of_curve(const FlowCurves& c, V x, V rise) {
  const Segment<V> segment = find_segment(c, x);
  const Line<V> line = line_of(c, V(0), segment);
  return {line.value + line.slope * (x - segment.begin), line.slope * rise};
}

/// The share of the stress that is left at a plastic strain.
template <class V>
V left_of(const SampLaw& p, V strain) {
  V left(1);
  if (p.damages) left = simd::max(V(1) - value_of(p.damage, strain, V(0)), V(1e-6));
  if (p.fade_end > p.fade_begin) {
    const V fade = (V(p.fade_end) - strain) * V(1 / (p.fade_end - p.fade_begin));
    left *= simd::min(simd::max(fade, V(1e-6)), V(1));
  }
  return left;
}

/// The trial stress by its modes: q^2 = first / (1 + a m)^2 + second / (1 + b m)^2, p = pressure / (1 + c m).
template <class V>
struct SampTrial {
  V first, second, pressure;
  V a, b, c;
};

/// The surface at a point m of the return.
template <class V>
class SampReturn {
 public:
  SampReturn(const SampLaw& law, const SampTrial<V>& trial, V tension, V shear, V ratio, V dt)
      : law_(law),
        trial_(trial),
        tension_(tension),
        shear_(shear),
        per_test_(V(1.5) / (V(1) + ratio)),
        flow_(law.tension, tension, V(0), dt),
        size_(flow_.yield()) {}

  /// (A0 + A1 p + A2 p^2) / q^2 - 1 and its derivative by m.
  void at(V m, V& residual, V& slope) const {
    const V u = V(1) / (V(1) + trial_.a * m), v = V(1) / (V(1) + trial_.b * m),
            w = V(1) / (V(1) + trial_.c * m);
    const V first = trial_.first * u * u, second = trial_.second * v * v;
    const V square = first + second + V(1e-12) * size_ * size_;
    const V fall = V(-2) * (trial_.a * u * first + trial_.b * v * second);  // of the square
    const V q = simd::sqrt(square), p = trial_.pressure * w, dp = -trial_.c * w * p;
    const V rise = q + m * V(0.5) * fall / q;  // of the equivalent plastic strain m q
    YieldStress<V> a0{V(0), V(0)}, a1 = a0, a2 = a0;
    coefficients(m * q, rise, a0, a1, a2);
    const V inverse = V(1) / square, limit = a0.value + p * (a1.value + p * a2.value);
    const V limit_slope = a0.slope + p * (a1.slope + p * a2.slope) + dp * (a1.value + V(2) * p * a2.value);
    residual = limit * inverse - V(1);
    slope = (limit_slope - limit * inverse * fall) * inverse;
  }

  /// Plastic strains of a test in tension, and of one in shear.
  V tension_strain(V equivalent) const { return per_test_ * equivalent; }
  static V shear_strain(V equivalent) { return V(kShear) * equivalent; }
  /// The equivalent plastic strain at m.
  V strain(V m) const {
    const V u = V(1) / (V(1) + trial_.a * m), v = V(1) / (V(1) + trial_.b * m);
    return m * simd::sqrt(trial_.first * u * u + trial_.second * v * v + V(1e-12) * size_ * size_);
  }
  V yield() const { return size_; }

 private:
  static constexpr double kShear = 0.86602540378443864676;  // sqrt(3) / 2

  void coefficients(V equivalent, V rise, YieldStress<V>& a0, YieldStress<V>& a1, YieldStress<V>& a2) const {
    const V added = per_test_ * equivalent, rise_t = per_test_ * rise, rise_s = V(kShear) * rise;
    YieldStress<V> s{V(0), V(0)}, c = s, t2 = s;
    flow_.at(tension_ + added, added, s.value, s.slope);
    s.slope *= rise_t;
    YieldStress<V> faster{V(1), V(0)};  // by the rate
    if (law_.tension.rate == RateEffect::table) {
      const YieldStress<V> slow = stress_of_curve(law_.tension.curves, tension_ + added, rise_t);
      const V per = V(1) / slow.value;
      faster = {s.value * per, (s.slope - s.value * per * slow.slope) * per};
    }
    const bool has_c = law_.compression.n_curves > 0, has_s = law_.shear.n_curves > 0;
    if (has_c) {
      c = stress_of_curve(law_.compression, tension_ + added, rise_t);
      c.scale(faster);
    }
    if (has_s) {
      t2 = stress_of_curve(law_.shear, shear_ + V(kShear) * equivalent, rise_s);
      t2.scale(faster);
      t2.scale(t2);
    }
    complete(has_c, has_s, s, c, t2);
    // A0 = 3 t^2, A1 = 3 A0 (1 / s - 1 / c), A2 = 9 - 3 A0 * 3 / (c s)
    const V is = V(1) / s.value, ic = V(1) / c.value, three(3);
    const V ds = -is * is * s.slope, dc = -ic * ic * c.slope;
    a0 = {three * t2.value, three * t2.slope};
    a1 = {three * a0.value * (is - ic), three * (a0.slope * (is - ic) + a0.value * (ds - dc))};
    a2 = {V(9) - V(9) * a0.value * is * ic, V(-9) * (a0.slope * is * ic + a0.value * (ds * ic + is * dc))};
    if (!law_.true_stress) return;
    const V whole = V(1) / left_of(law_, tension_), square = whole * whole;  // at the beginning of the step
    a0.value *= square, a0.slope *= square;
    a1.value *= whole, a1.slope *= whole;
  }

  /// What tests do not say; t2 is the square of the yield stress in shear.
  void complete(bool has_c, bool has_s, const YieldStress<V>& s, YieldStress<V>& c,
                YieldStress<V>& t2) const {
    const V third(1.0 / 3);
    if (!has_c && !has_s) c = s;
    if (!has_c && has_s) {
      const V is = V(1) / s.value;
      c.value = V(3) * t2.value * is;
      c.slope = (V(3) * t2.slope - c.value * s.slope) * is;
    }
    const YieldStress<V> flat{third * s.value * c.value, third * (s.slope * c.value + s.value * c.slope)};
    if (!has_s) t2 = flat;
    if (law_.convex == 0 || !has_s || !has_c) return;
    const V factor(law_.convex * law_.convex);
    const auto hollow = t2.value < factor * flat.value;
    t2.value = simd::select(hollow, factor * flat.value, t2.value);
    t2.slope = simd::select(hollow, factor * flat.slope, t2.slope);
  }

  const SampLaw& law_;
  const SampTrial<V>& trial_;
  V tension_, shear_, per_test_;
  FlowStress<V> flow_;
  V size_;
};

/// m of a step: 0 where nothing yields. Adds to the plastic strains.
template <class V>
V return_samp(const SampLaw& p, const SampTrial<V>& trial, V ratio, V dt, simd::mask_t<V> whole, V& tension,
              const History<simd::scalar_t<V>>& history) {
  const V shear = history.template load<V>(0);
  const SampReturn<V> surface(p, trial, tension, shear, ratio, dt);
  V residual(0), slope(0);
  surface.at(V(0), residual, slope);
  const simd::mask_t<V> yields = whole && dt > V(0) && residual < V(0);
  if (!simd::any(yields)) return V(0);
  const V largest = simd::sqrt(trial.first + trial.second) + simd::abs(trial.pressure) + surface.yield();
  const V least = simd::min(simd::min(trial.a, trial.b), simd::max(trial.c, V(1e-3) * trial.b));
  BracketedNewton<V> newton{V(0), V(0), V(1e4) * largest / (surface.yield() * least), yields};
  for (int n = 0; n < newton.kMostIterations && simd::any(newton.active); ++n) {
    surface.at(newton.x, residual, slope);
    newton.advance(residual, newton.x - residual / simd::select(simd::abs(slope) > V(0), slope, V(1)));
    newton.active = newton.active && simd::abs(residual) > V(newton.kTolerance);
  }
  const V m = simd::select(yields, newton.x, V(0)), strain = surface.strain(m);
  tension += surface.tension_strain(strain);
  history.store(0, shear + surface.shear_strain(strain));
  return m;
}

/// Puts the undamaged stress of a point before `update`, and takes its share after it.
template <class V, class Point, class Update>
void with_damage(const SampLaw& p, Point& point, Update update) {
  const V before = V(1) / left_of(p, point.plastic_strain);
  for (V& s : point.s) s *= before;
  update(point.plastic_strain < V(p.fade_end));
  const V left = left_of(p, point.plastic_strain);
  const auto gone = point.plastic_strain >= V(p.fade_end);
  for (V& s : point.s) s = simd::select(gone, V(0), s * left);
  point.failed = gone;
}

/// a of the potential.
template <class V>
V samp_dilation(V ratio) {
  return V(4.5) * (V(1) - ratio - ratio) / (V(1) + ratio);
}

template <class V>
void update_solid(const SampLaw& p, SolidPoint<V>& point) {
  with_damage<V>(p, point, [&](simd::mask_t<V> whole) {
    V(&s)[6] = point.s;
    add_elastic_solid(p.elastic, point.d, s);
    const V mean = V(1.0 / 3) * (s[0] + s[1] + s[2]);
    for (int k = 0; k < 3; ++k) s[k] -= mean;
    const V ratio = value_of(p.ratio, point.plastic_strain, V(0)), three_g(3 * p.elastic.shear);
    const V square =
        V(1.5) * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
    const SampTrial<V> trial{V(0), square, -mean, three_g, three_g, V(p.bulk) * samp_dilation(ratio)};
    const V m = return_samp(p, trial, ratio, point.dt, whole, point.plastic_strain, point.history);
    const V v = V(1) / (V(1) + trial.b * m), pressure = trial.pressure / (V(1) + trial.c * m);
    for (int k = 0; k < 6; ++k) s[k] = k < 3 ? v * s[k] - pressure : v * s[k];
  });
}

template <class V>
void update_shell(const SampLaw& p, ShellPoint<V>& point) {
  with_damage<V>(p, point, [&](simd::mask_t<V> whole) {
    const V(&d)[6] = point.d;
    V(&s)[6] = point.s;
    add_elastic_shell(p.elastic, d, s);
    s[2] = V(0);
    const V ratio = value_of(p.ratio, point.plastic_strain, V(0)), three_g(3 * p.elastic.shear);
    const V dilation = V(2.0 / 9) * samp_dilation(ratio);
    const V mean = V(0.5) * (s[0] + s[1]), half = V(0.5) * (s[0] - s[1]);
    const V modulus = V(p.elastic.young / (1 - p.elastic.poisson)) * (V(0.5) + dilation);
    const SampTrial<V> trial{mean * mean,
                             V(3) * (half * half + s[3] * s[3] + s[4] * s[4] + s[5] * s[5]),
                             V(-2.0 / 3) * mean,
                             modulus,
                             three_g,
                             modulus};
    const V m = return_samp(p, trial, ratio, point.dt, whole, point.plastic_strain, point.history);
    const V u = V(1) / (V(1) + trial.a * m), v = V(1) / (V(1) + trial.b * m), x = u * mean, y = v * half;
    s[0] = x + y;
    s[1] = x - y;
    for (int k = 3; k < 6; ++k) s[k] *= v;
    const V sum = m * x * (V(1) + V(2) * dilation);  // plastic d[0] + d[1]
    point.d[2] = V(-p.elastic.thinning) * (d[0] + d[1] - sum) + m * x * (dilation - V(1));
  });
  point.d[2] = simd::select(point.failed, V(0), point.d[2]);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/polymer/samp_fields.hpp"
#endif

CRUMPLE_LAW(SampLaw, {.number = 187,
                      .keyword = "MAT_SAMP-1",
                      .supports = {.solid = true, .shell = true},
                      .young_field = "EMOD",
                      .cost = 4,
                      .prepare = prepare_samp})
