// The registry of a pair's functions by instruction set.
#include "contact/mortar/pair.hpp"

#include <cmath>

#include "contact/mortar/moving_pair.hpp"
#include "elements/by_isa.hpp"

namespace crumple::contact::mortar {

namespace {
elements::ByIsa<PairFunctions>& all_pair_functions() {
  static elements::ByIsa<PairFunctions> by_isa;
  return by_isa;
}
elements::ByIsa<MovingPairFunction>& all_moving_pairs() {
  static elements::ByIsa<MovingPairFunction> by_isa;
  return by_isa;
}
}  // namespace

detail::RegisterMovingPair::RegisterMovingPair(elements::Isa isa, MovingPairFunction function) {
  all_moving_pairs().add(isa, function);
}

MovingPairFunction moving_pair_function(elements::Isa isa) { return all_moving_pairs().find(isa); }

detail::RegisterPairFunctions::RegisterPairFunctions(elements::Isa isa, const PairFunctions& functions) {
  all_pair_functions().add(isa, functions);
}

const PairFunctions& pair_functions(elements::Isa isa) { return all_pair_functions().find(isa); }

std::array<Vec3, 3> axes_of(const Vec3* x, int corners) {
  const Vec3 a = corners == 4 ? x[2] - x[0] : x[1] - x[0], b = corners == 4 ? x[3] - x[1] : x[2] - x[0];
  const Vec3 n = cross(a, b), e = corners == 4 ? a - b : a;
  const Vec3 normal = (1.0 / std::sqrt(dot(n, n))) * n, first = (1.0 / std::sqrt(dot(e, e))) * e;
  return {first, cross(normal, first), normal};
}

}  // namespace crumple::contact::mortar
