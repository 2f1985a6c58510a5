// MAT_019 (*MAT_STRAIN_RATE_DEPENDENT_PLASTICITY): J2 plasticity whose yield stress is a curve over strain
// rate.
//
// Flow stress s0(rate) + E_p p over the plastic strain p, with s0 the curve LC1 and the plastic modulus E_p =
// E E_t / (E - E_t). E_t is ETAN, or the curve LC3 over strain rate (LS-DYNA keyword manual, vol. II,
// MAT_019). The rate is sqrt(2/3 d'_ij d'_ij) of the deviator of total strain or, VP = 1, of plastic strain
// inside the return. Curves are constant beyond their ends. State: plastic strain. The update is the engine's
// (j2_plasticity.hpp).
#pragma once

#include "materials/plasticity/bounded_curve.hpp"
#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_019; `scale` is LC1, `hardening` E_p of ETAN.
struct RateDependentLaw : J2Law {
  FlowCurves tangent;       ///< LC3; no curves: ETAN
  double rate_of_norm = 1;  ///< effective rate over the engine's norm
};

inline namespace CRUMPLE_ISA {

/// Flow stress k and dk/dp of one step, as `FlowStress`.
template <class V>
class RateDependentFlow {
 public:
  RateDependentFlow(const RateDependentLaw& law, V plastic_strain, V strain_rate, V dt)
      : law_(law), modulus_(law.hardening) {
    if (law.viscoplastic) {
      inverse_dt_ = simd::select(dt > V(0), V(1) / dt, V(0));
    } else {
      const V rate = strain_rate * V(law.rate_of_norm);
      static_ = bounded_curve(law.scale, rate).value;
      if (law.tangent.n_curves > 0) {
        const V tangent = bounded_curve(law.tangent, rate).value, young(law.elastic.young);
        modulus_ = young * tangent / (young - tangent);
      }
    }
    at(plastic_strain, V(0), yield_, slope_);
  }

  V yield() const { return yield_; }
  V slope() const { return slope_; }

  void at(V p, V dp, V& k, V& slope) const {
    slope = modulus_;
    k = static_ + slope * p;
    if (!law_.viscoplastic) return;
    const Line<V> line = bounded_curve(law_.scale, dp * inverse_dt_);
    k += line.value;
    slope += line.slope * inverse_dt_;
  }

  bool is_linear() const { return !law_.viscoplastic; }
  bool is_power() const { return false; }
  double exponent() const { return 1; }
  V most(V) const { return V(0); }

 private:
  const RateDependentLaw& law_;
  V modulus_, static_ = V(0), inverse_dt_ = V(0), yield_ = V(0), slope_ = V(0);
};

template <class V>
struct FlowOfLaw<V, RateDependentLaw> {
  using Type = RateDependentFlow<V>;
};

template <class V>
void update_solid(const RateDependentLaw& law, SolidPoint<V>& point) {
  return_solid(law, point);
}
template <class V>
void update_shell(const RateDependentLaw& law, ShellPoint<V>& point) {
  return_shell(law, point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <algorithm>
#include <cmath>
#include <optional>

#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// The parameters together with the curves to which they point.
struct OwnedRateDependentLaw {
  RateDependentLaw law;
  std::optional<FlowCurveStorage> yield, tangent;
};

inline void read_tangent_curve(const model::Model& model, const model::Material& material,
                               OwnedRateDependentLaw& owned) {
  if (material.field("LC3") == 0) return;
  if (owned.law.viscoplastic)
    refuse(material, "CR-M105", "LC3", "a curve of the tangent modulus is not supported with VP = 1");
  const model::Curve& curve = flow_curve(model, material, "LC3");
  for (const double tangent : curve.y)
    if (!(tangent < owned.law.elastic.young))
      refuse(material, "CR-M107", "LC3",
             fmt::format("curve {} of LC3 has the ordinate {}, it must be below E", curve.id, tangent));
  const double no_rate[] = {0.0};
  owned.tangent.emplace(std::span(&curve, 1), no_rate);
  owned.law.tangent = owned.tangent->view();
}

inline Prepared prepare_strain_rate_dependent_plasticity(const model::Model& model,
                                                         const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<OwnedRateDependentLaw>();
  RateDependentLaw& law = owned->law;
  law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law.hardening = plastic_modulus_from_etan(material);
  set_viscoplastic(material, law);
  if (law.deviatoric_rate) refuse(material, "CR-M108", "VP", "VP is -1, it must be 0 or 1");
  law.deviatoric_rate = true;
  law.rate_of_norm = std::sqrt(2.0 / 3);
  law.rate = RateEffect::scale_curve;
  const model::Curve& curve = flow_curve(model, material, "LC1");
  const double no_rate[] = {0.0};
  owned->yield.emplace(std::span(&curve, 1), no_rate);
  law.scale = owned->yield->view();
  law.least_yield = law.yield = *std::ranges::min_element(curve.y);
  read_tangent_curve(model, material, *owned);
  prepared.min_time_step = material.field("TDEL");
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(RateDependentLaw, {.number = 19,
                               .keyword = "MAT_STRAIN_RATE_DEPENDENT_PLASTICITY",
                               .supports = {.solid = true, .shell = true},
                               .elastic_fields = true,
                               .prepare = prepare_strain_rate_dependent_plasticity})
