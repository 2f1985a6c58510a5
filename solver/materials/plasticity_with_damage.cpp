// MAT_081 from the model.
#include "materials/plasticity_with_damage.hpp"

#include <fmt/format.h>

#include "materials/piecewise_linear_plasticity.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with MAT_024's, whose curves they use.
struct OwnedLaw {
  DamageLaw law;
  std::shared_ptr<const void> plasticity;
};

}  // namespace

Prepared prepare_plasticity_with_damage(const model::Model& model, const model::Material& material) {
  Prepared prepared = prepare_piecewise_linear_plasticity(model, material);
  const auto owned = std::make_shared<OwnedLaw>();
  DamageLaw& law = owned->law;
  owned->plasticity = prepared.parameters;
  law.plasticity = *static_cast<const J2Law*>(prepared.parameters.get());
  law.begin = positive_field(material, "EPPF");
  law.plasticity.fail = material.field("EPPFR");
  if (!(law.plasticity.fail > law.begin))
    refuse(material, "CR-M108", "EPPFR",
           fmt::format("EPPFR is {}, it must be greater than EPPF = {}", law.plasticity.fail, law.begin));
  law.inverse_width = 1 / (law.plasticity.fail - law.begin);
  prepared.law = 81;
  prepared.points_to_fail = material.field("NUMINT");
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
