// MAT_057 (*MAT_LOW_DENSITY_FOAM): foam that is pressed without spreading and comes back, by a curve.
//
// Nominal stresses along the principal stretches l_i are those of one direction each, t_i = f(l_i), and the
// Cauchy stress is t_i l_i / J (Hallquist 2006, LS-DYNA Theory Manual, material 57; Storakers 1986, J. Mech.
// Phys. Solids 34, p. 125, for foams without lateral strain). In compression f is the curve over 1 - l,
// straight beyond its last point; in tension E (l - 1) up to TC. Then it stays (FAIL = 0), or the point pulls
// in no direction any more (FAIL = 1).
//
// HU and SHAPE are those of foam/unloading.hpp, which takes compressive stresses and the work W = sum of the
// curve's work over the directions. W is a function of the stretches, so it does not drift. BETA lets W_max
// approach W: d dies as exp(-BETA t).
//
// ED and BETA1 are a Maxwell element without lateral coupling beside it (viscoelastic/maxwell.hpp), whose
// stress turns with the material.
//
// The stable step has the modulus max(E, KCON), without KCON max(E, steepest slope), and ED beside it. In
// nominal stresses the stiffness of an element is the slope of the curve; the element's step, of its current
// length and density, is shorter than that of the first ones in compression.
//
// History: b - 1 (left_cauchy_green.hpp), W_max, whether the point is torn, 6 of the Maxwell element.
#pragma once

#include "materials/foam/foam_curves.hpp"
#include "materials/foam/nominal_stress.hpp"
#include "materials/foam/unloading.hpp"
#include "materials/principal_axes.hpp"
#include "materials/rubber/left_cauchy_green.hpp"
#include "materials/viscoelastic/maxwell.hpp"

namespace crumple::materials {

struct LowDensityFoamLaw {
  static constexpr int kWork = 6, kTorn = 7, kMaxwell = 8;
  FoamCurves curve;
  double young = 0, tension = 0;
  bool tears = false;
  FoamUnloading unloading;
  double decay = 0;                     ///< BETA
  double relaxing = 0, relaxation = 0;  ///< ED, BETA1
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const LowDensityFoamLaw& p, SolidPoint<V>& point) {
  V g[6];
  const V volume = simd::sqrt(V(1) + stretch_solid(point, g));
  store_history(point.history, g);
  PrincipalAxes<V> axes;
  principal_axes(g, axes);

  NominalStress<V> of;
  for (int i = 0; i < 3; ++i) {
    const V strain = stretch_direction(of, i, axes.value[i]);
    const FoamStress<V> foam = foam_stress(p.curve, simd::max(-strain, V(0)));
    load_direction(of, i, foam, V(p.young) * strain, V(p.young), V(p.tension));
  }
  if (p.unloading.loss > 0) {
    V most = point.history.template load<V>(p.kWork);
    if (p.decay > 0) most = of.work + (most - of.work) * simd::exp(V(-p.decay) * point.dt);
    point.history.store(p.kWork, simd::max(most, of.work));
    unload(of, unloading_factor(p.unloading, of.work, most));
  }
  if (p.tears) tear(of, point, p.kTorn, V(p.tension));
  make_cauchy(of, volume);
  tensor_of_axes(axes, of.stress, of.slope, point.s);

  if (p.relaxing > 0) {
    V add[6], h[6];
    for (int k = 0; k < 6; ++k) add[k] = V(k < 3 ? p.relaxing : 0.5 * p.relaxing) * point.d[k];
    update_maxwell(point, p.kMaxwell, decay_in(point.dt, p.relaxation), add, h);
    for (int k = 0; k < 6; ++k) point.s[k] += h[k];
  }
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/foam/foam_fields.hpp"

namespace crumple::materials {

/// Throws what the fields of foams.hpp throw, CR-M105 for REF other than 0 and 1.
inline Prepared prepare_low_density_foam(const model::Model& model, const model::Material& material) {
  const auto owned = std::make_shared<OwnedFoam<LowDensityFoamLaw>>();
  LowDensityFoamLaw& law = owned->law;
  check_reference_geometry(material);
  owned->curves = read_foam_curves(model, material, "LCID", false);
  law.curve = owned->curves->view();
  law.young = positive_field(material, "E");
  law.tension = tension_cutoff(material);
  law.tears = material.field("FAIL") == 1;
  law.unloading = foam_unloading(material);
  law.decay = not_negative_field(material, "BETA");
  law.relaxing = not_negative_field(material, "ED");
  law.relaxation = not_negative_field(material, "BETA1");
  Prepared prepared;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  set_foam_properties(material, law.young, owned->curves->steepest(), law.relaxing, prepared);
  prepared.n_history = 14;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(LowDensityFoamLaw, {.number = 57,
                                .keyword = "MAT_LOW_DENSITY_FOAM",
                                .supports = {.solid = true},
                                .cost = 6,
                                .prepare = prepare_low_density_foam})
