// What the rest of the program knows of the one-point tetrahedron (ELFORM 10).
#include "elements/solid/tetrahedron.hpp"

#include "elements/solid/layout.hpp"
#include "elements/solid/prepare.hpp"

namespace crumple::elements::solid {
namespace {

void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  prepare_solid(section, group);
  group.n_points = 1;
  group.hourglass.type = 0;  // every mode has its stiffness
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return equal_mass(volume_of_points<TetrahedronShape>(input), 4, group);
}

void initialise(const ElementInput& input, const GroupParameters&, std::span<double> variables) {
  initialise_solid(volume_of_points<TetrahedronShape>(input), variables);
}

const detail::RegisterFormulation registered({.name = "one-point tetrahedron",
                                              .kind = model::ElementKind::solid,
                                              .elform = 10,
                                              .n_nodes = 4,
                                              .rotations = false,
                                              .cost = 0.6,
                                              .prepare = prepare,
                                              .layout = layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = nullptr});

}  // namespace
}  // namespace crumple::elements::solid
