// MAT_032 (*MAT_LAMINATED_GLASS): glass that breaks and polymer that does not, in the layers of a shell.
//
// Both are elastic and plastic by J2 with isotropic hardening, k(p) = SY + ET p with the plastic modulus ET
// (LS-DYNA theory manual 2006, material 32; keyword manual, vol. II). The point k of the section's rule
// (*INTEGRATION_SHELL) is glass where Fk = 0, and polymer where it is 1. Glass breaks where its plastic
// strain exceeds EFG. Its deviator is 0 from then on, and as the stress across a shell is 0, so is its
// pressure: the layer has no stress any more, in tension and in compression. The others carry on; an element
// is deleted when all its points have broken, so never with a polymer layer. RO is that of all layers.
//
// The elements give each layer its parameters (state/groups.cpp): field F is that of the layer's number.
// State: plastic strain. The update is the engine's (plasticity/j2_plasticity.hpp).
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include <string>

#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

namespace laminated_glass {

/// Fields of one of the two materials.
struct Names {
  const char *young, *poisson, *yield, *hardening;
};
inline constexpr Names kGlass = {"EG", "PRG", "SYG", "ETG"}, kPolymer = {"EP", "PRP", "SYP", "ETP"};

/// Elastic constants. Throws CR-M103 and CR-M104.
inline Elastic elastic_of(const model::Material& material, const Names& names) {
  const double young = positive_field(material, names.young);
  return elastic_constants(young, checked_poisson(material, material.field(names.poisson)));
}

/// Throws CR-M108 for a flag of a layer that is neither 0 nor 1.
inline void check_flags(const model::Material& material) {
  constexpr int most = 32;
  for (int k = 1; k <= most; ++k) {
    const std::string field = fmt::format("F{}", k);
    const double flag = material.field(field);
    if (flag != 0 && flag != 1)
      refuse(material, "CR-M108", field,
             fmt::format("{} is {}, it must be 0 for glass or 1 for polymer", field, flag));
  }
}

}  // namespace laminated_glass

inline Prepared prepare_laminated_glass(const model::Model&, const model::Material& material) {
  laminated_glass::check_flags(material);
  const bool polymer = material.field("F") == 1;
  const laminated_glass::Names& names = polymer ? laminated_glass::kPolymer : laminated_glass::kGlass;
  Prepared prepared;
  prepared.density = checked_density(material);
  prepared.elastic = laminated_glass::elastic_of(material, names);
  auto law = std::make_shared<J2Law>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law->yield = positive_field(material, names.yield);
  law->hardening = not_negative_field(material, names.hardening);
  if (!polymer) law->fail = positive_field(material, "EFG");
  set_least_yield(*law);
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
#endif

// Uses the updates of MAT_024.
CRUMPLE_ROW(J2Law, {.number = 32,
                    .keyword = "MAT_LAMINATED_GLASS",
                    .supports = {.shell = true},
                    .young_field = "EG",
                    .by_layer = true,
                    .prepare = prepare_laminated_glass})
