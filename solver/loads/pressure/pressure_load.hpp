// *LOAD_SEGMENT and *LOAD_SHELL: what the deck says of pressures.
#pragma once

#include <array>

#include "model/fields.hpp"

namespace crumple::loads {

/// Pressure on a segment (*LOAD_SEGMENT), positive against the segment's normal as in the manual, or on a
/// shell (*LOAD_SHELL); it ends when the shell is deleted.
struct PressureLoad {
  std::array<LocalId, 4> nodes{};
  LocalId shell = model::kNone;  ///< kNone: a segment by its nodes
  LocalId curve = model::kNone;
  double scale = 1.0;
  double arrival = 0.0;

  int corners() const { return nodes[3] == nodes[2] || nodes[3] == model::kNone ? 3 : 4; }
};

template <class V>
void fields(V& v, PressureLoad& s) {
  model::members(v, s, model::nodes_of(s.nodes), model::elements_of(s.shell, model::ElementKind::shell),
                 model::curves_of(s.curve), s.scale, s.arrival);
}

/// Adds the deck's pressures to the model.
void read_pressure_loads(model::Builder& build);

const model::Feature& pressure_load_feature();

}  // namespace crumple::loads
