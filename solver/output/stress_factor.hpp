// The factor of a stored stress in results.
#pragma once

#include "model/element_kind.hpp"
#include "state/group_view.hpp"

namespace crumple::output {

/// SHRF for the transverse shear stresses (yz, zx) of shells, 1 for all others. `component`: 0 to 5 of xx yy
/// zz xy yz zx in element axes.
///
/// The state of a shell has G gamma, and SHRF is applied when its forces are summed
/// (elements/shell/lamina.hpp). Results have kappa G gamma, like the forces, and as in LS-DYNA.
inline double stress_factor(const state::GroupView& g, int component) {
  return g.kind() == model::ElementKind::shell && component >= 4 ? g.ready.parameters.shear_factor : 1.0;
}

}  // namespace crumple::output
