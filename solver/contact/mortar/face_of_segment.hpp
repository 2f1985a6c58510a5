// The face of a contact's segment, and the law between two of them from their values.
#pragma once

#include "contact/mortar/faces.hpp"

namespace crumple::contact::mortar {

/// @param scale SLSFAC SFS
Face make_face(const model::Segment& segment, const SegmentBuilder& build,
               std::span<const PartConstants> constants, const model::Model& model, double scale);

/// As law_between, from Face::modulus and Face::length of both.
PressureLaw law_of(const std::array<double, 2>& modulus, const std::array<double, 2>& length);

}  // namespace crumple::contact::mortar
