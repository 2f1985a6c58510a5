// Where the functions for many pairs are found by instruction set.
#include "contact/geometry/closest_pairs.hpp"

namespace crumple::contact {

namespace {
// Filled before main by the registration lines, read-only afterwards.
std::array<ClosestPairs, 3>& all_sets() {
  static std::array<ClosestPairs, 3> by_isa{};
  return by_isa;
}
}  // namespace

detail::RegisterClosestPairs::RegisterClosestPairs(elements::Isa isa, ClosestPairs functions) {
  all_sets()[static_cast<std::size_t>(isa)] = functions;
}

const ClosestPairs& closest_pairs(elements::Isa isa) {
  for (auto i = static_cast<std::size_t>(isa); i > 0; --i)
    if (all_sets()[i].keep_near) return all_sets()[i];
  return all_sets()[0];
}

}  // namespace crumple::contact
