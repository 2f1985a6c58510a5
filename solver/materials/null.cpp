// MAT_009 from the model.
#include "materials/null.hpp"

#include <fmt/format.h>

#include "materials/prepare.hpp"

namespace crumple::materials {

Prepared prepare_null(const model::Model&, const model::Material& material) {
  const double young = material.field("YM"), poisson = material.field("PR");
  if (young < 0) refuse(material, "CR-M108", "YM", fmt::format("YM is {}, it must not be negative", young));
  Prepared prepared;
  prepared.law = 9;
  prepared.null = true;
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(young, checked_poisson(material, poisson));
  prepared.parameters = std::make_shared<NullLaw>();
  return prepared;
}

}  // namespace crumple::materials
