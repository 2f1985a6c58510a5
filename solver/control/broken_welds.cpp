// Lines of welds that have broken.
#include "control/broken_welds.hpp"

#include <fmt/format.h>

namespace crumple::control {

std::string table_of_breaks(std::span<const constraints::SpotWelds::Break> broken) {
  std::string table =
      fmt::format("{:>15}{:>12}{:>12}{:>15}{:>15}\n", "time", "node", "node", "normal force", "shear force");
  for (const constraints::SpotWelds::Break& b : broken)
    table +=
        fmt::format("{:15.5e}{:12d}{:12d}{:15.5e}{:15.5e}\n", b.time, b.first, b.second, b.normal, b.shear);
  return table;
}

std::string count_of_breaks(std::size_t count) {
  return fmt::format(" {} weld{} broke\n", count, count == 1 ? "" : "s");
}

}  // namespace crumple::control
