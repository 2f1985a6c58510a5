// The parameters of a preloaded law.
#include "materials/wrappers/preload.hpp"

#include <memory>

namespace crumple::materials {

namespace {

/// The parameters together with those of the law.
struct OwnedPreload {
  PreloadLaw preload;
  std::shared_ptr<const void> law;  ///< parameters
};

}  // namespace

Prepared add_preload(Prepared prepared, bool keeps) {
  const auto owned = std::make_shared<OwnedPreload>();
  owned->law = prepared.parameters;
  owned->preload.law = prepared.law;
  owned->preload.law_history = prepared.n_history;
  owned->preload.bulk = prepared.elastic.bulk;
  owned->preload.shear = prepared.elastic.shear;
  owned->preload.keeps = keeps;
  prepared.n_history += kPreloadVariables;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->preload);
  prepared.law.updates = &updates_by_isa<PreloadLaw>;
  prepared.law.parameters = prepared.parameters.get();
  return prepared;
}

}  // namespace crumple::materials
