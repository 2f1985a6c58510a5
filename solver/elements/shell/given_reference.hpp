// A reference shape of a membrane of fabric other than its shape at the start.
#pragma once

#include <span>

#include "elements/kernel.hpp"

namespace crumple::elements::shell {

/// Puts the shape with the corners `reference` into the initial variables of a membrane, whose deformation is
/// measured from it; nothing for other laws than fabrics. The fabric's axes are those of that shape.
/// Throws CR-E105 for a vector of the axes normal to it.
void give_reference(const Vec3* reference, const GroupParameters& group, std::span<double> variables);

}  // namespace crumple::elements::shell
