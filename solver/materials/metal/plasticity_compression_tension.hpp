// MAT_124 (*MAT_PLASTICITY_COMPRESSION_TENSION): J2 plasticity with other flow stresses in compression and in
// tension.
//
// Flow stress w LCIDC(p) + (1 - w) LCIDT(p) over the plastic strain p; the weight w rises linearly from 0 at
// the pressure -PT to 1 at PC, where the pressure is minus the mean stress (LS-DYNA keyword manual, vol. II,
// MAT_124). With PC = PT = 0 it is 1 under pressure and 0 otherwise. The pressure is that of the elastic
// trial: in solids the return does not change it, in plane stress not its sign. Curves are linear between
// points and extrapolated linearly (never decreasing beyond the last). LCSRC and LCSRT scale the two stresses
// over strain rate (constant beyond their ends), without them C and P scale both (Cowper and Symonds 1957).
// SRFLAG: 0 the rate of total strain, 1 of its deviator. FAIL is the plastic strain at which a point fails.
// State: plastic strain. The return is the engine's (j2_plasticity.hpp).
#pragma once

#include "materials/plasticity/bounded_curve.hpp"
#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_124; the curves of `j2` are LCIDC and LCIDT.
struct CompressionTensionLaw {
  J2Law j2;
  double compression = 0, tension = 0;          ///< PC, PT
  FlowCurves compression_scale, tension_scale;  ///< LCSRC, LCSRT; no curves: 1
};

