// MAT_159 (*MAT_CSCM, *MAT_CSCM_CONCRETE): concrete with a continuous surface cap, brittle and ductile damage
// that dissipates fracture energies in elements of any size, and rate effects (Murray 2007, FHWA-HRT-05-062,
// chapter 2; Schwer and Murray 1994, Int. J. Numer. Anal. Methods Geomech. 18, p. 657); in solids.
//
// The undamaged stress is that of cap_surface.hpp. Rates, with the effective strain rate v = sqrt(2/3 e':e'):
// the stress lies between the trial stress and the returned one (Duvaut and Lions 1972),
//
//   s = s_trial + g (s_returned - s_trial),   g = dt / (dt + eta),   so that at a constant rate it is
//   E v eta above the surface,   eta = ETA0 v^-N, E v eta at most OVER.
//
// Damage, s (1 - d), with d the greater of two. It begins with flow that grows the volume, which thresholds
// t0 are those of (the cap begins below the uniaxial strength, and so is no bound of it):
//
//   brittle, I < 0:   t = sqrt(E) e_max,        d = (0.999 / D) ((1 + D) / (1 + D exp(-C (t - t0))) - 1)
//   ductile, I >= 0:  t = sqrt(s : e / 2),      d = (d_max / B) ((1 + B) / (1 + B exp(-A (t - t0))) - 1)
//   d_max = 0.999 min(1, (sqrt(3) r / I)^1.5)
//
// e is the total strain, e_max its largest principal value. C and A are those for which a bar of the
// element's size l (cube root of the volume at the start) dissipates the fracture energy G after its peak
// stress f:
//
//   tension      f = sqrt(E) t0,  G = l f (1 + D) ln(1 + D) / (sqrt(E) D C)
//   compression  t^2 = f e / 2,   G = 4 l ((1 + B) / B) (t0 ln(1 + B) / A - Li2(-B) / A^2)
//
// G goes from GFS in shear to GFT in tension by (-I / (sqrt(3) r))^PWRT, to GFC in compression by
// (I / (sqrt(3) r))^PWRC, and with rates has the factor (1 + E v eta / f)^REPOW; E v eta / sqrt(E) or, in
// compression, / sqrt(2 E) is added to t0. A has the factor (d_max + 0.001)^PMOD. All are those of the
// beginning of the damage: our reading, as is the integral in compression.
//
// In compression brittle damage acts with the factor RECOV. A point fails when damage exceeds 0.99 and e_max
// ERODE - 1. The plastic strain is the effective one of the deviator.
//
// History: the size; the strain e, 6; d of the stress; brittle and ductile damage; threshold and C, threshold
// and A; plastic compaction e and L - L(X0) of the cap; whether it has failed.
#pragma once

#include <cmath>

#include "materials/concrete/cap_surface.hpp"
#include "materials/hooke.hpp"
#include "materials/principal_axes.hpp"
#include "materials/tensors.hpp"

namespace crumple::materials {

/// The softening of one kind of damage.
struct ConcreteSoftening {
  double shape = 0;                             ///< D or B
  double energy = 0;                            ///< GFT or GFC
  double power = 0;                             ///< PWRT or PWRC
  double eta = 0, exponent = 0, most_over = 0;  ///< ETA0, N, OVER
};

struct CscmLaw {
  ElasticLaw elastic;
  double bulk = 0;
  CapSurface surface;
  ConcreteSoftening brittle, ductile;
  double shear_energy = 0;    ///< GFS
  double pressure_power = 0;  ///< PMOD
  double dilogarithm = 0;     ///< -Li2(-B)
  double shear_rate = 0;      ///< SRATE
  double energy_power = 0;    ///< REPOW
  bool with_rates = false;    ///< IRATE
  double recovery = 0;        ///< the share of brittle damage that acts in compression
  bool by_volume = false;     ///< compression is of the volume, too
  double erosion = -1;        ///< e_max at which a point fails; < 0: never

