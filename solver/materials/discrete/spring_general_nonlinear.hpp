// MAT_S06 (*MAT_SPRING_GENERAL_NONLINEAR): a spring with curves for loading and unloading, and with permanent
// elongation.
//
// A one-dimensional plasticity with the manual's fields (LS-DYNA keyword manual, vol. II, MAT_S06). The
// elongation d = e + p has an elastic and a permanent part; the force is F = LCDU(e), the unloading curve
// shifted by p. The loading curve limits the force: after first loading to the abscissa a, with the force
// LCDL(a), the permanent part is
//
//   p(a) = (a - LCDU^-1(LCDL(a))) - (the same at first yield),
//
// so that the limits are T(k) = LCDL(a) with k = p(a) in tension, and C(k) in the same way in compression. A
// spring that is loaded in one direction only follows LCDL. First yield is where the curves separate, or the
// forces TYI and CYI. BETA says how flow in one direction changes the limit of the other:
//
//   BETA = 0  not at all: each limit follows its own flow; softening is allowed, TYI and CYI are not used;
//   BETA = 1  isotropic: both follow the sum of all flow, T(k) and C(-k);
//   else      kinematic: both follow p, a constant TYI - CYI apart: T(p) for p > 0, C(p) for p < 0.
//
// Softening must be less steep than unloading, or the force would jump. Both curves are extrapolated
// linearly.
#pragma once

#include <algorithm>
#include <cmath>

#include "materials/discrete/force_curve.hpp"
#include "materials/discrete/law.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

struct GeneralNonlinearSpring {
  enum class Hardening { softening, isotropic, kinematic };
  ForceCurve loading, unloading;  ///< LCDL, LCDU; LCDU increases and begins at the origin
  Hardening hardening = Hardening::softening;
  double tension = 0, compression = 0;              ///< first yield TYI > 0, CYI < 0; 0 with BETA = 0
  double first_tension = 0, first_compression = 0;  ///< abscissa of the loading curve at first yield

  /// The abscissa at which an increasing curve has the value y; extrapolated linearly.
  static double inverse(const ForceCurve& curve, double y) {
    const auto above = std::upper_bound(curve.y, curve.y + curve.n, y) - curve.y;
    const auto k = std::clamp<std::ptrdiff_t>(above, 1, curve.n - 1);
    const double slope = (curve.y[k] - curve.y[k - 1]) / (curve.x[k] - curve.x[k - 1]);
    return curve.x[k - 1] + (y - curve.y[k - 1]) / slope;
  }

  /// Elastic elongation at a force.
  double elastic(double force) const { return inverse(unloading, force); }

  /// Permanent part after first loading to the abscissa `a`: tension if a > 0, else compression.
  double permanent(double a) const {
    const double start = a > 0 ? first_tension : first_compression;
    return (a - elastic(loading(a, true))) - (start - elastic(loading(start, true)));
  }

  /// `history`: permanent elongation, sum of its increase, sum of its decrease.
  double operator()(double d, double (&history)[3]) const {
    const double trial = unloading(d - history[0], true);
    const int sign = trial > upper(history) ? 1 : trial < lower(history) ? -1 : 0;
    if (sign == 0) return trial;
    // With kinematic hardening the limit of one side may be that of the other, shifted by a constant.
    if (hardening == Hardening::kinematic && sign * history[0] < 0)
      return flow_on_the_other_side(d, sign, history);
    // Let a_0 be the abscissa of the loading curve for the flow so far. Further flow leads from a_0 to a on
    // the curve, and from p to the permanent part with d = LCDU^-1(LCDL(a)) + p. So a = d - p + a_0 -
    // LCDU^-1(LCDL(a_0)).
    const double before = find(sign * used(history, sign), first(sign), sign);
    const double now = d - history[0] + before - elastic(loading(before, true));
    add_flow(sign * (permanent(now) - permanent(before)), sign, history);
    return loading(now, true);
  }

  /// The abscissa beyond `start` on the side of `sign` where permanent() is k; permanent() does not decrease
  /// in this direction.
  double find(double k, double start, int sign) const {
    const auto short_of = [&](double a) { return sign * (k - permanent(a)) > 0; };
    if (k == 0) return start;
    double low = start, step = std::max(std::fabs(k), std::fabs(start));
    double high = start + sign * step;
    for (int n = 0; n < 200 && short_of(high); ++n) high += sign * (step *= 2);
    for (int n = 0; n < 200; ++n) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      (short_of(middle) ? low : high) = middle;
    }
    return high;
  }

 private:
  double first(int sign) const { return sign > 0 ? first_tension : first_compression; }

  /// The permanent elongation on which the limit of a side depends, as a positive number.
  double used(const double (&h)[3], int sign = 1) const {
    switch (hardening) {
      case Hardening::softening:
        return sign > 0 ? h[1] : h[2];
      case Hardening::isotropic:
        return h[1] + h[2];
      default:
        return std::fabs(h[0]);
    }
  }
  static void add_flow(double flow, int sign, double (&h)[3]) {
    h[0] += sign * flow;
    h[sign > 0 ? 1 : 2] += flow;
  }

  /// Limit of the force of a side after the permanent elongation k >= 0 in its direction.
  double limit(double k, int sign) const { return loading(find(sign * k, first(sign), sign), true); }
  double upper(const double (&h)[3]) const {
    if (hardening == Hardening::kinematic && h[0] < 0) return limit(-h[0], -1) + tension - compression;
    return limit(used(h), 1);
  }
  double lower(const double (&h)[3]) const {
    if (hardening == Hardening::kinematic && h[0] > 0) return limit(h[0], 1) - tension + compression;
    return limit(used(h, -1), -1);
  }

  /// The flow at which force and limit are equal, by bisection: with more flow the limit grows and the force
  /// falls.
  double flow_on_the_other_side(double d, int sign, double (&history)[3]) const {
    const double start[3] = {history[0], history[1], history[2]};
    const auto excess = [&](double flow) {
      std::copy_n(start, 3, history);
      add_flow(flow, sign, history);
      return sign * (unloading(d - history[0], true) - (sign > 0 ? upper(history) : lower(history)));
    };
    double low = 0, high = std::fabs(d - start[0]) + std::fabs(first_tension);
    for (int n = 0; n < 60 && excess(high) > 0; ++n) high *= 2;
    for (int n = 0; n < 60; ++n) {
      const double middle = 0.5 * (low + high);
      (excess(middle) > 0 ? low : high) = middle;
    }
    excess(high);
    return unloading(d - history[0], true);
  }
};

