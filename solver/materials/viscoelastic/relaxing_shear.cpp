// Parameters of laws whose shear relaxes.
#include "materials/viscoelastic/relaxing_shear.hpp"

#include "materials/prepare.hpp"

namespace crumple::materials {

void set_relaxing_properties(const model::Material& material, const RelaxingShearLaw& law,
                             Prepared& prepared) {
  const double shear = law.shear + law.prony.sum();
  const double young = 9 * law.bulk * shear / (3 * law.bulk + shear);
  prepared.density = checked_density(material);
  prepared.elastic = {young, young / (2 * shear) - 1, shear, law.bulk};
  prepared.n_history = kRelaxingTerms + 6 * law.prony.n;
}

Prepared prepare_one_term(const model::Material& material, double decay) {
  RelaxingShearLaw law;
  law.bulk = positive_field(material, "BULK");
  const double at_once = positive_field(material, "G0");
  law.shear = not_negative_field(material, "GI");
  if (law.shear > at_once)
    refuse(material, "CR-M108", "GI",
           fmt::format("GI is {}, it must not be larger than G0 = {}", law.shear, at_once));
  if (law.shear < at_once) {
    law.prony.n = 1;
    law.prony.shear[0] = at_once - law.shear;
    law.prony.rate[0] = decay;
  }
  Prepared prepared = prepared_with(law);
  set_relaxing_properties(material, law, prepared);
  return prepared;
}

}  // namespace crumple::materials
