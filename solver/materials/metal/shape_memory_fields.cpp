// Reads the cards of MAT_030.
#include "materials/metal/shape_memory_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "materials/metal/shape_memory.hpp"

namespace crumple::materials {

namespace {

/// A stress of transformation in uniaxial tension.
double transformation_field(const model::Material& material, const char* field) {
  if (material.field(field) < 0)
    refuse(material, "CR-M105", field,
           fmt::format("{} by a curve over temperature or plastic strain is not supported", field));
  return positive_field(material, field);
}

void check_order(const model::Material& material, const char* field, double least, double most) {
  if (!(least < most))
    refuse(material, "CR-M108", field,
           fmt::format("{} is {}: SIG_ASS must be below SIG_ASF, and SIG_SAF below SIG_SAS", field,
                       material.field(field)));
}

}  // namespace

Prepared prepare_shape_memory(const model::Model&, const model::Material& material) {
  for (const char* field : {"LCSS", "LCID_AS", "LCID_SA"})
    if (material.field(field) != 0)
      refuse(material, "CR-M105", field,
             fmt::format("{} is not supported: plasticity of martensite, kinetics by curves", field));
  Prepared prepared = prepare_isotropic(material);
  ShapeMemoryLaw law;
  const double young = prepared.elastic.young, poisson = prepared.elastic.poisson;
  law.austenite = elastic_law(young, poisson);
  law.bulk = young / (3 * (1 - 2 * poisson));
  law.alpha = not_negative_field(material, "ALPHA");
  if (!(law.alpha < std::sqrt(2.0 / 3)))
    refuse(
        material, "CR-M108", "ALPHA",
        fmt::format("ALPHA is {}, it must be below sqrt(2/3): compression must transform, too", law.alpha));
  const double per_stress = std::sqrt(2.0 / 3) + law.alpha;
  law.strain = positive_field(material, "EPSL") / per_stress;
  law.forward[0] = per_stress * transformation_field(material, "SIG_ASS");
  law.forward[1] = per_stress * transformation_field(material, "SIG_ASF");
  law.reverse[0] = per_stress * transformation_field(material, "SIG_SAS");
  law.reverse[1] = per_stress * transformation_field(material, "SIG_SAF");
  check_order(material, "SIG_ASF", law.forward[0], law.forward[1]);
  check_order(material, "SIG_SAF", law.reverse[1], law.reverse[0]);
  const double martensite = not_negative_field(material, "YMRT");
  if (martensite > 0) law.stiffening = martensite / young - 1;
  law.slope = law.strain * (2 * law.austenite.shear + 9 * law.bulk * law.alpha * law.alpha);
  prepared.elastic = elastic_constants(std::max(young, martensite), poisson);
  prepared.n_history = ShapeMemoryLaw::kHistory;
  prepared.parameters = std::make_shared<ShapeMemoryLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
