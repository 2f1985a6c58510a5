// What the rest of the program knows of the two-point pentahedron (ELFORM 15).
#include "elements/solid/pentahedron.hpp"

#include "elements/solid/layout.hpp"
#include "elements/solid/prepare.hpp"

namespace crumple::elements::solid {
namespace {

void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  prepare_solid(section, group);
  group.n_points = 2;
  group.hourglass.type = 0;
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return equal_mass(volume_of_points<PentahedronShape>(input), 6, group);
}

void initialise(const ElementInput& input, const GroupParameters&, std::span<double> variables) {
  initialise_solid(volume_of_points<PentahedronShape>(input), variables);
}

const detail::RegisterFormulation registered({.name = "two-point pentahedron",
                                              .kind = model::ElementKind::solid,
                                              .elform = 15,
                                              .n_nodes = 6,
                                              .rotations = false,
                                              .cost = 1.3,
                                              .prepare = prepare,
                                              .layout = layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = nullptr});

}  // namespace
}  // namespace crumple::elements::solid
