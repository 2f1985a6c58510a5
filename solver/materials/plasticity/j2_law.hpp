// Parameters of J2 plasticity with isotropic hardening by curve, strain rate effects and linear kinematic
// hardening.
#pragma once

#include "materials/hooke.hpp"
#include "materials/plasticity/flow_curves.hpp"

namespace crumple::materials {

/// How the flow stress depends on the strain rate.
enum class RateEffect : int { none, cowper_symonds, scale_curve, table, johnson_cook };

/// Parameters of the engine.
struct J2Law {
  ElasticLaw elastic;
  // flow stress without rate effects: yield + hardening p, or the curves if there are any
  double yield = 0, hardening = 0;
  FlowCurves curves;       ///< n_curves 0: bilinear
  double least_yield = 0;  ///< lower bound of the flow stress: points below it are elastic
  double kinematic = 0;    ///< H_k = dq / dp of the back stress; needs history
  // strain rates
  RateEffect rate = RateEffect::none;
  bool viscoplastic = false;     ///< VP = 1: the rate is that of plastic strain, computed by the return
  bool deviatoric_rate = false;  ///< VP = -1
  double inverse_c = 0, power = 1, inverse_power = 1;  ///< Cowper and Symonds: factor 1 + (rate / C)^(1 / P)
  double overstress = 0;     ///< > 0: viscoplastic flow adds overstress (rate / C)^(1 / P) instead
  FlowCurves scale;          ///< factor over strain rate
  double fail = 1e21;        ///< plastic strain beyond which a point has failed
  double min_time_step = 0;  ///< TDEL, which the element uses
};

/// History variables where `kinematic` is not zero: the back stress (solids its deviator; plane stress
/// and beams the components of s, with a zero thickness component).
inline constexpr int kBackStressVariables = 6;

}  // namespace crumple::materials
