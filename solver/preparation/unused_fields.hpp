// Finds thickness and stiffness that a deck gives for contact but that no contact uses.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "preparation/finding.hpp"

namespace crumple::preparation {

/// A warning CR-C018 for each contact where OPTT, SFT or SSF of *PART_CONTACT, or the contact's own
/// thickness, has no effect on some of its parts, and one for parts that are in no contact. For rank 0, after
/// build_surfaces.
std::vector<Finding> unused_fields(const model::Model& whole);

}  // namespace crumple::preparation
