// MAT_S01 to MAT_S05: springs and dampers of discrete elements, in scalar double.
//
// Forces are positive in tension; for torsional elements read moment, rotation and angular velocity. With
// elongation d and velocity of elongation v (LS-DYNA keyword manual, vol. II, MAT_S01 to MAT_S05):
//
//   S01  F = K d                S02  F = DC v
//   S03  elastoplastic with isotropic hardening: F = K (d - d_p), |F| <= FY + H p, H = K KT / (K - KT), the
//        return in one step that is exact for linear hardening; state: d_p and the sum p of |d_p|
//   S04  F = LCD(d) LCR(v)      S05  F = LCDR(v)
//
// Force curves go on straight beyond their ends; the scale LCR is constant there. The element knows what
// *SECTION_DISCRETE adds: its scale, offset, dynamic magnification and limits.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "materials/law.hpp"

namespace crumple::materials {

/// LS-DYNA's S laws as the model numbers them.
inline constexpr int kSpringElastic = 1001, kDamperViscous = 1002, kSpringElastoplastic = 1003,
                     kSpringNonlinearElastic = 1004, kDamperNonlinearViscous = 1005;

/// A curve that belongs to somebody else; no points: none.
struct ForceCurve {
  const double *x = nullptr, *y = nullptr;
  int n = 0;

  /// Between points straight, and beyond the ends `straight` on or constant.
  double operator()(double at, bool straight) const {
    const auto above = std::upper_bound(x, x + n, at) - x;
    const auto k = std::clamp<std::ptrdiff_t>(above, 1, n - 1);
    if (!straight) at = std::clamp(at, x[0], x[n - 1]);
    return y[k - 1] + (y[k] - y[k - 1]) * ((at - x[k - 1]) / (x[k] - x[k - 1]));
  }
};

/// Parameters of every discrete law: `Prepared::parameters` points to one.
struct DiscreteLaw {
  int law = 0;
  double stiffness = 0;  ///< S01, S03: K
  double damping = 0;    ///< S02: DC
  double yield = 0;      ///< S03: FY
  double hardening = 0;  ///< S03: H
  ForceCurve force;      ///< S04: LCD, S05: LCDR
  ForceCurve scale;      ///< S04: LCR
};

inline constexpr int kDiscreteHistory = 2;

/// What a law leaves behind each step, and S03 finds in the next.
struct DiscreteState {
  double force = 0;
  double history[kDiscreteHistory] = {};
};

Prepared prepare_spring_elastic(const model::Material& material);
Prepared prepare_damper_viscous(const model::Material& material);
Prepared prepare_spring_elastoplastic(const model::Material& material);
Prepared prepare_spring_nonlinear_elastic(const model::Model& model, const model::Material& material);
Prepared prepare_damper_nonlinear_viscous(const model::Model& model, const model::Material& material);

/// S03: `history` holds the plastic elongation and the sum of its magnitude.
inline double elastoplastic_force(const DiscreteLaw& law, double d, double (&history)[kDiscreteHistory]) {
  const double trial = law.stiffness * (d - history[0]);
  const double excess = std::fabs(trial) - (law.yield + law.hardening * history[1]);
  if (excess > 0) {
    const double flow = excess / (law.stiffness + law.hardening);
    history[0] += std::copysign(flow, trial);
    history[1] += flow;
  }
  return law.stiffness * (d - history[0]);
}

/// Force at elongation `d` and velocity of elongation `v`.
inline void update_discrete(const DiscreteLaw& law, double d, double v, DiscreteState& state) {
  switch (law.law) {
    case kSpringElastoplastic:
      state.force = elastoplastic_force(law, d, state.history);
      break;
    case kSpringNonlinearElastic:
      state.force = law.force(d, true) * (law.scale.n > 0 ? law.scale(v, false) : 1.0);
      break;
    case kDamperNonlinearViscous:
      state.force = law.force(v, true);
      break;
    default:
      state.force = law.stiffness * d + law.damping * v;
  }
}

}  // namespace crumple::materials
