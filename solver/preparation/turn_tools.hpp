// Turns the tools of forming contacts towards the sheet.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "preparation/finding.hpp"

namespace crumple::preparation {

/// Turn the segments of side b so that their fronts face the nodes of side a. All segments of a part are
/// turned together, since the walls of a die are beside the sheet and say nothing by themselves: so the mesh
/// of a tool must have consistent normals. A warning CR-C020 if it has not.
///
/// ORIEN of *CONTROL_CONTACT: with 4 no tool is turned, with 2 also segment sets are.
void turn_tools(const model::Model& whole, model::Contact& contact, std::vector<Finding>& warnings);

}  // namespace crumple::preparation
