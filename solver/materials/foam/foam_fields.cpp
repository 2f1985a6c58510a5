// Fields that the cards of foams share.
#include "materials/foam/foam_fields.hpp"

#include <algorithm>

namespace crumple::materials {

void check_reference_geometry(const model::Material& material) {
  const double reference = material.field("REF");
  if (reference != 0 && reference != 1)
    refuse(material, "CR-M105", "REF", "only REF 0 and 1 (*INITIAL_FOAM_REFERENCE_GEOMETRY) are supported");
}

double tension_cutoff(const model::Material& material) {
  constexpr double kNone = 1e20;
  const double cutoff = not_negative_field(material, "TC");
  return cutoff == 0 ? kNone : cutoff;
}

FoamUnloading foam_unloading(const model::Material& material) {
  const auto or_one = [&](const char* field) {
    const double value = not_negative_field(material, field);
    return value == 0 ? 1 : value;
  };
  const double factor = or_one("HU");
  if (factor > 1)
    refuse(material, "CR-M108", "HU", fmt::format("HU is {}, it must lie between 0 and 1", factor));
  return {1 - factor, or_one("SHAPE"), or_one("EXPON")};
}

double foam_damping(const model::Material& material, const std::string& field) {
  const double damping = material.field(field);
  if (damping < 0) refuse(material, "CR-M105", field, "a curve of damping over strain is not supported");
  return damping;
}

void set_foam_properties(const model::Material& material, double young, double steepest, double beside,
                         Prepared& prepared) {
  const double contact = not_negative_field(material, "KCON");
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(std::max(young, contact > 0 ? contact : steepest) + beside, 0);
  prepared.damping = foam_damping(material, "DAMP");
  prepared.bulk_viscosity = material.field("BVFLAG") >= 1;
}

}  // namespace crumple::materials
