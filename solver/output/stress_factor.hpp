// By what a stored stress is multiplied in results.
#pragma once

#include "model/element_kind.hpp"
#include "state/group_view.hpp"

namespace crumple::output {

/// SHRF for the transverse shear stresses (yz, zx) of shells, 1 for all others. `component`: 0 to 5 of xx yy
/// zz xy yz zx in element axes.
///
/// The state of a shell keeps G gamma, and SHRF comes in where its forces are summed
/// (elements/shell/lamina.hpp). Results have what the forces have, kappa G gamma, as LS-DYNA's do.
inline double stress_factor(const state::GroupView& g, int component) {
  return g.kind() == model::ElementKind::shell && component >= 4 ? g.ready.parameters.shear_factor : 1.0;
}

}  // namespace crumple::output
