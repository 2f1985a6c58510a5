// A liquid that fills a closed surface (*AIRBAG_LINEAR_FLUID).
//
//   p = min(P, K max(0, ln(V0 / V)) + L(t)),  V0 = M / rho,  M(0) = rho V(0),
//   dM/dt = F(t) - G(t) - H(p)
//
// V0 is the volume of its mass without pressure (a constant bulk modulus K by Hencky's volume strain: dp = -K
// dV / V). A liquid that does not fill the surface has no tension.
#pragma once

#include "loads/airbag/inflation.hpp"
#include "model/fields.hpp"
#include "model/stage.hpp"

namespace crumple::loads {

/// Input of a liquid; curves are of time but for `outflow_by_pressure`.
struct Liquid {
  bool active = false;
  double bulk = 0, density = 0;
  double limit = 0;                            ///< P_LIMIT; 0: none
  LocalId bulk_curve = model::kNone;           ///< LCBULK, instead of `bulk`
  LocalId limit_curve = model::kNone;          ///< P_LIMLC, instead of `limit`
  LocalId added = model::kNone;                ///< LCFIT
  LocalId inflow = model::kNone;               ///< LCINT: mass per time
  LocalId outflow = model::kNone;              ///< LCOUTT
  LocalId outflow_by_pressure = model::kNone;  ///< LCOUTP
};

template <class V>
void fields(V& v, Liquid& s) {
  using model::curves_of;
  model::members(v, s, s.active, s.bulk, s.density, s.limit, curves_of(s.bulk_curve),
                 curves_of(s.limit_curve), curves_of(s.added), curves_of(s.inflow), curves_of(s.outflow),
                 curves_of(s.outflow_by_pressure));
}

/// Pressure of `mass` in `volume`.
double liquid_pressure(const Liquid& liquid, const model::Model& model, double mass, double volume,
                       double time, model::Stage stage);

/// The liquid at `time`, when the surface has `volume`: its mass, pressure and flows. From the first call on;
/// mass flows in the transient run only. What leaves by the pressure is that of the end of the step (backward
/// Euler), so a stiff liquid is stable at any step.
void advance_liquid(const Liquid& liquid, const model::Model& model, double time, double volume,
                    model::Stage stage, GasState& state);

}  // namespace crumple::loads
