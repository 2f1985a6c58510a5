// Reads and checks the fields that cohesive laws share.
#include "materials/cohesive/cohesive_fields.hpp"

namespace crumple::materials {

Cohesive cohesive_options(const model::Material& material) {
  Cohesive options;
  const double per_area = material.field("ROFLG"), points = material.field("INTFAIL");
  if (per_area != 0 && per_area != 1)
    refuse(material, "CR-M108", "ROFLG",
           fmt::format("ROFLG is {}: 0 (density per volume) or 1 (per area)", per_area));
  if (std::abs(points) > 4 || points != std::round(points))
    refuse(material, "CR-M108", "INTFAIL",
           fmt::format("INTFAIL is {}: a number of failed points from -4 to 4", points));
  options.per_area = per_area == 1;
  options.at_corners = points <= 0;
  options.points_to_delete = std::abs(points);
  return options;
}

Prepared prepare_cohesive(const model::Material& material, double stiffness, int n_history) {
  Prepared prepared;
  prepared.density = checked_density(material);
  prepared.cohesive = cohesive_options(material);
  prepared.cohesive.stiffness = stiffness;
  prepared.n_history = n_history;
  return prepared;
}

double limit_field(const model::Material& material, const std::string& field) {
  const double limit = not_negative_field(material, field);
  return limit > 0 ? limit : std::numeric_limits<double>::infinity();
}

}  // namespace crumple::materials
