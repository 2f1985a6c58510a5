// The parameters of a law that expands.
#include "materials/wrappers/thermal_expansion.hpp"

#include <utility>

#include "materials/wrappers/preload.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with those of the law.
struct OwnedExpansion {
  ExpansionLaw expansion;
  std::shared_ptr<const void> law;  ///< parameters
};

}  // namespace

const ExpansionLaw* expansion_of(const Law& law) {
  if (const PreloadLaw* const preload = preload_of(law)) return expansion_of(preload->law);
  return law.updates == &updates_by_isa<ExpansionLaw> ? static_cast<const ExpansionLaw*>(law.parameters)
                                                      : nullptr;
}

Prepared add_expansion(Prepared prepared, std::shared_ptr<const Expansion> expansion) {
  const auto owned = std::make_shared<OwnedExpansion>();
  owned->law = prepared.parameters;
  owned->expansion.law = prepared.law;
  owned->expansion.law_history = prepared.n_history;
  owned->expansion.expansion = std::move(expansion);
  prepared.n_history += kExpansionVariables;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->expansion);
  prepared.law.updates = &updates_by_isa<ExpansionLaw>;
  prepared.law.parameters = prepared.parameters.get();
  return prepared;
}

}  // namespace crumple::materials
