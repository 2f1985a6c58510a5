// Registers ELFORM 5, the Belytschko-Tsay membrane. The kernel is in belytschko_tsay_membrane.hpp.
#include "elements/shell/reference_shape.hpp"

namespace crumple::elements::shell {
namespace belytschko_tsay_membrane {

/// Throws Error CR-E104 for an offset from the nodes.
void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare_shell(section, control, 1, group);
  prepare_membrane(group);
}

/// Nodes have the inertia of a shell's, though the element does not turn them: ties and moments may.
NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return shell_mass(input, group, 4);
}

const detail::RegisterFormulation registered({.name = "Belytschko-Tsay membrane",
                                              .kind = model::ElementKind::shell,
                                              .elform = 5,
                                              .n_nodes = 4,
                                              .rotations = false,
                                              .cost = 0.6,
                                              .gives = {.deformation_gradient = true, .material_axes = true},
                                              .prepare = prepare,
                                              .layout = membrane_layout,
                                              .mass = mass,
                                              .initialise = initialise_membrane,
                                              .to_global = quad_to_global,
                                              .layers = 1,
                                              .form = membrane_form});

}  // namespace belytschko_tsay_membrane
}  // namespace crumple::elements::shell
