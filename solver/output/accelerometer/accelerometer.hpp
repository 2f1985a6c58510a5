// *ELEMENT_SEATBELT_ACCELEROMETER: a triad of nodes of a rigid body, in whose axes nodout shows its first
// node.
#pragma once

#include <array>
#include <cstdint>

#include "model/fields.hpp"

namespace crumple::output {

struct Accelerometer {
  GlobalId id = 0;
  /// The origin, a node on the local x axis, and a node in the local xy plane; all on the rank that owns the
  /// first.
  std::array<LocalId, 3> nodes{model::kNone, model::kNone, model::kNone};
  std::uint8_t without_gravity = 0;  ///< IGRAV: mask of global components of body loads that are taken away
  std::vector<LocalId> parts;        ///< of the rigid body, for body loads of some parts only
};

template <class V>
void fields(V& v, Accelerometer& s) {
  model::members(v, s, s.id, model::nodes_of(s.nodes), s.without_gravity, s.parts);
}

/// Adds the deck's accelerometers to the model.
void read_accelerometers(model::Builder& build);

const model::Feature& accelerometer_feature();

}  // namespace crumple::output
