// MAT_037 (*MAT_TRANSVERSELY_ANISOTROPIC_ELASTIC_PLASTIC): sheets with the same properties in all directions
// of their plane, and others across it.
//
// Hill's yield function (1948) in plane stress with the ratio R of plastic strains across the width and
// through the thickness of a bar (e.g. Hallquist, LS-DYNA theory manual, 2006, section 22.37):
//
//   q^2 = s_x^2 + s_y^2 - k s_x s_y + (2 + k) s_xy^2,   k = 2 R / (1 + R)
//
// R = 1 is von Mises. With a = (s_x + s_y) / 2, b = (s_x - s_y) / 2 this is (2 - k) a^2 + (2 + k) (b^2 +
// s_xy^2), so the return has the two modes of plane stress (yield_return.hpp) with the moduli
//
//   of a  (2 - k) E / (2 (1 - nu)),   of b and s_xy  (2 + k) G,
//
// and the plastic strain through the thickness is -lambda (2 - k) a. Transverse shear stays elastic: q has
// none. Flow stress over plastic strain: SIGY + ETAN p, where ETAN is the plastic modulus, or the curve
// HLCID. State: plastic strain.
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_037.
struct HillSheet : J2Law {
  double coupling = 1;  ///< k
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_shell(const HillSheet& law, ShellPoint<V>& point) {
  const V(&d)[6] = point.d;
  V(&s)[6] = point.s;
  add_elastic_shell(law.elastic, d, s);
  s[2] = V(0);
  const double k = law.coupling;
  const V sum = s[0] + s[1], difference = s[0] - s[1];
  const V square_a = V((2 - k) / 4) * sum * sum;
  const V square_b = V((2 + k) / 4) * difference * difference + V(2 + k) * s[3] * s[3];
  const double a = (2 - k) * law.elastic.young / (2 * (1 - law.elastic.poisson));
  const double b = (2 + k) * law.elastic.shear;
  // The first mode is the one with the smaller modulus.
  const bool swapped = a > b;
  const TwoModes<V> modes =
      swapped ? TwoModes<V>{square_b, square_a, b, a} : TwoModes<V>{square_a, square_b, a, b};
  const Trial<V> trial = modes.trial();
  V plastic_thinning = V(0);  // plastic d[0] + d[1]
  const auto flow_back = [&](simd::mask_t<V> yields, const auto& flow) {
    const auto [lambda, first, second, dp] = modes.solve(trial, point.plastic_strain, yields, flow);
    const V u = swapped ? second : first, v = swapped ? first : second;
    const V x = V(0.5) * u * sum, y = V(0.5) * v * difference;
    s[0] = simd::select(yields, x + y, s[0]);
    s[1] = simd::select(yields, x - y, s[1]);
    s[3] = simd::select(yields, v * s[3], s[3]);
    point.plastic_strain += dp;
    plastic_thinning = V(2 - k) * lambda * x;
  };
  where_it_yields(
      static_cast<const J2Law&>(law), trial.q, point.plastic_strain, point.dt, [] { return V(0); },
      flow_back);
  point.failed = never(point.plastic_strain);
  point.d[2] = V(-law.elastic.thinning) * (d[0] + d[1] - plastic_thinning) - plastic_thinning;
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <optional>

#include "materials/plasticity/j2_fields.hpp"

namespace crumple::materials {

inline Prepared prepare_transversely_anisotropic(const model::Model& model, const model::Material& material) {
  struct Owned {
    HillSheet law;
    std::optional<FlowCurveStorage> flow;
  };
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<Owned>();
  HillSheet& law = owned->law;
  law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  const double ratio = material.field("R");
  if (ratio < 0)
    refuse(
        material, "CR-M105", "R",
        fmt::format("R = {} asks for another algorithm, which is not supported; R must be positive", ratio));
  law.coupling = 2 * positive_field(material, "R") / (1 + ratio);
  if (material.field("HLCID") != 0) {
    const double no_rate[] = {0.0};
    owned->flow.emplace(std::span(&flow_curve(model, material, "HLCID"), 1), no_rate);
    law.curves = owned->flow->view();
  } else {
    law.yield = positive_field(material, "SIGY");
    law.hardening = material.field("ETAN");
    if (law.hardening < 0)
      refuse(material, "CR-M105", "ETAN", "normal stresses of shells (ETAN < 0) are not supported");
  }
  set_least_yield(law);
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(HillSheet, {.number = 37,
                        .keyword = "MAT_TRANSVERSELY_ANISOTROPIC_ELASTIC_PLASTIC",
                        .supports = {.shell = true},
                        .elastic_fields = true,
                        .prepare = prepare_transversely_anisotropic})