  enum Variable {
    kSize,
    kStrain,
    kDamage = kStrain + 6,
    kBrittle,
    kDuctile,
    kBrittleThreshold,
    kBrittleSlope,
    kDuctileThreshold,
    kDuctileSlope,
    kCompaction,
    kEdge,
    kFailed,
    kHistory
  };
};

inline namespace CRUMPLE_ISA {

/// A trial stress in its invariants; its deviator is in `s`.
template <class V>
struct ConcreteTrial {
  V i, r;
  DeviatorAngle<V> angle;
};

/// Takes the mean off `s`.
template <class V>
ConcreteTrial<V> concrete_trial(V (&s)[6]) {
  ConcreteTrial<V> t;
  t.i = -(s[0] + s[1] + s[2]);
  for (int k = 0; k < 3; ++k) s[k] += V(1.0 / 3) * t.i;
  const V square =
      V(0.5) * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
  const simd::mask_t<V> some = square > V(1e-30);
  t.r = simd::select(some, simd::sqrt(simd::select(some, square, V(1))), V(0));
  PrincipalAxes<V> p;
  principal_axes(s, p);
  const V most = simd::max(simd::max(p.value[0], p.value[1]), p.value[2]);
  const V least = simd::min(simd::min(p.value[0], p.value[1]), p.value[2]);
  const V half = V(0.5) / simd::select(some, t.r, V(1));
  t.angle.sine = V(-1.7320508075688772) * (most + least) * half;
  t.angle.cosine = simd::select(some, (most - least) * half, V(1));
  return t;
}

/// The stress state for what lies between shear, tension and compression.
template <class V>
struct ConcreteState {
  simd::mask_t<V> pressed;
  V ratio;    ///< I / (sqrt(3) r), 1 in uniaxial compression
  V tension;  ///< shares of GFT and GFC
  V pressure;
};

template <class V>
ConcreteState<V> concrete_state(const CscmLaw& p, V i, V r) {
  ConcreteState<V> state;
  const V tiny(1e-12), one(1);
  state.pressed = i >= V(0);
  state.ratio = i / simd::max(V(1.7320508075688772) * r, V(1e-12 * p.surface.scale));
  const V pulled = simd::min(simd::max(-state.ratio, tiny), one);
  const V pushed = simd::min(simd::max(state.ratio, tiny), one);
  state.tension = simd::exp(V(p.brittle.power) * simd::log(pulled));
  state.pressure = simd::exp(V(p.ductile.power) * simd::log(pushed));
  return state;
}

/// What rates do in a step: the share of the returned stress, and the stress above the surface.
template <class V>
struct ConcreteRate {
  V share, over;
};

template <class V>
ConcreteRate<V> concrete_rate(const CscmLaw& p, const ConcreteState<V>& state, const V (&d)[6], V dt) {
  if (!p.with_rates) return {V(1), V(0)};
  const V mean = V(1.0 / 3) * (d[0] + d[1] + d[2]);
  V square(0);
  for (int k = 0; k < 6; ++k) {
    const V e = k < 3 ? d[k] - mean : d[k];
    square += V(k < 3 ? 1.0 : 0.5) * e * e;
  }
  const V strain = simd::sqrt(simd::max(V(2.0 / 3) * square, V(1e-24)));
  const V rate = simd::log(strain / simd::select(dt > V(0), dt, V(1)));
  const auto over = [&](const ConcreteSoftening& of) {
    return V(p.elastic.young * of.eta) * simd::exp(V(1 - of.exponent) * rate);
  };
  const V pull = over(p.brittle), push = over(p.ductile), shear = V(p.shear_rate) * pull;
  const V most_pull(p.brittle.most_over), most_push(p.ductile.most_over);
  const V stress = simd::select(state.pressed, shear + state.pressure * (push - shear),
                                shear + state.tension * (pull - shear));
  const V most = simd::select(state.pressed, most_pull + state.pressure * (most_push - most_pull), most_pull);
  const V held = simd::min(stress, most);
  return {V(1) / (V(1) + held / (V(p.elastic.young) * strain)), held};
}

/// d of a damage at the excess t - t0.
template <class V>
V concrete_softening(double shape, V most, V slope, V excess) {
  const V left = V(1 + shape) / (V(1) + V(shape) * simd::exp(-slope * simd::max(excess, V(0))));
  return most * V(1 / shape) * (left - V(1));
}

/// Fracture energy between shear and `share` of tension or compression, at a rate.
template <class V>
V fracture_energy(const CscmLaw& p, const ConcreteSoftening& of, V share, V over_ratio) {
  const V slow = V(p.shear_energy) + share * V(of.energy - p.shear_energy);
  return p.with_rates ? slow * simd::exp(V(p.energy_power) * simd::log(V(1) + over_ratio)) : slow;
}

/// C of an element.
template <class V>
V brittle_slope(const CscmLaw& p, V size, V threshold, V energy) {
  const double shape = p.brittle.shape;
  return V((1 + shape) / shape * std::log1p(shape)) * size * threshold / energy;
}

/// A of an element.
template <class V>
V ductile_slope(const CscmLaw& p, V size, V threshold, V energy, V most) {
  const double shape = p.ductile.shape, part = 4 * (1 + shape) / shape;
  const V linear = V(part * std::log1p(shape)) * size * threshold;
  const V square = V(part * p.dilogarithm) * size;
  const V slope = (linear + simd::sqrt(linear * linear + V(4) * square * energy)) / (energy + energy);
  return slope * simd::exp(V(p.pressure_power) * simd::log(most + V(0.001)));
}

/// What damage depends on in a step.
template <class V>
struct ConcreteLoad {
  simd::mask_t<V> flows;  ///< with a growing volume
  V largest, work;        ///< e_max, s : e / 2
  V over;
};

/// Brittle damage after a step.
template <class V>
V brittle_damage(const CscmLaw& p, const ConcreteState<V>& state, const ConcreteLoad<V>& load,
                 const History<simd::scalar_t<V>>& history) {
  const V root(std::sqrt(p.elastic.young)), t = root * simd::max(load.largest, V(0));
  V threshold = history.template load<V>(p.kBrittleThreshold);
  V slope = history.template load<V>(p.kBrittleSlope);
  V damage = history.template load<V>(p.kBrittle);
  const simd::mask_t<V> pulled = !state.pressed,
                        begins = pulled && load.flows && threshold == V(0) && t > V(0);
  if (simd::any(begins)) {
    const V slow = simd::select(begins, t, V(1)), first = slow + load.over / root;
    const V energy = fracture_energy(p, p.brittle, state.tension, load.over / (slow * root));
    const V size = history.template load<V>(p.kSize);
    threshold = simd::select(begins, first, threshold);
    slope = simd::select(begins, brittle_slope(p, size, first, energy), slope);
    history.store(p.kBrittleThreshold, threshold);
    history.store(p.kBrittleSlope, slope);
  }
  const simd::mask_t<V> grows = pulled && threshold > V(0) && t > threshold;
  const V grown = concrete_softening(p.brittle.shape, V(0.999), slope, t - threshold);
  damage = simd::select(grows, simd::max(damage, grown), damage);
  history.store(p.kBrittle, damage);
  return damage;
}

/// Ductile damage after a step.
template <class V>
V ductile_damage(const CscmLaw& p, const ConcreteState<V>& state, const ConcreteLoad<V>& load,
                 const History<simd::scalar_t<V>>& history) {
  const V root(std::sqrt(2 * p.elastic.young)), t = simd::sqrt(simd::max(load.work, V(1e-30)));
  V threshold = history.template load<V>(p.kDuctileThreshold);
  V slope = history.template load<V>(p.kDuctileSlope);
  V damage = history.template load<V>(p.kDuctile);
  const V confined = simd::max(state.ratio, V(1));
  const V most = V(0.999) / (confined * simd::sqrt(confined));
  const simd::mask_t<V> begins = state.pressed && load.flows && threshold == V(0);
  if (simd::any(begins)) {
    const V first = t + load.over / root;
    const V energy = fracture_energy(p, p.ductile, state.pressure, load.over / (t * root));
    const V size = history.template load<V>(p.kSize);
    threshold = simd::select(begins, first, threshold);
    slope = simd::select(begins, ductile_slope(p, size, first, energy, most), slope);
    history.store(p.kDuctileThreshold, threshold);
    history.store(p.kDuctileSlope, slope);
  }
  const simd::mask_t<V> grows = state.pressed && threshold > V(0) && t > threshold;
  const V grown = concrete_softening(p.ductile.shape, most, slope, t - threshold);
  damage = simd::select(grows, simd::max(damage, grown), damage);
  history.store(p.kDuctile, damage);
  return damage;
}

/// The strain after a step, kept in the history; its largest principal value.
template <class V>
V add_concrete_strain(const CscmLaw& p, const SolidPoint<V>& point, V (&strain)[6]) {
  for (int k = 0; k < 6; ++k) strain[k] = point.history.template load<V>(p.kStrain + k);
  if (point.rotation) rotate(point.rotation, strain);
  for (int k = 0; k < 6; ++k) {
    strain[k] += k < 3 ? point.d[k] : V(0.5) * point.d[k];
    point.history.store(p.kStrain + k, strain[k]);
  }
  PrincipalAxes<V> axes;
  principal_axes(strain, axes);
  return simd::max(simd::max(axes.value[0], axes.value[1]), axes.value[2]);
}

/// The undamaged stress after a step: `s` is its deviator before, the trial's, and the whole after.
template <class V>
ConcreteState<V> concrete_stress(const CscmLaw& p, SolidPoint<V>& point, ConcreteLoad<V>& load) {
  V(&s)[6] = point.s;
  const ConcreteTrial<V> trial = concrete_trial(s);
  const V edge = V(p.surface.first_edge) + point.history.template load<V>(p.kEdge);
  const V compaction = point.history.template load<V>(p.kCompaction);
  const CapPoint<V> from{trial.i, trial.r, {edge, compaction}, never(edge)};
  const CapPoint<V> to = return_to_cap(p.surface, p.bulk, p.elastic.shear, trial.angle, from);
  const ConcreteRate<V> rate = concrete_rate(p, concrete_state(p, to.i, to.r), point.d, point.dt);
  const V i = trial.i + rate.share * (to.i - trial.i), r = trial.r + rate.share * (to.r - trial.r);
  const ConcreteCap<V> cap =
      cap_at(p.surface, compaction + rate.share * (to.cap.compaction - compaction), to.cap.edge);
  point.history.store(p.kCompaction, cap.compaction);
  point.history.store(p.kEdge, cap.edge - V(p.surface.first_edge));
  const V part = r / simd::select(trial.r > V(0), trial.r, V(1));
  for (int k = 0; k < 6; ++k) s[k] = part * s[k] - (k < 3 ? V(1.0 / 3) * i : V(0));
  point.plastic_strain += V(0.57735026918962576 / p.elastic.shear) * (trial.r - r);
  load.flows = to.dilates;
  load.over = rate.over;
  return concrete_state(p, i, r);
}

template <class V>
void update_solid(const CscmLaw& p, SolidPoint<V>& point) {
  const History<simd::scalar_t<V>>& history = point.history;
  V(&s)[6] = point.s;
  V strain[6];
  ConcreteLoad<V> load;
  load.largest = add_concrete_strain(p, point, strain);
  const V whole = V(1) / (V(1) - history.template load<V>(p.kDamage));
  for (V& of : s) of *= whole;
  add_elastic_solid(p.elastic, point.d, s);
  const ConcreteState<V> state = concrete_stress(p, point, load);
  load.work = V(0.5) * (s[0] * strain[0] + s[1] * strain[1] + s[2] * strain[2]) + s[3] * strain[3] +
              s[4] * strain[4] + s[5] * strain[5];
  const V brittle = brittle_damage(p, state, load, history);
  const V ductile = ductile_damage(p, state, load, history);
  simd::mask_t<V> closed = state.pressed;
  if (p.by_volume) closed = closed && strain[0] + strain[1] + strain[2] <= V(0);
  const V damage = simd::max(ductile, simd::select(closed, V(p.recovery) * brittle, brittle));
  history.store(p.kDamage, damage);
  V failed = history.template load<V>(p.kFailed);
  if (p.erosion >= 0)
    failed =
        simd::select(simd::max(brittle, ductile) > V(0.99) && load.largest >= V(p.erosion), V(1), failed);
  history.store(p.kFailed, failed);
  point.failed = failed > V(0);
  for (V& of : s) of = simd::select(point.failed, V(0), (V(1) - damage) * of);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/concrete/cscm_fields.hpp"
#endif

CRUMPLE_LAW(CscmLaw, {.number = 159,
                      .keyword = "MAT_CSCM",
                      .supports = {.solid = true},
                      .needs = {.element_size = true},
                      .cost = 12,
                      .prepare = prepare_cscm})
