// The registry of the passes over ties, by instruction set.
#include "contact/tied/tie_passes.hpp"

#include "elements/by_isa.hpp"

namespace crumple::contact {

namespace {
elements::ByIsa<TiePasses>& all_tie_passes() {
  static elements::ByIsa<TiePasses> by_isa;
  return by_isa;
}
}  // namespace

detail::RegisterTiePasses::RegisterTiePasses(elements::Isa isa, const TiePasses& passes) {
  all_tie_passes().add(isa, passes);
}

const TiePasses& tie_passes(elements::Isa isa) { return all_tie_passes().find(isa); }

}  // namespace crumple::contact
