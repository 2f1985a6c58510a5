// Registers the hexahedron with assumed strains (ELFORM -1 and -2).
#include "elements/solid/assumed_strain_hexahedron.hpp"

#include "elements/solid/degenerate.hpp"
#include "elements/solid/prepare.hpp"

namespace crumple::elements::solid {
namespace {

void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  prepare_solid(section, group);
  group.n_points = 8;
  group.hourglass.type = 0;  // every mode has its stiffness
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return equal_mass(hexahedron_volume(input), 8, group);
}

void initialise(const ElementInput& input, const GroupParameters&, std::span<double> variables) {
  initialise_solid(hexahedron_volume(input), variables);
}

Formulation formulation(int elform) {
  return {.name = "assumed strain hexahedron",
          .kind = model::ElementKind::solid,
          .elform = elform,
          .n_nodes = 8,
          .rotations = false,
          .cost = 4.5,
          .prepare = prepare,
          .layout = layout,
          .mass = mass,
          .initialise = initialise,
          .to_global = nullptr,
          .form = brick_form};
}

const detail::RegisterFormulation efficient(formulation(-1));
const detail::RegisterFormulation accurate(formulation(-2));

}  // namespace
}  // namespace crumple::elements::solid
