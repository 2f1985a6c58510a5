// MAT_181 (*MAT_SIMPLIFIED_RUBBER/FOAM): rubber or foam by its curve of force over elongation of a strip.
//
// The energy is a sum over the principal stretches, whose derivative follows from the uniaxial test: with
// s(l) = l t(l), t the nominal stress of the strip at the stretch l, and h the principal stress function,
//
//   h(l) = s(l) + s(l^(-n)) + s(l^(n n)) + ...,
//
// of a strip with the lateral stretch l^(-n), n = 1/2 for rubber (Kolling, Du Bois, Benson and Feng 2007,
// Comput. Mech. 40, p. 885, section 3). Cauchy stresses are, for rubber (PR = 0) with m_i = J^(-1/3) l_i,
//
//   s_i = 1 / J (h(m_i) - 1/3 sum h(m_k)) + KM (1 - 1 / J),
//
// and for foam of Poisson's ratio n
//
//   s_i = 1 / J (h(l_i) - h(J^(-n / (1 - 2 n)))).
//
// h is tabulated over ln l, linear between 400 points over the range of the curve, straight beyond it. HU and
// SHAPE are those of foam/unloading.hpp, with W the energy of all directions, and act on all that comes from
// the curve.
//
// The stable step is that of the largest slope of h: of 2 G in rubber, beside KM; of h / l, which is 2 G / J,
// in foam.
//
// History: b - 1 (left_cauchy_green.hpp), W_max.
#pragma once

#include "materials/foam/foam_curves.hpp"
#include "materials/foam/unloading.hpp"
#include "materials/principal_axes.hpp"
#include "materials/rubber/left_cauchy_green.hpp"
#include "materials/rubber/near_one.hpp"

namespace crumple::materials {

struct SimplifiedRubberLaw {
  static constexpr int kWork = 6;
  FoamCurves curve;  ///< h over ln l
  double bulk = 0;
  double lateral = 0;  ///< of foam n / (1 - 2 n); 0: rubber
  FoamUnloading unloading;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const SimplifiedRubberLaw& p, SolidPoint<V>& point) {
  V g[6];
  const V e = stretch_solid(point, g);
  store_history(point.history, g);
  PrincipalAxes<V> axes;
  principal_axes(g, axes);
  const V volume = simd::sqrt(V(1) + e), inverse = V(1) / volume, logarithm = V(0.5) * log_near_one(e);
  const bool foam = p.lateral > 0;
  V stress[3], slope[3], work = V(0), sum = V(0);
  for (int i = 0; i < 3; ++i) {
    const V strain = V(0.5) * log_near_one(axes.value[i]) - (foam ? V(0) : V(1.0 / 3.0) * logarithm);
    const FoamStress<V> of = foam_stress(p.curve, strain);
    stress[i] = of.stress;
    slope[i] = of.slope * inverse / (V(2) * (V(1) + axes.value[i]));
    work += of.work;
    sum += of.stress;
  }
  V equal = V(1.0 / 3.0) * sum;
  if (foam) {
    const FoamStress<V> side = foam_stress(p.curve, V(-p.lateral) * logarithm);
    equal = side.stress;
    work += side.work * V(1 / p.lateral);
  }
  V factor = V(1);
  if (p.unloading.loss > 0) {
    const V most = point.history.template load<V>(p.kWork);
    factor = unloading_factor(p.unloading, work, most);
    point.history.store(p.kWork, simd::max(most, work));
  }
  const V pressure = foam ? V(0) : V(p.bulk) * (e / (volume + V(1))) * inverse;
  for (int i = 0; i < 3; ++i) {
    stress[i] = factor * (stress[i] - equal) * inverse + pressure;
    slope[i] *= factor;
  }
  tensor_of_axes(axes, stress, slope, point.s);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/rubber/simplified_rubber_fields.hpp"

#endif

CRUMPLE_LAW(SimplifiedRubberLaw, {.number = 181,
                                  .keyword = "MAT_SIMPLIFIED_RUBBER/FOAM",
                                  .supports = {.solid = true},
                                  .cost = 6,
                                  .prepare = prepare_simplified_rubber})
