// Fields that the cards of MAT_077_O and MAT_077_H share.
#include "materials/rubber/rubber_fields.hpp"

#include "materials/foam/foam_fields.hpp"

namespace crumple::materials {

void refuse_rubber_options(const model::Material& material) {
  const std::pair<const char*, const char*> options[] = {
      {"N",
       "constants from a fit to test data are not supported; give those that the fit printed, with N = 0"},
      {"SIGF", "damping that does not depend on the frequency is not supported"},
      {"VFLAG", "the viscoelastic stress is that of VFLAG = 0 only"},
      {"THERML", "constants over temperature are not supported"}};
  for (const auto& [field, why] : options)
    if (material.field(field) != 0) refuse(material, "CR-M105", field, why);
  check_reference_geometry(material);
  if (material.field("PR") < 0)
    refuse(material, "CR-M105", "PR", "PR < 0, the table of hysteresis, is not supported");
}

double set_rubber_properties(const model::Material& material, double shear, const PronySeries& prony,
                             Prepared& prepared) {
  const double nu = checked_poisson(material, material.field("PR"));
  if (!(nu > 0)) refuse(material, "CR-M104", "PR", fmt::format("PR is {}, 0.49 to 0.5 is meant", nu));
  const double bulk = 2 * shear * (1 + nu) / (3 * (1 - 2 * nu));
  prepared.density = checked_density(material);
  const double fast = shear + prony.sum();  // shear modulus at once
  const double young = 9 * bulk * fast / (3 * bulk + fast);
  prepared.elastic = {young, young / (2 * fast) - 1, fast, bulk};
  prepared.n_history = 6 + 6 * prony.n;
  return bulk;
}

}  // namespace crumple::materials
