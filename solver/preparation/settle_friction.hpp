// The friction of contacts that take it from their parts.
#pragma once

#include "model/model.hpp"

namespace crumple::preparation {

/// With FS = -1 a contact gets the friction of *PART_CONTACT of its parts. What two different ones give
/// together is not known, so they must be the same: Error CR-C005. With FS = -2 the parts of its nodes are
/// found (Surface::node_part).
///
/// Contacts of rigid bodies by curves must have rigid bodies on both sides: Error CR-C006.
void settle_friction(model::Model& whole);

}  // namespace crumple::preparation
