// The curves and constants of Hill-type muscles from the fields of a material.
#pragma once

#include "materials/discrete/force_curve_fields.hpp"
#include "materials/discrete/hill_muscle.hpp"

namespace crumple::materials {

/// The names of the fields in a law.
struct HillFields {
  const char *activation, *over_length, *over_rate, *fastest, *passive, *rise, *full_at;
};

/// The curve that a negative field names; none for others. Its values must not be negative, or must be
/// positive. Throws the errors of force_curve_of and CR-M107.
template <class P>
ForceCurve hill_curve(WithCurves<P>& made, const model::Model& model, model::Material material,
                      const char* field, bool positive = false) {
  if (material.field(field) >= 0) return {};
  material.fields[field] = -material.field(field);
  const ForceCurve curve = made.read(model, material, field);
  const double least = HillMuscle::smallest(curve);
  if (least < 0 || (positive && least == 0))
    refuse(material, "CR-M107", field,
           fmt::format("the curve of {} has the value {}, it must {}", field, least,
                       positive ? "be positive" : "not be negative"));
  return curve;
}

/// Sets all but the fastest rate.
template <class P>
void set_hill_muscle(WithCurves<P>& made, const model::Model& model, const model::Material& material,
                     const HillFields& fields, HillMuscle& muscle) {
  muscle.activation = std::max(material.field(fields.activation), 0.0);
  muscle.activation_curve = hill_curve(made, model, material, fields.activation);
  muscle.over_length = hill_curve(made, model, material, fields.over_length);
  muscle.over_rate = hill_curve(made, model, material, fields.over_rate);
  muscle.fastest = hill_curve(made, model, material, fields.fastest, true);
  const double passive = material.field(fields.passive);
  muscle.passive = passive < 0   ? PassiveMuscle::curve
                   : passive > 0 ? PassiveMuscle::none
                                 : PassiveMuscle::exponential;
  if (muscle.passive == PassiveMuscle::curve)
    muscle.passive_curve = hill_curve(made, model, material, fields.passive);
  if (muscle.passive != PassiveMuscle::exponential) return;
  muscle.rise = not_negative_field(material, fields.rise);
  muscle.full_at = positive_field(material, fields.full_at);
}

}  // namespace crumple::materials
