// The registry of the passes over free nodes, by instruction set.
#include "explicit/free_nodes.hpp"

#include "elements/by_isa.hpp"

namespace crumple::explicit_dynamics {

namespace {
elements::ByIsa<NodePasses>& all_passes() {
  static elements::ByIsa<NodePasses> by_isa;
  return by_isa;
}
}  // namespace

detail::RegisterNodePasses::RegisterNodePasses(elements::Isa isa, const NodePasses& passes) {
  all_passes().add(isa, passes);
}

NodePasses find_node_passes(elements::Isa isa) { return all_passes().find(isa); }

}  // namespace crumple::explicit_dynamics