inline namespace CRUMPLE_ISA {

inline void update_discrete(const GeneralNonlinearSpring& law, double d, double, DiscreteState& state) {
  state.force = law(d, state.history);
}

/// Loading is never steeper than unloading (check_loading).
template <class Visit>
void visit_tangents(const GeneralNonlinearSpring& law, double d, double,
                    const double (&history)[kDiscreteHistory], Visit visit) {
  law.unloading.visit_slopes(d - history[0], [&](double gap, double slope) {
    visit(gap, DiscreteTangent{slope, 0});
  });
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete/force_curve_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// Unloading is elastic: it must begin at the origin and increase strictly.
inline void check_unloading(const model::Material& material, const model::Curve& curve,
                            const ForceCurve& force) {
  if (std::ranges::adjacent_find(curve.y, std::greater_equal<>()) != curve.y.end() ||
      std::fabs(force(0, true)) > 1e-9 * (curve.y.back() - curve.y.front()))
    refuse(material, "CR-M107", "LCDU",
           fmt::format("curve {} of LCDU must increase, and have no force at no elongation", curve.id));
}

/// The permanent part must not decrease with more loading; else unloading would be less steep than loading.
inline void check_loading(const model::Material& material, const model::Curve& curve,
                          const GeneralNonlinearSpring& spring, double smallest) {
  for (std::size_t k = 0; k + 1 < curve.x.size(); ++k) {
    const double a = curve.x[k], b = curve.x[k + 1];
    const bool above = b > spring.first_tension, below = a < spring.first_compression;
    const double from = above ? std::max(a, spring.first_tension) : a;
    const double to = below ? std::min(b, spring.first_compression) : b;
    if ((above || below) && spring.permanent(to) - spring.permanent(from) < -smallest)
      refuse(material, "CR-M107", "LCDL",
             fmt::format("curve {} of LCDL rises more steeply, or falls more steeply, between {} and {} than "
                         "curve LCDU lets it unload",
                         curve.id, a, b));
  }
}

inline Prepared prepare_spring_general_nonlinear(const model::Model& model, const model::Material& material) {
  WithCurves<GeneralNonlinearSpring> made;
  GeneralNonlinearSpring& spring = made.law();
  spring.loading = made.read(model, material, "LCDL");
  spring.unloading = made.read(model, material, "LCDU");
  const model::Curve &loading = made.curve(0), &unloading = made.curve(1);
  check_unloading(material, unloading, spring.unloading);
  const double beta = material.field("BETA");
  using Hardening = GeneralNonlinearSpring::Hardening;
  spring.hardening = beta == 0   ? Hardening::softening
                     : beta == 1 ? Hardening::isotropic
                                 : Hardening::kinematic;
  const double length = loading.x.back() - loading.x.front();
  if (beta == 0) {
    check_loading(material, loading, spring, 1e-9 * length);
    spring.first_tension = spring.find(1e-13 * length, 0, 1);
    spring.first_compression = spring.find(-1e-13 * length, 0, -1);
  } else {
    if (std::ranges::adjacent_find(loading.y, std::greater_equal<>()) != loading.y.end())
      refuse(material, "CR-M107", "LCDL",
             fmt::format("curve {} of LCDL must increase where BETA is not 0", loading.id));
    spring.tension = positive_field(material, "TYI");
    spring.compression = material.field("CYI");
    if (!(spring.compression < 0))
      refuse(material, "CR-M108", "CYI", fmt::format("CYI is {}, it must be negative", spring.compression));
    spring.first_tension = GeneralNonlinearSpring::inverse(spring.loading, spring.tension);
    spring.first_compression = GeneralNonlinearSpring::inverse(spring.loading, spring.compression);
    check_loading(material, loading, spring, 1e-9 * length);
  }
  return made.prepared();
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(GeneralNonlinearSpring, {.number = 1006,
                                     .keyword = "MAT_SPRING_GENERAL_NONLINEAR",
                                     .supports = {.discrete = true},
                                     .prepare = prepare_spring_general_nonlinear})
