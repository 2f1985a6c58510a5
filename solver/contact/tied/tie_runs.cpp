// Finds nodes at which several runs have ties.
#include "contact/tied/tie_runs.hpp"

#include <algorithm>

namespace crumple::contact {

std::vector<char> find_meetings(std::span<const std::array<LocalId, 4>> segments, std::size_t runs,
                                std::size_t n_nodes) {
  constexpr int nobody = -1, several = -2;
  std::vector<int> at(n_nodes, nobody);
  for (std::size_t run = 0; run < runs; ++run)
    for (std::size_t k = run_begin(segments.size(), run, runs); k < run_begin(segments.size(), run + 1, runs);
         ++k)
      for (const LocalId n : segments[k]) {
        const int mine = static_cast<int>(run);
        at[n] = at[n] == nobody || at[n] == mine ? mine : several;
      }
  std::vector<char> meets;
  for (const std::array<LocalId, 4>& nodes : segments)
    meets.push_back(std::ranges::any_of(nodes, [&](LocalId n) { return at[n] == several; }) ? 1 : 0);
  return meets;
}

}  // namespace crumple::contact
