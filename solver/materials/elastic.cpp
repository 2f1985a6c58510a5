// MAT_001 from the model.
#include "materials/elastic.hpp"

#include "materials/prepare.hpp"

namespace crumple::materials {

Prepared prepare_elastic(const model::Model&, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material, 1);
  for (const char* field : {"DA", "DB"})
    if (material.field(field) != 0)
      refuse(material, "CR-M105", field, "damping of Belytschko-Schwer beams is not supported");
  if (material.field("K") != 0) refuse(material, "CR-M105", "K", "the _FLUID option is not supported");
  prepared.parameters =
      std::make_shared<ElasticLaw>(elastic_law(prepared.elastic.young, prepared.elastic.poisson));
  return prepared;
}

}  // namespace crumple::materials
