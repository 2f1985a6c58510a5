// MAT_098 (*MAT_SIMPLIFIED_JOHNSON_COOK): J2 plasticity with the flow stress of Johnson and Cook, without
// temperature.
//
// Flow stress min(SIGSAT, min(SIGMAX, A + B p^N) (1 + C ln max(1, rate / EPSO))) over the plastic strain p
// (Johnson and Cook 1983, eq. 1, without temperature; LS-DYNA keyword manual, vol. II, MAT_098): EPSO is the
// highest rate without effect. The rate is sqrt(2/3 d'_ij d'_ij) of the deviator of total strain or, VP = 1,
// of plastic strain. PSFAIL is the plastic strain at which a point fails.
// State: plastic strain. The update is the engine's (j2_plasticity.hpp).
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_098; A is `yield`.
struct JohnsonCookLaw : J2Law {
  double b = 0, n = 1, c = 0;
  double inverse_rate = 1;                 ///< factor from the given norm or rate to rate / EPSO
  double most_static = 1e28, most = 1e28;  ///< SIGMAX, SIGSAT
};

inline namespace CRUMPLE_ISA {

/// Flow stress k and dk/dp of one step, as `FlowStress`.
template <class V>
class JohnsonCookFlow {
 public:
  JohnsonCookFlow(const JohnsonCookLaw& law, V plastic_strain, V strain_rate, V dt) : law_(law) {
    if (law.viscoplastic)
      relative_rate_ = simd::select(dt > V(0), V(law.inverse_rate) / dt, V(0));
    else
      factor_ = rate_factor(strain_rate * V(law.inverse_rate));
    at(plastic_strain, V(0), yield_, slope_);
  }

  V yield() const { return yield_; }
  V slope() const { return slope_; }

  void at(V p, V dp, V& k, V& slope) const {
    const V flowing = simd::max(p, V(1e-20));
    const V power = simd::pow(flowing, V(law_.n));
    k = V(law_.yield) + simd::select(p > V(0), V(law_.b) * power, V(0));
    slope = simd::select(k < V(law_.most_static), V(law_.b * law_.n) * power / flowing, V(0));
    k = simd::min(k, V(law_.most_static));
    if (law_.viscoplastic) {
      const V rate = dp * relative_rate_, factor = rate_factor(rate);
      const V rise = simd::select(rate > V(1), V(law_.c) / simd::max(dp, V(1e-30)), V(0));
      slope = slope * factor + k * rise;
      k *= factor;
    } else {
      slope *= factor_;
      k *= factor_;
    }
    slope = simd::select(k < V(law_.most), slope, V(0));
    k = simd::min(k, V(law_.most));
  }

  // The engine asks this of any flow stress; this one is not a power of dp.
  bool is_linear() const { return false; }
  bool is_power() const { return false; }
  double exponent() const { return 1; }
  V most(V) const { return V(0); }

 private:
  V rate_factor(V relative) const { return V(1) + V(law_.c) * simd::log(simd::max(relative, V(1))); }

  const JohnsonCookLaw& law_;
  V yield_ = V(0), slope_ = V(0), factor_ = V(1), relative_rate_ = V(0);
};

template <class V>
struct FlowOfLaw<V, JohnsonCookLaw> {
  using Type = JohnsonCookFlow<V>;
};

template <class V>
void update_solid(const JohnsonCookLaw& law, SolidPoint<V>& point) {
  return_solid(law, point);
}
template <class V>
void update_shell(const JohnsonCookLaw& law, ShellPoint<V>& point) {
  return_shell(law, point);
}
template <class V>
void update_beam(const JohnsonCookLaw& law, BeamPoint<V>& point) {
  return_beam(law, point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <algorithm>
#include <cmath>

#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// A bound; there is none if its field is 0.
inline void set_bound(const model::Material& material, const std::string& field, double& bound) {
  if (const double value = not_negative_field(material, field); value > 0) bound = value;
}

inline Prepared prepare_simplified_johnson_cook(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  auto law = std::make_shared<JohnsonCookLaw>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law->yield = positive_field(material, "A");
  law->b = not_negative_field(material, "B");
  law->n = not_negative_field(material, "N");
  law->c = not_negative_field(material, "C");
  set_bound(material, "SIGMAX", law->most_static);
  set_bound(material, "SIGSAT", law->most);
  set_failure_strain(material, "PSFAIL", *law);
  set_viscoplastic(material, *law);
  if (law->deviatoric_rate) refuse(material, "CR-M108", "VP", "VP is -1, it must be 0 or 1");
  law->deviatoric_rate = true;
  if (law->c > 0) {
    law->rate = RateEffect::johnson_cook;
    // The engine gives the norm of the strain rate, sqrt(3/2) of its effective value.
    law->inverse_rate = (law->viscoplastic ? 1.0 : std::sqrt(2.0 / 3)) / positive_field(material, "EPSO");
  }
  law->least_yield = std::min({law->yield, law->most_static, law->most});
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(JohnsonCookLaw, {.number = 98,
                             .keyword = "MAT_SIMPLIFIED_JOHNSON_COOK",
                             .supports = {.solid = true, .shell = true, .beam = true},
                             .elastic_fields = true,
                             .prepare = prepare_simplified_johnson_cook})
