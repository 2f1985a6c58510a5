// MAT_156 (*MAT_MUSCLE): a Hill-type muscle as a truss (discrete/hill_muscle.hpp).
//
// With the length l, l0 at the start and that at rest, l0 / SNO, the stretch is x = SNO l / l0, and the
// stress on the truss's constant area (LS-DYNA keyword manual, vol. II, MAT_156; Hill 1938; Zajac 1989;
// Winters 1990)
//
//   s = PIS (ALM(t) SVS(x) SVR(x' / (SRM SFR(x))) + SSP(x)) + DMP x'.
//
// x' is positive while the muscle lengthens. The density is RO / SNO. The truss evaluates this itself, from
// its length and not from summed strains (elements/beam/truss.hpp): there is no update by instruction set.
#pragma once

#include "materials/discrete/hill_muscle.hpp"
#include "materials/law.hpp"
#include "materials/row.hpp"

namespace crumple::materials {

struct MuscleLaw {
  HillMuscle muscle;   ///< the fastest rate is SRM
  double peak = 0;     ///< PIS
  double damping = 0;  ///< DMP
  double start = 1;    ///< SNO

  double stress(double stretch, double rate, double time) const {
    return peak * muscle.tension(stretch, rate, time, stretch) + damping * rate;
  }
  /// Slopes for the stable step.
  double stiffness(double stretch) const { return peak * muscle.slope_over_length(stretch); }
  double viscosity() const { return peak * muscle.slope_over_rate() + damping; }
};

/// Whether a law is a muscle, which only trusses take.
inline bool is_muscle(const Row& law) { return law.updates == &updates_by_isa<MuscleLaw>; }

/// The parameters of a muscle, null for other laws.
inline const MuscleLaw* muscle_law(const Law& law) {
  return law.updates == &updates_by_isa<MuscleLaw> ? static_cast<const MuscleLaw*>(law.parameters) : nullptr;
}

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/discrete/hill_muscle_fields.hpp"

namespace crumple::materials {

/// Young's modulus, of which contact and the scales of sums ask, is the slope at the start, at least PIS.
inline Prepared prepare_muscle(const model::Model& model, const model::Material& material) {
  WithCurves<MuscleLaw> made;
  MuscleLaw& law = made.law();
  law.peak = positive_field(material, "PIS");
  law.damping = not_negative_field(material, "DMP");
  law.start = material.field("SNO") == 0 ? 1.0 : positive_field(material, "SNO");
  set_hill_muscle(made, model, material, {"ALM", "SVS", "SVR", "SFR", "SSP", "CER", "SSM"}, law.muscle);
  if (law.muscle.over_rate.n > 0) law.muscle.fastest_rate = positive_field(material, "SRM");
  Prepared prepared = made.prepared();
  prepared.density = checked_density(material) / law.start;
  prepared.elastic = elastic_constants(std::max(law.stiffness(law.start) * law.start, law.peak), 0.0);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(MuscleLaw, {.number = 156, .keyword = "MAT_MUSCLE", .prepare = prepare_muscle})
