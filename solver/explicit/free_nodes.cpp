// Where the pass over free nodes is found by instruction set.
#include "explicit/free_nodes.hpp"

#include <array>

namespace crumple::explicit_dynamics {

namespace {
// Filled before main by the registration lines, read-only afterwards.
std::array<AdvanceFreeNodes, 3>& passes() {
  static std::array<AdvanceFreeNodes, 3> by_isa{};
  return by_isa;
}
}  // namespace

detail::RegisterFreeNodes::RegisterFreeNodes(elements::Isa isa, AdvanceFreeNodes pass) {
  passes()[static_cast<std::size_t>(isa)] = pass;
}

AdvanceFreeNodes find_advance_free_nodes(elements::Isa isa) {
  for (auto i = static_cast<std::size_t>(isa); i > 0; --i)
    if (passes()[i]) return passes()[i];
  return passes()[0];
}

}  // namespace crumple::explicit_dynamics
