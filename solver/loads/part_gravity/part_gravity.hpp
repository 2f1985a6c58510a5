// *LOAD_GRAVITY_PART: what the deck says of body forces on parts.
#pragma once

#include <vector>

#include "model/fields.hpp"

namespace crumple::loads {

/// A body force on parts: their mass times an acceleration along a global axis.
///
/// ACCEL accelerates the base, as *LOAD_BODY does: a positive value acts towards the negative axis, and
/// gravity towards -z is a positive ACCEL with DOF = 3 (so do other programs that read the keyword).
struct PartGravity {
  std::vector<LocalId> parts;  ///< PID, or those of a set
  int axis = 0;                ///< 0-2
  LocalId curve = model::kNone;
  LocalId relaxation_curve = model::kNone;  ///< LCDR: replaces `curve` in dynamic relaxation
  double acceleration = 0;                  ///< ACCEL, which the curve's value multiplies
};

template <class V>
void fields(V& v, PartGravity& s) {
  model::members(v, s, s.parts, s.axis, model::curves_of(s.curve), model::curves_of(s.relaxation_curve),
                 s.acceleration);
}

/// Adds the deck's loads to the model.
void read_part_gravity(model::Builder& build);

const model::Feature& part_gravity_feature();

}  // namespace crumple::loads
