// The force of one freedom of a discrete beam, in scalar double: over displacement, velocity and history.
//
// Displacement, force, stiffness may be read as rotation, moment, stiffness of rotation. A force F0 of one of
// the forms below becomes (LS-DYNA keyword manual, vol. II, *MAT_074, 094, 196)
//
//   F = P + F0 [1 + C1 v + C2 sgn(v) ln(max(1, |v| / DLE))] + D v + g(d) h(v).
//
// Curves of forces continue straight beyond their ends. A curve that has no negative abscissa is taken as
// odd: f(-x) = -f(x). The scale g is constant beyond its ends.
#pragma once

#include <algorithm>
#include <cmath>

#include "materials/discrete/force_curve.hpp"

namespace crumple::materials {

inline constexpr int kComponentHistory = 2;

/// What F0 is.
enum class ComponentForm {
  none,        ///< 0
  linear,      ///< K d
  curve,       ///< K f(d), the loading curve
  hysteresis,  ///< between the loading and the unloading curve with the stiffness K
  plastic,     ///< K (d - p), at most the yield force over the sum of plastic displacement
  cable,       ///< tension only, K d or area times stress over strain
  gas_damper   ///< pressure of a gas, and of oil in an orifice
};

/// A curve that may be given for positive abscissae only.
struct OddCurve {
  ForceCurve curve;
  bool odd = false;
  bool given() const { return curve.n > 0; }
  double operator()(double x) const {
    return odd ? std::copysign(1.0, x) * (x == 0.0 ? 0.0 : curve(std::fabs(x), true)) : curve(x, true);
  }
};

/// *MAT_070: a piston on a gas column, and oil that passes an orifice.
struct GasDamper {
  double column = 0, exponent = 0;   ///< C0, N
  double pressure = 0, outside = 0;  ///< P0, PA
  double area = 0, hydraulic = 0;    ///< AP, KH
  double back = 0, scale = 1;        ///< FR, SCLF
};

struct DiscreteBeamComponent {
  ComponentForm form = ComponentForm::none;
  double stiffness = 0;   ///< K
  OddCurve loading;       ///< force, or yield force over plastic displacement
  OddCurve unloading;     ///< of hysteresis
  double preload = 0;     ///< P
  double start = 0;       ///< displacement at the start
  double damping = 0;     ///< D
  double c1 = 0, c2 = 0;  ///< C1, C2
  double dle = 1;         ///< DLE
  OddCurve damper;        ///< h
  ForceCurve scale;       ///< g, 1 without points
  // cables
  double area = 0;  ///< with E or a curve; negative: that of the section

  GasDamper gas;  ///< its orifice area over the stroke is the loading curve

  double hold_until = 0;                   ///< TMAXF0; 0: the preload is added throughout
  double ramp_start = 0, ramp_length = 0;  ///< TSTART, TRAMP

  bool acts() const { return form != ComponentForm::none || damping != 0 || damper.given() || preload != 0; }
};

/// Slopes for the stable step, at least 0.
struct ComponentTangent {
  double stiffness = 0, damping = 0;
};

/// The factor on F0 at the velocity v.
inline double rate_factor(const DiscreteBeamComponent& c, double v) {
  if (c.c1 == 0 && c.c2 == 0) return 1;
  return 1 + c.c1 * v + c.c2 * std::copysign(std::log(std::max(1.0, std::fabs(v) / c.dle)), v);
}

/// Yield force after the plastic displacement p >= 0 in the direction of `sign`.
inline double yield_force(const DiscreteBeamComponent& c, double p, double sign) {
  const ForceCurve& f = c.loading.curve;
  return c.loading.odd ? f(p, false) : sign * f(sign * p, false);
}

/// Elastic-plastic force; h: plastic displacement, sum of its magnitude. The flow q solves
/// |K (d - p)| - K q = Fy(sum + q), by bisection: the left side falls faster than a yield force may.
inline double plastic_force(const DiscreteBeamComponent& c, double d, double (&h)[kComponentHistory]) {
  const double trial = c.stiffness * (d - h[0]), sign = trial < 0 ? -1 : 1;
  if (std::fabs(trial) <= yield_force(c, h[1], sign)) return trial;
  double low = 0, high = std::fabs(trial) / c.stiffness;
  for (int n = 0; n < 100; ++n) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (std::fabs(trial) - c.stiffness * middle > yield_force(c, h[1] + middle, sign) ? low : high) = middle;
  }
  h[0] += sign * high;
  h[1] += high;
  return c.stiffness * (d - h[0]);
}

/// Between both curves with the stiffness K; h: force and displacement before.
inline double hysteretic_force(const DiscreteBeamComponent& c, double d, double (&h)[kComponentHistory]) {
  const double loading = c.loading(d), unloading = c.unloading(d);
  const double force =
      std::clamp(h[0] + c.stiffness * (d - h[1]), std::min(loading, unloading), std::max(loading, unloading));
  h[0] = force;
  h[1] = d;
  return force;
}

/// Tension of a cable that is longer by `d` than `length`, at the stiffness per length of its law.
inline double cable_tension(const DiscreteBeamComponent& c, double d, double length) {
  return c.loading.given() ? c.area * c.loading(d / length)
         : c.area > 0      ? c.stiffness * c.area / length * d
                           : c.stiffness * d;
}

