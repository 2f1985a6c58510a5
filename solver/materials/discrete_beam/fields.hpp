// Reads the parameters of discrete beams from the fields of materials.
#pragma once

#include <string>

#include "materials/discrete/force_curve_fields.hpp"
#include "materials/discrete_beam/law.hpp"

namespace crumple::materials {

/// The freedoms in the order of the cards, as they end the names of fields: TKR, TKS, TKT, RKR, RKS, RKT.
inline constexpr const char* kTurning[6] = {"TR", "TS", "TT", "RR", "RS", "RT"};

/// Parameters with their curves, for one material and those to which it refers.
class DiscreteBeamFields {
 public:
  explicit DiscreteBeamFields(const model::Model& model) : model_(model) {}

  DiscreteBeamLaw& law() { return made_.law(); }
  DiscreteBeamComponent& component(int k) { return law().component[static_cast<std::size_t>(k)]; }

  /// The curve of a field, without points if the field is 0. Throws the errors of force_curve_of.
  OddCurve curve(const model::Material& material, const std::string& field);
  /// The same, odd if it has no negative abscissa; then it must begin at the origin, else CR-M107.
  OddCurve odd_curve(const model::Material& material, const std::string& field);
  /// Yield force over plastic displacement, odd if it has no negative abscissa. Throws CR-M107 for a curve
  /// that is negative, or falls faster than the elastic `stiffness`.
  OddCurve yield_curve(const model::Material& material, const std::string& field, double stiffness);
  /// A limit of displacements of one freedom; 0: none.
  void limit(int criterion, int freedom, double positive, double negative);

  /// Stiffness, curves, damping and limits of *MAT_074 (elastic) or *MAT_094 (plastic), whose fields are also
  /// those of a freedom of *MAT_196; `end` is added to their names. Without F0.
  void spring(const model::Material& material, int freedom, bool plastic, const std::string& end = "");
  /// FFAIL, MFAIL, UFAIL, TFAIL of *MAT_067 and 068, and their preloads.
  void limits_and_preloads(const model::Material& material);
  /// Each freedom of *MAT_093 or 095, from the part that its field names, whose material is number `law`.
  void of_parts(const model::Material& material, int law, bool plastic);
  /// The loading and unloading curves, damping curves and starts of *MAT_119 and 121. Throws CR-M105.
  void general_nonlinear(const model::Material& material, int freedom, const char* stiffness,
                         const std::string& loading, const std::string& unloading, const std::string& damping,
                         const std::string& scale, const std::string& start);

  Prepared prepared(const model::Material& material) const;

 private:
  const model::Model& model_;
  WithCurves<DiscreteBeamLaw> made_;
};

}  // namespace crumple::materials
