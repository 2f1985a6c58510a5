// Minutes and seconds, with hours from one on.
#include "control/clock_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace crumple::control {

std::string clock_text(double seconds) {
  const auto s = static_cast<long>(std::lround(seconds));
  return s >= 3600 ? fmt::format("{}:{:02d}:{:02d}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02d}", s / 60, s % 60);
}

}  // namespace crumple::control
