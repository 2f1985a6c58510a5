// Registers ELFORM 4, the C0 triangular shell. The kernel is in c0_triangle.hpp.
#include "elements/shell/state.hpp"

namespace crumple::elements::shell {
namespace c0_triangle {

void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare_shell(section, control, 1, group);
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return shell_mass(input, group, 3);
}

void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  initialise_shell(input, group, 3, variables);
}

const detail::RegisterFormulation registered({.name = "C0 triangle",
                                              .kind = model::ElementKind::shell,
                                              .elform = 4,
                                              .n_nodes = 3,
                                              .rotations = true,
                                              .cost = 0.8,
                                              .prepare = prepare,
                                              .layout = shell_layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = triangle_to_global,
                                              .form = quad_or_triangle});

}  // namespace c0_triangle
}  // namespace crumple::elements::shell
