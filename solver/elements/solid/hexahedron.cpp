// Registers the one-point hexahedron (ELFORM 1).
#include <string>

#include "base/error.hpp"
#include "elements/solid/degenerate.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/prepare.hpp"

namespace crumple::elements::solid {
namespace hexahedron {

void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  prepare_solid(section, group);
  group.n_points = 1;
  // Type 2 is LS-DYNA's default for solids in explicit analysis since release 3.1.
  if (group.hourglass.type == 0) group.hourglass.type = 2;
  if (group.hourglass.type < 1 || group.hourglass.type > 6)
    throw Error("CR-E202", "hourglass type " + std::to_string(group.hourglass.type) +
                               " is not available for solids; types 1 to 6 are");
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return equal_mass(hexahedron_volume(input), 8, group);
}

void initialise(const ElementInput& input, const GroupParameters&, std::span<double> variables) {
  initialise_solid(hexahedron_volume(input), variables);
}

const detail::RegisterFormulation registered({.name = "one-point hexahedron",
                                              .kind = model::ElementKind::solid,
                                              .elform = 1,
                                              .n_nodes = 8,
                                              .rotations = false,
                                              .cost = 1.0,
                                              .gives = {.energy = true},
                                              .prepare = prepare,
                                              .layout = layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = nullptr,
                                              .form = brick_form});

}  // namespace hexahedron
}  // namespace crumple::elements::solid
