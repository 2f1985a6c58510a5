// Checks and initial state that all solid formulations share.
#include "elements/solid/prepare.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/error.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/solid/layout.hpp"

namespace crumple::elements::solid {

void prepare_solid(const model::Section&, GroupParameters& group) {
  if (!(group.bulk > 0) || !(group.density > 0))
    throw Error("CR-E203", "a solid needs a material with positive density and bulk modulus");
}

double hexahedron_volume(const ElementInput& input) {
  double x[8][3], b[8][3];
  for (int a = 0; a < 8; ++a)  // relative to the first node: no cancellation far from the origin
    for (int i = 0; i < 3; ++i) x[a][i] = input.x[a][i] - input.x[0][i];
  hexahedron_gradient(x, b);
  return volume_of(x, b);
}

NodalShare equal_mass(double volume, int n_nodes, const GroupParameters& group) {
  NodalShare share;
  for (int a = 0; a < n_nodes; ++a) share.mass[a] = group.density * volume / n_nodes;
  return share;
}

void initialise_solid(double volume, std::span<double> variables) {
  if (!(volume > 0)) {
    std::ostringstream message;
    message << "the element has the initial volume " << volume << "; it must be positive (node order?)";
    throw Error("CR-E201", message.str());
  }
  std::ranges::fill(variables, 0.0);
  variables[kVolume0] = volume;
  variables[kLength] = std::cbrt(volume);
}

}  // namespace crumple::elements::solid
