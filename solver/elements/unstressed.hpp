// An element's state without its stresses, for the part of its stiffness that does not come from them.
#pragma once

#include <span>

#include "elements/kernel.hpp"

namespace crumple::elements {

/// Sets stresses, resultants, and the generalised stresses of hourglass and drilling control to zero. What a
/// law keeps stays: one that computes stress from the whole strain has it again after the next step. Springs
/// and dampers stay as they are.
/// @param variables of one element, variable k at [k * kLanes]
void remove_stress(const Formulation& formulation, const GroupParameters& group, const StateLayout& layout,
                   std::span<double> variables);

}  // namespace crumple::elements
