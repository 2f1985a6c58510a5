// The registry of tangents by kind and number, and the parameters of a static step.
#include "elements/tangent.hpp"

#include <map>
#include <tuple>

namespace crumple::elements {

namespace {

// Filled before main by the registration lines, read-only afterwards.
std::map<std::tuple<Isa, model::ElementKind, int>, Tangent>& tangent_map() {
  static std::map<std::tuple<Isa, model::ElementKind, int>, Tangent> map;
  return map;
}

}  // namespace

namespace detail {
RegisterTangent::RegisterTangent(Isa isa, model::ElementKind kind, int elform, Tangent tangent) {
  tangent_map()[{isa, kind, elform}] = tangent;
}
}  // namespace detail

Tangent find_tangent(Isa isa, model::ElementKind kind, int elform) {
  const auto it = tangent_map().find({isa, kind, elform});
  return it == tangent_map().end() ? nullptr : it->second;
}

GroupParameters static_parameters(const GroupParameters& group) {
  constexpr int kFirstStiffnessType = 4;
  GroupParameters p = group;
  p.stiffness_damping = 0;
  p.turns_far = true;
  p.hourglass.q1 = p.hourglass.q2 = 0;
  if (p.hourglass.type < kFirstStiffnessType) p.hourglass.qm = p.hourglass.qb = p.hourglass.qw = 0;
  return p;
}

}  // namespace crumple::elements
