// *DAMPING_RELATIVE: what the deck says of the damping of parts relative to a rigid body.
#pragma once

#include <vector>

#include "model/fields.hpp"

namespace crumple::loads {

struct RelativeDamping {
  LocalId body = model::kNone;   ///< PIDRB
  std::vector<LocalId> parts;    ///< PSID
  double fraction = 0;           ///< CDAMP: of critical damping at the frequency
  double frequency = 0;          ///< FREQ: cycles per unit of time
  LocalId curve = model::kNone;  ///< LCID: the fraction over time, in place of CDAMP
};

template <class V>
void fields(V& v, RelativeDamping& s) {
  model::members(v, s, s.body, s.parts, s.fraction, s.frequency, model::curves_of(s.curve));
}

/// Adds the deck's dampings to the model.
void read_relative_damping(model::Builder& build);

const model::Feature& relative_damping_feature();

}  // namespace crumple::loads
