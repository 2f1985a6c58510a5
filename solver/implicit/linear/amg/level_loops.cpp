// The registry of the loops over rows, by instruction set.
#include "implicit/linear/amg/level_loops.hpp"

#include "elements/by_isa.hpp"

namespace crumple::implicit::linear::amg {

namespace {
elements::ByIsa<LevelLoops>& loops_by_isa() {
  static elements::ByIsa<LevelLoops> by_isa;
  return by_isa;
}
}  // namespace

detail::RegisterLevelLoops::RegisterLevelLoops(elements::Isa isa, const LevelLoops& loops) {
  loops_by_isa().add(isa, loops);
}

const LevelLoops& level_loops(elements::Isa isa) { return loops_by_isa().find(isa); }

}  // namespace crumple::implicit::linear::amg
