// Finds how thick a layer of MAT_169 may be.
#include "materials/cohesive/adhesive_fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "materials/hooke.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

double share_of_plateau(const model::Material& material) {
  const double ratio = material.field("SHRP");
  return 2 * ratio / (1 + ratio);
}

double thickest_adhesive(const model::Material& material) {
  if (!material.fields.contains("TENMAX")) return 0;
  const ElasticLaw elastic = elastic_law(material.field("E"), material.field("PR"));
  const auto thickest = [&](const char* strength, const char* energy, double modulus) {
    const double limit = material.field(strength);
    return limit < kHugeStrength * elastic.young ? 2 * modulus * material.field(energy) / (limit * limit)
                                                 : std::numeric_limits<double>::infinity();
  };
  const double thick =
      std::min(thickest("TENMAX", "GCTEN", elastic.lame + 2 * elastic.shear),
               (1 - share_of_plateau(material)) * thickest("SHRMAX", "GCSHR", elastic.shear));
  return std::isfinite(thick) ? thick : 0;
}

}  // namespace crumple::materials
