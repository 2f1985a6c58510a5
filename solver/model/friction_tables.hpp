// *DEFINE_FRICTION: friction by pairs of parts, for contacts with FS = -2.
#pragma once

#include <map>

#include "model/builder.hpp"
#include "model/friction.hpp"

namespace crumple::model {

/// The tables of the deck by number.
std::map<GlobalId, FrictionTable> read_friction_tables(const Builder& build);

}  // namespace crumple::model
