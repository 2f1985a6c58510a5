// MAT_010 (*MAT_ELASTIC_PLASTIC_HYDRO): J2 plasticity of solids with the pressure of an equation of state.
//
// Flow stress over plastic strain by EPS1-16, ES1-16, linear between points and extrapolated linearly (never
// decreasing beyond the last), or SIGY + EH p where no points are given; radial return of the deviator
// (Wilkins 1964). The pressure is at least PC (0: no limit). FS is the plastic strain at which a point fails
// (LS-DYNA keyword manual, vol. II, MAT_010). State: that of eos/hydro_history.hpp; plastic strain.
#pragma once

#include "materials/eos/hydro_point.hpp"
#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_010; the elastic constants of `plasticity` have no bulk modulus.
struct HydroLaw {
  J2Law plasticity;
  EquationOfState eos;
  double cutoff = -1e30;  ///< PC
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const HydroLaw& law, SolidPoint<V>& point) {
  HydroStep<V> step(law.eos, point);
  update_solid(law.plasticity, point);
  step.finish(simd::max(step.pressure(), V(law.cutoff)));
  for (V& s : point.s) s = simd::select(point.failed, V(0), s);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <optional>

#include "materials/eos/state_fields.hpp"
#include "materials/plasticity/j2_fields.hpp"

namespace crumple::materials {

/// The parameters together with the curve to which they point.
struct OwnedHydroLaw {
  HydroLaw law;
  std::optional<FlowCurveStorage> flow;
};

/// EPS1-16 and ES1-16: the points up to the last that is not all zero.
inline std::optional<model::Curve> read_hydro_points(const model::Material& material) {
  model::Curve curve;
  for (int k = 1; k <= 16; ++k) {
    const double strain = material.field(fmt::format("EPS{}", k));
    const double stress = material.field(fmt::format("ES{}", k));
    if (strain == 0 && stress == 0) break;
    curve.x.push_back(strain);
    curve.y.push_back(stress);
  }
  if (curve.x.empty()) return std::nullopt;
  checked_curve(material, "EPS1-16", curve);
  if (curve.x[0] != 0)
    refuse(material, "CR-M107", "EPS1", fmt::format("EPS1 is {}, the points must begin at 0", curve.x[0]));
  return curve;
}

inline Prepared prepare_elastic_plastic_hydro(const model::Model&, const model::Material& material) {
  if (!has_equation_of_state(material))
    refuse(material, "CR-M105", "", "the law needs an equation of state (EOSID of *PART)");
  const auto owned = std::make_shared<OwnedHydroLaw>();
  HydroLaw& law = owned->law;
  law.eos = equation_of_state(material);
  const double shear = positive_field(material, "G");
  Prepared prepared = prepare_hydrodynamic(material, law.eos, shear);
  law.plasticity.elastic.shear = shear;
  law.plasticity.elastic.lame = -2.0 / 3 * shear;
  if (const auto points = read_hydro_points(material)) {
    const double no_rate[] = {0.0};
    owned->flow.emplace(std::span(&*points, 1), no_rate);
    law.plasticity.curves = owned->flow->view();
  } else {
    law.plasticity.yield = positive_field(material, "SIGY");
    law.plasticity.hardening = not_negative_field(material, "EH");
  }
  set_least_yield(law.plasticity);
  set_failure_strain(material, "FS", law.plasticity);
  const double cutoff = material.field("PC");
  if (!(cutoff <= 0))
    refuse(material, "CR-M108", "PC", fmt::format("PC is {}, it must not be positive", cutoff));
  if (cutoff < 0) law.cutoff = cutoff;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(HydroLaw, {.number = 10,
                       .keyword = "MAT_ELASTIC_PLASTIC_HYDRO",
                       .supports = {.solid = true},
                       .needs = {.energy = true},
                       .prepare = prepare_elastic_plastic_hydro})
