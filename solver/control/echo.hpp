// What d3hsp has of the input before the first cycle.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "control/input.hpp"

namespace crumple::control {

/// Titled sections of text for d3hsp.
using Echo = std::vector<std::pair<std::string, std::string>>;

/// The input and its use.
/// @param dropped lines on physics that is left out (--allow-unsupported)
Echo echo_of(const Input& input, const std::vector<std::string>& dropped);

}  // namespace crumple::control
