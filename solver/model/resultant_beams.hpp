// Beams that have forces and moments of the whole section only, no stresses at points.
#pragma once

namespace crumple::model {

/// Of ELFORM 2 (Belytschko-Schwer) and 13 (Timoshenko), whose sections give areas and second moments.
inline bool is_resultant_beam(int elform) { return elform == 2 || elform == 13; }

}  // namespace crumple::model
