// Registers ELFORM 9, the fully integrated membrane. The kernel is in fully_integrated_membrane.hpp.
#include "elements/shell/reference_shape.hpp"

namespace crumple::elements::shell {
namespace fully_integrated_membrane {

/// Throws Error CR-E104 for an offset from the nodes.
void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare_shell(section, control, 4, group);
  prepare_membrane(group);
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return shell_mass(input, group, 4);
}

const detail::RegisterFormulation registered({.name = "fully integrated membrane",
                                              .kind = model::ElementKind::shell,
                                              .elform = 9,
                                              .n_nodes = 4,
                                              .rotations = false,
                                              .cost = 1.6,
                                              .gives = {.deformation_gradient = true, .material_axes = true},
                                              .prepare = prepare,
                                              .layout = membrane_layout,
                                              .mass = mass,
                                              .initialise = initialise_membrane,
                                              .to_global = quad_to_global,
                                              .layers = 1,
                                              .form = membrane_form});

}  // namespace fully_integrated_membrane
}  // namespace crumple::elements::shell
