// Where the passes over free nodes are found by instruction set.
#include "explicit/free_nodes.hpp"

#include <array>

namespace crumple::explicit_dynamics {

namespace {
// Filled before main by the registration lines, read-only afterwards.
std::array<NodePasses, 3>& all_passes() {
  static std::array<NodePasses, 3> by_isa{};
  return by_isa;
}
}  // namespace

detail::RegisterNodePasses::RegisterNodePasses(elements::Isa isa, NodePasses passes) {
  all_passes()[static_cast<std::size_t>(isa)] = passes;
}

NodePasses find_node_passes(elements::Isa isa) {
  for (auto i = static_cast<std::size_t>(isa); i > 0; --i)
    if (all_passes()[i].velocities) return all_passes()[i];
  return all_passes()[0];
}

}  // namespace crumple::explicit_dynamics
