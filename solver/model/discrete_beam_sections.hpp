// Sections of discrete beams as inputs of the model.
#pragma once

#include "model/discrete_beam_section.hpp"
#include "model/fields.hpp"

namespace crumple::model {

template <class V>
void fields(V& v, DiscreteBeamSection& s) {
  members(v, s, s.section, s.volume, s.inertia, s.has_axes, s.axes, s.cable_area, s.offset, s.held, s.scoor);
}

/// Null if the section is not one of discrete beams.
const DiscreteBeamSection* find_discrete_beam_section(const Model& model, LocalId section);

const Feature& discrete_beam_sections_feature();

}  // namespace crumple::model
