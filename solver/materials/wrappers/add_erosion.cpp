// *MAT_ADD_EROSION from the model.
#include "materials/wrappers/add_erosion.hpp"

#include <fmt/format.h>

#include <cmath>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with those of the law.
struct OwnedErosion {
  ErosionLaw erosion;
  std::shared_ptr<const void> law;  ///< parameters
};

/// Reads the fields of *MAT_ADD_EROSION.
class Fields {
 public:
  explicit Fields(const model::Material& material) : material_(material), exclude_(value("EXCL")) {}

  double value(const std::string& name) const { return material_.field("EROSION." + name); }
  bool given(const std::string& name) const { return value(name) != exclude_; }

  Limit limit(const std::string& name) const { return {value(name), given(name)}; }
  /// A limit of one of the four fields in which 0 always means none.
  Limit limit_unless_zero(const std::string& name) const {
    return {value(name), given(name) && value(name) != 0};
  }
  /// A limit for which curves over strain rate (negative values) are not supported.
  Limit limit_without_curve(const std::string& name) const {
    if (given(name) && value(name) < 0)
      refuse(material_, "CR-M105", name,
             fmt::format("{} of *MAT_ADD_EROSION is {}: a curve over strain rate is not supported", name,
                         value(name)));
    return limit(name);
  }

 private:
  const model::Material& material_;
  double exclude_;
};

ErosionLaw criteria(const Fields& fields) {
  ErosionLaw e;
  e.largest_pressure = fields.limit_unless_zero("MXPRES");
  e.smallest_strain = fields.limit_unless_zero("MNEPS");
  e.volume_strain = fields.limit_unless_zero("VOLEPS");
  const Limit effective = fields.limit_unless_zero("EFFEPS");
  if (effective.value > 0) e.effective_strain = effective;
  if (effective.value < 0) e.plastic_strain = {-effective.value, effective.given};
  e.smallest_pressure = fields.limit("MNPRES");
  e.largest_stress = fields.limit("SIGP1");
  e.equivalent_stress = fields.limit_without_curve("SIGVM");
  e.largest_strain = fields.limit_without_curve("MXEPS");
  e.shear_strain = fields.limit("EPSSH");
  e.impulse = fields.limit("IMPULSE");
  e.threshold = fields.given("SIGTH") ? fields.value("SIGTH") : 0.0;
  e.needed = std::max(1.0, fields.value("NCS"));
  return e;
}

/// NUMFIP as a number of points, > 0, or a percentage, < 0.
double points_to_erode(double numfip) { return numfip < -100 ? -numfip - 100 : numfip == 0 ? 1.0 : numfip; }

}  // namespace

Prepared add_erosion(const model::Material& material, Prepared prepared) {
  if (!material.fields.contains("EROSION.EXCL")) return prepared;
  const Row& row = *prepared.law.row;
  if (row.rigid || row.null || row.supports.discrete || row.needs.deformation_gradient)
    refuse(material, "CR-M105", "", "*MAT_ADD_EROSION is not supported with this law");
  const Fields fields(material);
  const auto owned = std::make_shared<OwnedErosion>();
  owned->erosion = criteria(fields);
  owned->law = prepared.parameters;
  owned->erosion.law = prepared.law;
  owned->erosion.law_history = prepared.n_history;
  prepared.law.criteria = prepared.n_history;
  prepared.n_history += kErosionVariables;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->erosion);
  prepared.law.updates = &updates_by_isa<ErosionLaw>;
  prepared.law.parameters = prepared.parameters.get();
  prepared.points_to_erode = points_to_erode(fields.value("NUMFIP"));
  if (fields.given("FAILTM")) prepared.failure_time = fields.value("FAILTM");
  return prepared;
}

}  // namespace crumple::materials
