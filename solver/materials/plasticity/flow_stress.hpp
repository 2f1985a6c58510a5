// The flow stress of J2 plasticity as a function of the plastic strain reached in a step.
#pragma once

#include "materials/plasticity/j2_law.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// Flow stress k and its derivative dk/dp of one step, as functions of the plastic strain reached, for a law
/// with rate effects (RateFreeFlow is for laws without).
///
/// The segment of the curve at the beginning of the step is stored: few lanes leave it in a step, and only
/// then is the curve searched again. Other lanes use the stored segment, so that results do not depend on
/// neighbours.
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
      const V flowing = simd::max(dp, V(1e-30));  // avoids 0 / 0 in the slope; dp = 0 gives f = 0
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

  /// Upper bound of dp, where the rate effect alone balances the stress in excess of yield(); for is_power().
  V most(V excess) const {
    const V over = law_.overstress > 0 ? V(law_.overstress) : yield_;
    return dt_ / V(law_.inverse_c) * simd::pow(simd::max(excess, V(0)) / over, V(law_.power));
  }

 private:
  /// The curve, or the interpolated table, on the segment that contains p.
  Stretch<V> stretch_at(V p) const {
    if (law_.curves.n_curves == 1) return find_stretch(law_.curves, p);
    const Segment<V> segment = find_segment(law_.curves, p);
    return {segment, line_on(segment)};
  }

  /// The curve, or the interpolated table, on a segment.
  Line<V> line_on(const Segment<V>& segment) const {
    const Line<V> lower = line_of(law_.curves, rate_.curve, segment);
    if (law_.rate != RateEffect::table) return lower;
    return blend(lower, line_of(law_.curves, rate_.curve + V(1), segment), rate_.weight);
  }

  /// Flow stress at plastic strain p, without the factor of the strain rate.
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
  const bool table_rate_;  ///< a table over the plastic strain rate, which the return computes
  V yield_ = V(0), slope_ = V(0), factor_ = V(1), dt_ = V(0), inverse_dt_ = V(0);
  RatePosition<V> rate_{V(0), V(0), V(0)};
  Stretch<V> stretch_{};  ///< at the beginning
};

/// The flow stress of a law without rate effects, the most frequent case.
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
  /// End of the segment at the beginning of the step, and the flow stress on this segment.
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

/// The flow stress of a law: `FlowOf<V, Law>` is made from (law, plastic strain, strain rate, dt).
template <class V, class Law>
struct FlowOfLaw {
  using Type = FlowStress<V>;
};
template <class V, class Law>
using FlowOf = typename FlowOfLaw<V, Law>::Type;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
