// What the rest of the program knows of the fully integrated S/R hexahedron (ELFORM 2).
#include "elements/solid/full_hexahedron.hpp"

#include "elements/solid/layout.hpp"
#include "elements/solid/prepare.hpp"

namespace crumple::elements::solid {
namespace {

void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  prepare_solid(section, group);
  group.n_points = 8;
  group.hourglass.type = 0;  // every mode has its stiffness
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return equal_mass(volume_of_points<FullHexahedronShape>(input), 8, group);
}

void initialise(const ElementInput& input, const GroupParameters&, std::span<double> variables) {
  initialise_solid(volume_of_points<FullHexahedronShape>(input), variables);
}

const detail::RegisterFormulation registered({.name = "fully integrated S/R hexahedron",
                                              .kind = model::ElementKind::solid,
                                              .elform = 2,
                                              .n_nodes = 8,
                                              .rotations = false,
                                              .cost = 6.0,
                                              .prepare = prepare,
                                              .layout = layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = nullptr});

}  // namespace
}  // namespace crumple::elements::solid
