// A Hill-type muscle: what *MAT_SPRING_MUSCLE and *MAT_MUSCLE share.
//
// Contractile and parallel elastic element side by side (Hill 1938; Zajac 1989; Winters 1990; LS-DYNA theory
// manual, discrete elements, muscle model). With the length L over that at rest, the activation a(t) and the
// rate V of lengthening over the fastest rate of shortening, the tension over the peak isometric one is
//
//   a(t) f(L) g(V) + p(L),    p(L) = (exp(k (L - 1) / m) - 1) / (exp(k) - 1)  for L > 1, else 0,
//
// so that p is 1 at the strain m. With k = 0 it is (L - 1) / m. Curves of a, f, g and of the fastest rate are
// constant beyond their ends; that of p goes straight on.
#pragma once

#include <algorithm>
#include <cmath>

#include "materials/discrete/force_curve.hpp"

namespace crumple::materials {

/// The parallel elastic element.
enum class PassiveMuscle { exponential, curve, none };

struct HillMuscle {
  double activation = 0;        ///< a, without a curve
  ForceCurve activation_curve;  ///< a(t)
  ForceCurve over_length;       ///< f(L); 1 without points, as the next two
  ForceCurve over_rate;         ///< g(V)
  ForceCurve fastest;           ///< factor on the fastest rate, over activation or length
  PassiveMuscle passive = PassiveMuscle::none;
  ForceCurve passive_curve;      ///< p(L)
  double rise = 0, full_at = 1;  ///< k, m
  double fastest_rate = 1;       ///< of shortening, L over time

  static double value(const ForceCurve& curve, double at) { return curve.n > 0 ? curve(at, false) : 1.0; }
  static double largest(const ForceCurve& curve) {
    return curve.n > 0 ? *std::max_element(curve.y, curve.y + curve.n) : 1.0;
  }
  static double smallest(const ForceCurve& curve) {
    return curve.n > 0 ? *std::min_element(curve.y, curve.y + curve.n) : 1.0;
  }

  double active_at(double time) const {
    return activation_curve.n > 0 ? activation_curve(time, false) : activation;
  }
  double most_active() const { return activation_curve.n > 0 ? largest(activation_curve) : activation; }

  double passive_tension(double length) const {
    if (passive == PassiveMuscle::curve) return passive_curve(length, true);
    if (passive == PassiveMuscle::none || length <= 1) return 0;
    const double strain = (length - 1) / full_at;
    return rise == 0 ? strain : std::expm1(rise * strain) / std::expm1(rise);
  }
  /// Its slope over the length; of a curve the steepest.
  double passive_slope(double length) const {
    if (passive == PassiveMuscle::curve) return passive_curve.steepest();
    if (passive == PassiveMuscle::none) return 0;
    const double strain = std::max(length - 1, 0.0) / full_at;
    return (rise == 0 ? 1.0 : rise * std::exp(rise * strain) / std::expm1(rise)) / full_at;
  }

  /// `scale_at`: the abscissa of the curve `fastest`; `rate` is that of the length.
  double tension(double length, double rate, double time, double scale_at) const {
    const double v = rate / (fastest_rate * value(fastest, scale_at));
    return active_at(time) * value(over_length, length) * value(over_rate, v) + passive_tension(length);
  }
  /// Slopes of the tension, over the length at its present value, and over its rate: the steepest that
  /// activation, length and rate may bring.
  double slope_over_length(double length) const {
    return most_active() * largest(over_rate) * (over_length.n > 0 ? over_length.steepest() : 0.0) +
           passive_slope(length);
  }
  double slope_over_rate() const {
    return over_rate.n == 0 ? 0.0
                            : most_active() * largest(over_length) * over_rate.steepest() /
                                  (fastest_rate * smallest(fastest));
  }
};

}  // namespace crumple::materials
