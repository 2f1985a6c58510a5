// Durations as a clock shows them.
#pragma once

#include <string>

namespace crumple::control {

/// 5:07 or 1:05:07; seconds are rounded.
std::string clock_text(double seconds);

}  // namespace crumple::control
