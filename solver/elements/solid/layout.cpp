// Layout of the state variables of solid elements.
#include "elements/solid/layout.hpp"

namespace crumple::elements::solid {

StateLayout layout(const GroupParameters& group) {
  StateLayout l;
  l.n_vars = n_variables(group);
  l.stress = kPoints;
  l.plastic_strain = kPoints + 6;
  l.history = kPoints + kHistory;
  l.point_stride = point_stride(group);
  l.n_points = group.n_points;
  return l;
}

}  // namespace crumple::elements::solid
