// MAT_018 (*MAT_POWER_LAW_PLASTICITY): J2 plasticity with a power of the strain as flow stress.
//
// Flow stress K (e_y + p)^N over the plastic strain p (Hollomon 1945, with the elastic strain to yield e_y
// added as LS-DYNA's keyword manual, vol. II, does in MAT_018). SIGY says what e_y is: 0, the strain at which
// the line of slope E meets the power, (E / K)^(1 / (N - 1)); below 0.02, e_y itself; otherwise the initial
// yield stress, e_y = (SIGY / K)^(1 / N). SRC, SRP scale the flow stress by 1 + (rate / SRC)^(1 / SRP)
// (Cowper and Symonds 1957), with the rate of total strain or, VP = 1, of plastic strain. EPSF is the plastic
// strain at which a point fails. State: plastic strain. The update is the engine's (j2_plasticity.hpp).
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_018.
struct PowerLaw : J2Law {
  double strength = 0, exponent = 0;  ///< K, N
  double strain_to_yield = 0;         ///< e_y
};

inline namespace CRUMPLE_ISA {

/// Flow stress k and dk/dp of one step, as `FlowStress`.
template <class V>
class PowerLawFlow {
 public:
  PowerLawFlow(const PowerLaw& law, V plastic_strain, V strain_rate, V dt) : law_(law), dt_(dt) {
    if (law.viscoplastic)
      relative_rate_ = simd::select(dt > V(0), V(law.inverse_c) / dt, V(0));
    else if (law.rate == RateEffect::cowper_symonds)
      factor_ = V(1) + simd::pow(strain_rate * V(law.inverse_c), V(law.inverse_power));
    at(plastic_strain, V(0), yield_, slope_);
  }

  V yield() const { return yield_; }
  V slope() const { return slope_; }

  void at(V p, V dp, V& k, V& slope) const {
    const V strain = p + V(law_.strain_to_yield);
    const V power = simd::pow(strain, V(law_.exponent));
    k = V(law_.strength) * power;
    slope = V(law_.exponent) * k / strain;
    if (law_.viscoplastic) {
      const V f = simd::pow(dp * relative_rate_, V(law_.inverse_power));
      slope = slope * (V(1) + f) + k * f * V(law_.inverse_power) / simd::max(dp, V(1e-30));
      k *= V(1) + f;
    } else {
      k *= factor_;
      slope *= factor_;
    }
  }

  bool is_linear() const { return false; }
  bool is_power() const { return law_.viscoplastic; }
  double exponent() const { return law_.power; }
  V most(V excess) const {
    return dt_ / V(law_.inverse_c) * simd::pow(simd::max(excess, V(0)) / yield_, V(law_.power));
  }

 private:
  const PowerLaw& law_;
  V dt_, yield_ = V(0), slope_ = V(0), factor_ = V(1), relative_rate_ = V(0);
};

template <class V>
struct FlowOfLaw<V, PowerLaw> {
  using Type = PowerLawFlow<V>;
};

template <class V>
void update_solid(const PowerLaw& law, SolidPoint<V>& point) {
  return_solid(law, point);
}
template <class V>
void update_shell(const PowerLaw& law, ShellPoint<V>& point) {
  return_shell(law, point);
}
template <class V>
void update_beam(const PowerLaw& law, BeamPoint<V>& point) {
  return_beam(law, point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <cmath>

#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// e_y from SIGY.
inline double strain_to_yield(const model::Material& material, const PowerLaw& law) {
  const double sigy = not_negative_field(material, "SIGY"), young = law.elastic.young;
  if (sigy == 0) return std::pow(young / law.strength, 1 / (law.exponent - 1));
  if (sigy < 0.02) return sigy;
  if (!(law.exponent > 0))
    refuse(material, "CR-M108", "N", fmt::format("N is {}, it must be positive beside SIGY", law.exponent));
  return std::pow(sigy / law.strength, 1 / law.exponent);
}

inline Prepared prepare_power_law_plasticity(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  auto law = std::make_shared<PowerLaw>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law->strength = positive_field(material, "K");
  law->exponent = not_negative_field(material, "N");
  if (!(law->exponent < 1))
    refuse(material, "CR-M108", "N", fmt::format("N is {}, it must be below 1", law->exponent));
  law->strain_to_yield = strain_to_yield(material, *law);
  set_failure_strain(material, "EPSF", *law);
  set_viscoplastic(material, *law);
  if (law->deviatoric_rate) refuse(material, "CR-M108", "VP", "VP is -1, it must be 0 or 1");
  set_cowper_symonds(material, "SRC", "SRP", *law);
  law->viscoplastic = law->viscoplastic && law->rate != RateEffect::none;
  law->least_yield = law->yield = law->strength * std::pow(law->strain_to_yield, law->exponent);
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(PowerLaw, {.number = 18,
                       .keyword = "MAT_POWER_LAW_PLASTICITY",
                       .supports = {.solid = true, .shell = true, .beam = true},
                       .elastic_fields = true,
                       .prepare = prepare_power_law_plasticity})
