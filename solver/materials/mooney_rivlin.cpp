// MAT_027 from the model.
#include "materials/mooney_rivlin.hpp"

#include <fmt/format.h>

#include "materials/prepare.hpp"

namespace crumple::materials {

Prepared prepare_mooney_rivlin(const model::Model&, const model::Material& material) {
  MooneyRivlinLaw law;
  law.a = material.field("A");
  law.b = material.field("B");
  law.shear = 2 * (law.a + law.b);
  if (!(law.shear > 0))
    refuse(material, "CR-M103", "A", fmt::format("A + B is {}, it must be positive", law.a + law.b));
  const double nu = checked_poisson(material, material.field("PR"));
  law.c = 0.5 * law.a + law.b;
  law.d = (law.a * (5 * nu - 2) + law.b * (11 * nu - 5)) / (2 * (1 - 2 * nu));
  if (!(law.d > 0 && law.c >= 0))
    refuse(material, "CR-M104", "PR",
           fmt::format("Poisson's ratio is {}: with A = {} and B = {} the rubber would not resist expansion; "
                       "0.49 to 0.5 is meant",
                       nu, law.a, law.b));
  Prepared prepared;
  prepared.law = 27;
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(2 * law.shear * (1 + nu), nu);
  prepared.n_history = 6;
  prepared.parameters = std::make_shared<MooneyRivlinLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
