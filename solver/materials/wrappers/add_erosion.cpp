// *MAT_ADD_EROSION from the model.
#include "materials/wrappers/add_erosion.hpp"

#include <fmt/format.h>

#include <cmath>

#include "materials/discrete_beam/law.hpp"
#include "materials/muscle/muscle.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with those of the law.
struct OwnedErosion {
  ErosionLaw erosion;
  TabulatedStorage curves;
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
  /// A limit that must not be negative.
  Limit positive_limit(const std::string& name, const std::string& else_it_is) const {
    if (given(name) && value(name) < 0)
      refuse(material_, "CR-M105", name,
             fmt::format("{} of *MAT_ADD_EROSION is {}: {}", name, value(name), else_it_is));
    return limit(name);
  }
  /// A limit that is a curve over strain rate if it is negative.
  bool is_curve(const std::string& name) const { return given(name) && value(name) < 0; }
  const model::Material& material() const { return material_; }

 private:
  const model::Material& material_;
  double exclude_;
};

/// SIGVM and MXEPS as curves over the strain rate.
void read_rate_curves(const model::Model& model, const Fields& fields, OwnedErosion& owned) {
  ErosionLaw& e = owned.erosion;
  const auto curve = [&](const char* name, bool& by_rate, Tabulated& limit) {
    by_rate = fields.is_curve(name);
    if (by_rate) limit = owned.curves.read(model, fields.material(), name, fields.value(name), false);
  };
  curve("SIGVM", e.stress_by_rate, e.stress_limit);
  curve("MXEPS", e.strain_by_rate, e.strain_limit);
  if (e.strain_by_rate && fields.value("DTEFLT") != 0)
    refuse(fields.material(), "CR-M105", "DTEFLT",
           "DTEFLT of *MAT_ADD_EROSION: the filter of the strain rate is not supported");
}

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
  e.equivalent_stress = fields.limit("SIGVM");
  e.largest_strain = fields.limit("MXEPS");
  e.shear_strain = fields.positive_limit("EPSSH", "a shear strain is not negative");
  e.thinning = fields.limit_unless_zero("EPSTHIN");
  if (e.thinning.value < 0)
    fields.positive_limit("EPSTHIN", "the mean thinning of an element is not supported, only that of points");
  e.impulse = fields.limit("IMPULSE");
  e.threshold = fields.given("SIGTH") ? fields.value("SIGTH") : 0.0;
  e.needed = std::max(1.0, fields.value("NCS"));
  return e;
}

}  // namespace

double points_to_delete(double numfip) { return numfip < -100 ? -numfip - 100 : numfip == 0 ? 1.0 : numfip; }

bool takes_criteria(const Row& row) {
  return !(row.rigid || row.null || row.supports.discrete || row.supports.cohesive || is_discrete_beam(row) ||
           is_muscle(row) || row.needs.deformation_gradient);
}

Prepared add_erosion(const model::Model& model, const model::Material& material, Prepared prepared) {
  if (!material.fields.contains("EROSION.EXCL")) return prepared;
  if (!takes_criteria(*prepared.law.row))
    refuse(material, "CR-M105", "", "*MAT_ADD_EROSION is not supported with this law");
  const Fields fields(material);
  const auto owned = std::make_shared<OwnedErosion>();
  owned->erosion = criteria(fields);
  read_rate_curves(model, fields, *owned);
  owned->law = prepared.parameters;
  owned->erosion.law = prepared.law;
  owned->erosion.law_history = prepared.n_history;
  prepared.law.criteria = prepared.n_history;
  prepared.n_history += kErosionVariables;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->erosion);
  prepared.law.updates = &updates_by_isa<ErosionLaw>;
  prepared.law.parameters = prepared.parameters.get();
  prepared.points_to_erode = points_to_delete(fields.value("NUMFIP"));
  if (fields.given("FAILTM")) prepared.failure_time = fields.value("FAILTM");
  return prepared;
}

}  // namespace crumple::materials
