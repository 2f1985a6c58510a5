// Registers the thick shells with layers of solid points (*SECTION_TSHELL, ELFORM 3, 5 and 7).
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "elements/kernel.hpp"
#include "elements/shell/state.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/prepare.hpp"
#include "model/section.hpp"

namespace crumple::elements::thick_shell {
namespace {

/// Shares of the layers in the transverse shear strain, over its mean: 1 and the root of SHRF for a constant
/// one; for a parabola a (1 - zeta^2), whose square has the mean 5/6 over the points.
void set_shears(const model::Section& section, GroupParameters& group) {
  double mean = 0;
  for (Layer& layer : group.layers) {
    layer.shear = section.parabolic_shear ? 1 - layer.zeta * layer.zeta : 1.0;
    mean += 0.5 * layer.weight * layer.shear * layer.shear;
  }
  const double wanted = section.parabolic_shear ? 5.0 / 6 : section.shear_factor;
  for (Layer& layer : group.layers) layer.shear *= std::sqrt(wanted / mean);
}

template <int columns>
void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  solid::prepare_solid(section, group);
  const int layers = section.nip;
  if (layers < 2)
    throw Error("CR-E101",
                "a thick shell needs two points through the thickness or more: one has no bending stiffness");
  double zeta[kMaxThroughThickness] = {}, weight[kMaxThroughThickness] = {};
  shell::quadrature(section.quadrature, layers, zeta, weight);
  group.layers.clear();
  for (int k = 0; k < layers; ++k) group.layers.push_back({group.law, zeta[k], weight[k]});
  set_shears(section, group);
  group.n_points = columns * layers;
  group.n_history += 1;      // the volume of the point
  group.hourglass.type = 6;  // its stresses are in the state
  group.hourglass.q1 = group.hourglass.q2 = 0;
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return solid::equal_mass(solid::hexahedron_volume(input), 8, group);
}

void initialise(const ElementInput& input, const GroupParameters&, std::span<double> variables) {
  solid::initialise_solid(solid::hexahedron_volume(input), variables);
}

template <int columns>
Formulation formulation(const char* name, int elform, double cost) {
  return {.name = name,
          .kind = model::ElementKind::solid,
          .elform = model::kThickShells + elform,
          .n_nodes = 8,
          .rotations = false,
          .cost = cost,
          .prepare = prepare<columns>,
          .layout = solid::layout,
          .mass = mass,
          .initialise = initialise};
}

const detail::RegisterFormulation one(formulation<1>("one-point thick shell", 5, 2.0));
const detail::RegisterFormulation four(formulation<4>("2 x 2 thick shell", 3, 5.0));
const detail::RegisterFormulation also_four(formulation<4>("2 x 2 thick shell", 7, 5.0));

}  // namespace
}  // namespace crumple::elements::thick_shell
