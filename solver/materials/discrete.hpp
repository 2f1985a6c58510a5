// MAT_S01 to MAT_S06: springs and dampers of discrete elements, in scalar double.
//
// Forces are positive in tension; for torsional elements read moment, rotation and angular velocity. With
// elongation d and velocity of elongation v (LS-DYNA keyword manual, vol. II, MAT_S01 to MAT_S06):
//
//   S01  F = K d                S02  F = DC v
//   S03  elastoplastic with isotropic hardening: F = K (d - d_p), |F| <= FY + H p, H = K KT / (K - KT), the
//        return in one step that is exact for linear hardening; state: d_p and the sum p of |d_p|
//   S04  F = LCD(d) LCR(v)      S05  F = LCDR(v)
//   S06  loading and unloading by curves (general_nonlinear_spring.hpp)
//
// Force curves go on straight beyond their ends; the scale LCR is constant there. The element knows what
// *SECTION_DISCRETE adds: its scale, offset, dynamic magnification and limits.
#pragma once

#include <cmath>
#include <memory>

#include "materials/force_curve.hpp"
#include "materials/general_nonlinear_spring.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

/// LS-DYNA's S laws as the model numbers them.
inline constexpr int kSpringElastic = 1001, kDamperViscous = 1002, kSpringElastoplastic = 1003,
                     kSpringNonlinearElastic = 1004, kDamperNonlinearViscous = 1005,
                     kSpringGeneralNonlinear = 1006;

/// Parameters of every discrete law: `Prepared::parameters` points to one.
struct DiscreteLaw {
  int law = 0;
  double stiffness = 0;            ///< S01, S03: K
  double damping = 0;              ///< S02: DC
  double yield = 0;                ///< S03: FY
  double hardening = 0;            ///< S03: H
  ForceCurve force;                ///< S04: LCD, S05: LCDR
  ForceCurve scale;                ///< S04: LCR
  GeneralNonlinearSpring general;  ///< S06
};

inline constexpr int kDiscreteHistory = 3;

/// What a law leaves behind each step, and S03 and S06 find in the next.
struct DiscreteState {
  double force = 0;
  double history[kDiscreteHistory] = {};
};

/// Slopes of a force over elongation and over its velocity, neither below 0: what a stable step depends on.
struct DiscreteTangent {
  double stiffness = 0, damping = 0;
};

Prepared prepare_spring_elastic(const model::Material& material);
Prepared prepare_damper_viscous(const model::Material& material);
Prepared prepare_spring_elastoplastic(const model::Material& material);
Prepared prepare_spring_nonlinear_elastic(const model::Model& model, const model::Material& material);
Prepared prepare_damper_nonlinear_viscous(const model::Model& model, const model::Material& material);
Prepared prepare_spring_general_nonlinear(const model::Model& model, const model::Material& material);

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
    case kSpringGeneralNonlinear:
      state.force = law.general(d, state.history);
      break;
    default:
      state.force = law.stiffness * d + law.damping * v;
  }
}

/// Calls `visit(gap, tangent)` for every tangent that the law may have: at the elongation `d`, and where the
/// elongation changes by `gap`. A spring that meets a stiffer part of its curve must not find the step too
/// long for it. Of a damper's curve the steepest part counts wherever it is, since forces may change the
/// velocity by any amount within a step.
template <class Visit>
void visit_tangents(const DiscreteLaw& law, double d, double v, const double (&history)[kDiscreteHistory],
                    Visit visit) {
  switch (law.law) {
    case kSpringNonlinearElastic: {
      const bool scaled = law.scale.n > 0;
      const double scale = scaled ? std::fabs(law.scale(v, false)) : 1.0;
      const double damping = scaled ? std::fabs(law.force(d, true)) * law.scale.steepest() : 0.0;
      return law.force.visit_slopes(d, [&](double gap, double slope) {
        visit(gap, DiscreteTangent{std::fmax(scale * slope, 0.0), damping});
      });
    }
    case kDamperNonlinearViscous:
      return visit(0.0, DiscreteTangent{0, law.force.steepest()});
    case kSpringGeneralNonlinear:  // loading is never steeper than unloading (check_loading)
      return law.general.unloading.visit_slopes(d - history[0], [&](double gap, double slope) {
        visit(gap, DiscreteTangent{slope, 0});
      });
    default:  // elastoplastic springs unload with K
      return visit(0.0, DiscreteTangent{law.stiffness, law.damping});
  }
}

}  // namespace crumple::materials
