// MAT_009 (*MAT_NULL): mass and contact stiffness, no stress.
//
// YM and PR set the contact stiffness of shells and beams. Solids have the pressure of an equation of state,
// at least PC, and the viscous stress 2 MU d' of the deviator of the strain rate. They fail where the
// relative volume exceeds TEROD or falls below CEROD (LS-DYNA keyword manual, vol. II, MAT_009). State of
// solids: that of eos/hydro_history.hpp.
#pragma once

#include "materials/eos/hydro_point.hpp"

namespace crumple::materials {

struct NullLaw {};

/// Parameters of solids.
struct FluidLaw {
  EquationOfState eos;
  double cutoff = 0, viscosity = 0;             ///< PC, MU
  double most_volume = 1e30, least_volume = 0;  ///< TEROD, CEROD
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const NullLaw&, SolidPoint<V>& point) {
  for (V& s : point.s) s = V(0);
  point.failed = never(point.plastic_strain);
}

template <class V>
void update_solid(const FluidLaw& law, SolidPoint<V>& point) {
  HydroStep<V> step(law.eos, point);
  const V(&d)[6] = point.d;
  const V mean = V(1.0 / 3) * (d[0] + d[1] + d[2]);
  const V shear = V(law.viscosity) / simd::select(point.dt > V(0), point.dt, V(1));
  for (int i = 0; i < 3; ++i) point.s[i] = V(2) * shear * (d[i] - mean);
  for (int i = 3; i < 6; ++i) point.s[i] = shear * d[i];
  step.finish(simd::max(step.pressure(), V(law.cutoff)));
  point.history.store(kDynamicViscosity, V(4.0 / 3 * law.viscosity));
  const V volume = point.volume_ratio;
  point.failed = volume > V(law.most_volume) || volume < V(law.least_volume);
}

template <class V>
void update_shell(const NullLaw&, ShellPoint<V>& point) {
  for (V& s : point.s) s = V(0);
  point.d[2] = V(0);
  point.failed = never(point.plastic_strain);
}

template <class V>
void update_beam(const NullLaw&, BeamPoint<V>& point) {
  for (V& s : point.s) s = V(0);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/eos/state_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

inline constexpr Row kFluid{.number = 9,
                            .keyword = "MAT_NULL",
                            .supports = {.solid = true},
                            .needs = {.energy = true},
                            .young_field = "YM",
                            .updates = &updates_by_isa<FluidLaw>};

inline Prepared prepare_fluid(const model::Material& material) {
  auto law = std::make_shared<FluidLaw>();
  law->eos = equation_of_state(material);
  law->viscosity = not_negative_field(material, "MU");
  law->cutoff = material.field("PC");
  if (!(law->cutoff <= 0))
    refuse(material, "CR-M108", "PC", fmt::format("PC is {}, it must not be positive", law->cutoff));
  if (const double most = not_negative_field(material, "TEROD"); most > 0) law->most_volume = most;
  law->least_volume = not_negative_field(material, "CEROD");
  Prepared prepared = prepare_hydrodynamic(material, law->eos, 0);
  prepared.law.row = &kFluid;
  prepared.parameters = law;
  return prepared;
}

inline Prepared prepare_null(const model::Model&, const model::Material& material) {
  if (has_equation_of_state(material)) return prepare_fluid(material);
  const double young = material.field("YM"), poisson = material.field("PR");
  if (young < 0) refuse(material, "CR-M108", "YM", fmt::format("YM is {}, it must not be negative", young));
  Prepared prepared;
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(young, checked_poisson(material, poisson));
  prepared.parameters = std::make_shared<NullLaw>();
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(NullLaw, {.number = 9,
                      .keyword = "MAT_NULL",
                      .supports = {.solid = true, .shell = true, .beam = true},
                      .young_field = "YM",
                      .null = true,
                      .prepare = prepare_null})
CRUMPLE_UPDATES(FluidLaw)
