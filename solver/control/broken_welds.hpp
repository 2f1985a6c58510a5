// The table of welds that have broken.
#pragma once

#include <span>
#include <string>

#include "constraints/spot_welds.hpp"

namespace crumple::control {

/// For d3hsp: time, nodes, normal and shear force.
std::string table_of_breaks(std::span<const constraints::SpotWelds::Break> broken);
/// How many, for the screen.
std::string count_of_breaks(std::size_t count);

}  // namespace crumple::control
