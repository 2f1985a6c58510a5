// Problems that --allow-unsupported turns into warnings.
#include "control/dropped_physics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace crumple::control {

std::vector<std::string> dropped_physics(const deck::Deck& deck, bool allow_unsupported) {
  constexpr std::array ids{"CR-D005", "CR-D016", "CR-D017", "CR-D101",
                           "CR-D102", "CR-D203", "CR-D320", "CR-D321"};
  std::vector<std::string> lines;
  if (!allow_unsupported) return lines;
  for (const deck::Problem& p : deck.problems())
    if (p.severity == deck::Severity::warning && std::find(ids.begin(), ids.end(), p.id) != ids.end())
      lines.push_back(fmt::format("{} {}: {}", p.place.text(), p.id, p.text));
  return lines;
}

}  // namespace crumple::control
