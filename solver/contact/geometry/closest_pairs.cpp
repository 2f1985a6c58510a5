// The registry of the functions for many pairs, by instruction set.
#include "contact/geometry/closest_pairs.hpp"

#include "elements/by_isa.hpp"

namespace crumple::contact {

namespace {
elements::ByIsa<ClosestPairs>& all_functions() {
  static elements::ByIsa<ClosestPairs> by_isa;
  return by_isa;
}
}  // namespace

detail::RegisterClosestPairs::RegisterClosestPairs(elements::Isa isa, const ClosestPairs& functions) {
  all_functions().add(isa, functions);
}

const ClosestPairs& closest_pairs(elements::Isa isa) { return all_functions().find(isa); }

}  // namespace crumple::contact
