// Parameters of the fabric between the rows of a belt of shells.
#include "materials/fabric/belt_fabric.hpp"

#include <algorithm>
#include <memory>

#include "materials/fabric/fabric.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

Prepared prepare_belt_fabric(const model::Material& material) {
  FabricLaw law;
  law.nonlinear = true;
  law.tension_only = material.field("CSE") == 1;
  law.weave.slides = true;
  law.weave.damping = not_negative_field(material, "DAMP");
  law.direction[1].modulus = positive_field(material, "EB");
  law.direction[2].modulus = positive_field(material, "GAB");
  Prepared prepared = prepared_with(law);
  prepared.density = checked_density(material);
  const double young = std::max(law.direction[1].modulus, 2 * law.direction[2].modulus);
  prepared.elastic = elastic_constants(young, 0);
  prepared.n_history = kGiven + 3;
  return prepared;
}

}  // namespace crumple::materials
