// MAT_123 from the model.
#include "materials/modified_piecewise_linear_plasticity.hpp"

#include <fmt/format.h>

#include "materials/piecewise_linear_plasticity.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with MAT_024's, whose curves they use.
struct OwnedLaw {
  ModifiedPiecewiseLaw law;
  std::shared_ptr<const void> plasticity;
};

/// A limit of strain: 0 none.
void set_limit(const model::Material& material, const std::string& field, const std::string& negative,
               ModifiedPiecewiseLaw& law, double& limit) {
  const double value = material.field(field);
  if (value < 0)
    refuse(material, "CR-M105", field, fmt::format("{} is {}: {} is not supported", field, value, negative));
  if (value == 0) return;
  limit = value;
  law.by_strain = true;
}

}  // namespace

Prepared prepare_modified_piecewise_linear_plasticity(const model::Model& model,
                                                      const model::Material& material) {
  Prepared prepared = prepare_piecewise_linear_plasticity(model, material);
  const auto owned = std::make_shared<OwnedLaw>();
  ModifiedPiecewiseLaw& law = owned->law;
  owned->plasticity = prepared.parameters;
  law.plasticity = *static_cast<const J2Law*>(prepared.parameters.get());
  set_limit(material, "EPSTHIN", "thinning of the whole element", law, law.thinning);
  set_limit(material, "EPSMAJ", "the filter of the major strain", law, law.major);
  prepared.law = 123;
  prepared.n_history = law.by_strain ? kSummedStrains : 0;
  prepared.points_to_fail = material.field("NUMINT");
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