inline namespace CRUMPLE_ISA {

/// The law at a pressure, as the engine sees it.
template <class V>
struct AtPressure {
  const CompressionTensionLaw& law;
  V weight;  ///< of compression
  const ElasticLaw& elastic = law.j2.elastic;
  double least_yield = law.j2.least_yield, fail = law.j2.fail;
  static constexpr double kinematic = 0;
  static constexpr bool viscoplastic = false;

  operator const J2Law&() const { return law.j2; }
};

/// The law at the mean stress `mean`.
template <class V>
AtPressure<V> at_mean_stress(const CompressionTensionLaw& law, V mean) {
  const double range = law.compression + law.tension;
  if (range == 0) return {law, simd::select(mean < V(0), V(1), V(0))};
  const V weight = (V(law.tension) - mean) * V(1 / range);
  return {law, simd::min(simd::max(weight, V(0)), V(1))};
}

/// Flow stress k and dk/dp of one step, as `FlowStress`.
template <class V>
class CompressionTensionFlow {
 public:
  CompressionTensionFlow(const AtPressure<V>& at_pressure, V plastic_strain, V strain_rate, V)
      : law_(at_pressure.law) {
    compression_ = at_pressure.weight * factor(law_.compression_scale, strain_rate);
    tension_ = (V(1) - at_pressure.weight) * factor(law_.tension_scale, strain_rate);
    at(plastic_strain, V(0), yield_, slope_);
  }

  V yield() const { return yield_; }
  V slope() const { return slope_; }

  void at(V p, V, V& k, V& slope) const {
    const Segment<V> segment = find_segment(law_.j2.curves, p);
    const Line<V> c = line_of(law_.j2.curves, V(0), segment), t = line_of(law_.j2.curves, V(1), segment);
    slope = compression_ * c.slope + tension_ * t.slope;
    k = compression_ * c.value + tension_ * t.value + slope * (p - segment.begin);
  }

  bool is_linear() const { return true; }
  bool is_power() const { return false; }
  double exponent() const { return 1; }
  V most(V) const { return V(0); }

 private:
  V factor(const FlowCurves& scale, V rate) const {
    if (law_.j2.rate == RateEffect::cowper_symonds)
      return V(1) + simd::pow(rate * V(law_.j2.inverse_c), V(law_.j2.inverse_power));
    if (scale.n_curves == 0) return V(1);
    return bounded_curve(scale, rate).value;
  }

  const CompressionTensionLaw& law_;
  V compression_, tension_, yield_ = V(0), slope_ = V(0);
};

template <class V>
struct FlowOfLaw<V, AtPressure<V>> {
  using Type = CompressionTensionFlow<V>;
};

template <class V>
void update_solid(const CompressionTensionLaw& law, SolidPoint<V>& point) {
  const V(&d)[6] = point.d;
  const V(&s)[6] = point.s;
  const V bulk(law.j2.elastic.lame + 2.0 / 3 * law.j2.elastic.shear);
  return_solid(at_mean_stress(law, V(1.0 / 3) * (s[0] + s[1] + s[2]) + bulk * (d[0] + d[1] + d[2])), point);
}

template <class V>
void update_shell(const CompressionTensionLaw& law, ShellPoint<V>& point) {
  const V(&d)[6] = point.d;
  const V(&s)[6] = point.s;
  const V modulus(law.j2.elastic.plane * (1 + law.j2.elastic.poisson));
  return_shell(at_mean_stress(law, V(1.0 / 3) * (s[0] + s[1] + modulus * (d[0] + d[1]))), point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <algorithm>
#include <optional>

#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// The parameters together with the curves to which they point.
struct OwnedCompressionTensionLaw {
  CompressionTensionLaw law;
  std::optional<FlowCurveStorage> flow, compression, tension;
};

/// A curve of factors over strain rate, if the field has one.
inline void read_rate_factor(const model::Model& model, const model::Material& material,
                             const std::string& field, std::optional<FlowCurveStorage>& storage,
                             FlowCurves& view) {
  if (material.field(field) == 0) return;
  const double no_rate[] = {0.0};
  storage.emplace(std::span(&flow_curve(model, material, field), 1), no_rate);
  view = storage->view();
}

/// Refuses options that other elements or histories would need.
inline void refuse_options_of_124(const model::Material& material) {
  if (const double ec = material.field("EC"); ec != 0 && ec != material.field("E"))
    refuse(material, "CR-M105", "EC", "another Young's modulus in compression is not supported");
  if (material.field("PCUTF") != 0)
    refuse(material, "CR-M105", "PCUTF", "pressure cut-offs are not supported");
  if (const double flag = material.field("SRFLAG"); flag != 0 && flag != 1)
    refuse(material, "CR-M105", "SRFLAG", fmt::format("SRFLAG = {} is not supported, only 0 and 1", flag));
  if (material.field("K") != 0)
    refuse(material, "CR-M105", "K", "viscoelastic terms (K, Gi, BETAi) are not supported");
}

inline Prepared prepare_plasticity_compression_tension(const model::Model& model,
                                                       const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  refuse_options_of_124(material);
  const auto owned = std::make_shared<OwnedCompressionTensionLaw>();
  CompressionTensionLaw& law = owned->law;
  J2Law& j2 = law.j2;
  j2.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  set_failure_strain(material, "FAIL", j2);
  j2.deviatoric_rate = material.field("SRFLAG") == 1;
  law.compression = not_negative_field(material, "PC");
  law.tension = not_negative_field(material, "PT");
  const model::Curve curves[] = {flow_curve(model, material, "LCIDC"), flow_curve(model, material, "LCIDT")};
  const double no_rates[] = {0.0, 1.0};
  owned->flow.emplace(curves, no_rates);
  j2.curves = owned->flow->view();
  set_least_yield(j2);
  read_rate_factor(model, material, "LCSRC", owned->compression, law.compression_scale);
  read_rate_factor(model, material, "LCSRT", owned->tension, law.tension_scale);
  if (owned->compression || owned->tension) {
    j2.rate = RateEffect::scale_curve;
    double least = 1;
    for (const FlowCurves* c : {&law.compression_scale, &law.tension_scale})
      if (c->n_curves > 0) least = std::min(least, *std::min_element(c->value, c->value + c->n_segments));
    j2.least_yield *= least;
  } else {
    set_cowper_symonds(material, "C", "P", j2);
  }
  prepared.min_time_step = j2.min_time_step = material.field("TDEL");
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(CompressionTensionLaw, {.number = 124,
                                    .keyword = "MAT_PLASTICITY_COMPRESSION_TENSION",
                                    .supports = {.solid = true, .shell = true},
                                    .elastic_fields = true,
                                    .prepare = prepare_plasticity_compression_tension})