/// The elongation at which a cable has the tension F > 0; its tension rises (checked when it is prepared).
inline double cable_elongation(const DiscreteBeamComponent& c, double force, double length) {
  if (!c.loading.given()) return force / (c.area > 0 ? c.stiffness * c.area / length : c.stiffness);
  const ForceCurve& f = c.loading.curve;
  const double stress = force / c.area;
  int k = 1;
  while (k < f.n - 1 && f.y[k] < stress) ++k;
  const double strain = f.x[k - 1] + (f.x[k] - f.x[k - 1]) * (stress - f.y[k - 1]) / (f.y[k] - f.y[k - 1]);
  return strain * length;
}

/// A cable, no force in compression. Its length without force is `length` + h[0]. Until TMAXF0 the tension is
/// the preload, which grows from TSTART on for TRAMP, and h[0] is what gives this tension.
inline double cable_force(const DiscreteBeamComponent& c, double d, double time, double length,
                          double (&h)[kComponentHistory]) {
  if (!(c.hold_until > 0)) return std::max(0.0, c.preload + cable_tension(c, d, length));
  if (time > c.hold_until) return std::max(0.0, cable_tension(c, d - h[0], length));
  const double ramp = c.ramp_length > 0 ? std::clamp((time - c.ramp_start) / c.ramp_length, 0.0, 1.0) : 1.0;
  const double force = ramp * c.preload;
  h[0] = d - (force > 0 ? cable_elongation(c, force, length) : 0.0);
  return force;
}

/// Length of the gas column at an elongation d of the damper; it keeps a thousandth of its length.
inline double gas_column(const GasDamper& g, double d) { return std::max(g.column + d, 1e-3 * g.column); }

/// Tension: the pressures push the ends apart. The oil resists the motion, with less on the way back.
inline double gas_damper_force(const DiscreteBeamComponent& c, double d, double v) {
  const GasDamper& g = c.gas;
  const double pressure = g.pressure * std::pow(g.column / gas_column(g, d), g.exponent) - g.outside;
  const double through = v / c.loading.curve(-d, false);
  const double oil = g.hydraulic * through * through * (v < 0 ? 1.0 : -g.back);
  return -g.scale * (oil + pressure * g.area);
}

/// Force at the displacement d and the velocity v. `length` is that of a cable without force at the start.
inline double component_force(const DiscreteBeamComponent& c, double d, double v, double time, double length,
                              double (&h)[kComponentHistory]) {
  d += c.start;
  double force = 0;
  switch (c.form) {
    case ComponentForm::none:
      break;
    case ComponentForm::linear:
      force = c.stiffness * d;
      break;
    case ComponentForm::curve:
      force = c.stiffness * c.loading(d);
      break;
    case ComponentForm::hysteresis:
      force = hysteretic_force(c, d, h);
      break;
    case ComponentForm::plastic:
      force = plastic_force(c, d, h);
      break;
    case ComponentForm::cable:
      return cable_force(c, d, time, length, h);
    case ComponentForm::gas_damper:
      return gas_damper_force(c, d, v);
  }
  force = c.preload + force * rate_factor(c, v) + c.damping * v;
  if (c.damper.given()) force += (c.scale.n > 0 ? c.scale(d, false) : 1.0) * c.damper(v);
  return force;
}

/// The steepest slopes that the component may have anywhere; those over velocity at the velocity v and the
/// force F, of a gas at the elongation d. Constant along a curve, so that a spring never meets a part that is
/// steeper than its step allows.
inline ComponentTangent component_tangent(const DiscreteBeamComponent& c, double d, double v, double force,
                                          double length) {
  ComponentTangent t;
  switch (c.form) {
    case ComponentForm::none:
      break;
    case ComponentForm::linear:
    case ComponentForm::plastic:
      t.stiffness = c.stiffness;
      break;
    case ComponentForm::curve:
      t.stiffness = std::fabs(c.stiffness) * c.loading.curve.steepest();
      break;
    case ComponentForm::hysteresis:
      t.stiffness = std::max({c.stiffness, c.loading.curve.steepest(), c.unloading.curve.steepest()});
      break;
    case ComponentForm::cable:
      t.stiffness = c.loading.given() ? c.area * c.loading.curve.steepest() / length
                    : c.area > 0      ? c.stiffness * c.area / length
                                      : c.stiffness;
      return t;
    case ComponentForm::gas_damper: {
      const GasDamper& g = c.gas;
      const double now = gas_column(g, d), orifice = c.loading.curve(-d, false);
      double narrows = 0;  // the orifice over the stroke
      c.loading.curve.visit_slopes(
          0, [&](double, double slope) { narrows = std::max(narrows, std::fabs(slope)); });
      t.stiffness = g.scale * g.exponent * g.pressure * g.area / now * std::pow(g.column / now, g.exponent) +
                    g.scale * 2 * g.hydraulic * v * v * narrows / (orifice * orifice * orifice);
      t.damping = g.scale * 2 * g.hydraulic * std::fabs(v) / (orifice * orifice);
      return t;
    }
  }
  t.stiffness *= std::fabs(rate_factor(c, v));
  t.damping = c.damping;
  if (c.c1 != 0 || c.c2 != 0)
    t.damping += std::fabs(force) * (std::fabs(c.c1) + std::fabs(c.c2) / std::max(std::fabs(v), c.dle));
  if (c.damper.given()) {
    double scale = 1;
    if (c.scale.n > 0) {
      scale = 0;
      for (int k = 0; k < c.scale.n; ++k) scale = std::max(scale, std::fabs(c.scale.y[k]));
    }
    t.damping += scale * c.damper.curve.steepest();
  }
  return t;
}

}  // namespace crumple::materials
