// The registry of the turns of free bodies, by instruction set.
#include "constraints/free_turns.hpp"

#include "elements/by_isa.hpp"

namespace crumple::constraints {

namespace {
elements::ByIsa<FindFreeTurns>& all_free_turns() {
  static elements::ByIsa<FindFreeTurns> by_isa;
  return by_isa;
}
}  // namespace

detail::RegisterFreeTurns::RegisterFreeTurns(elements::Isa isa, const FindFreeTurns& function) {
  all_free_turns().add(isa, function);
}

FindFreeTurns find_free_turns(elements::Isa isa) { return all_free_turns().find(isa); }

}  // namespace crumple::constraints
