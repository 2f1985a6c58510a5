// Registers ELFORM 16, the fully integrated shell, and -16, the same with the warping terms for every
// hourglass type. The kernel is in fully_integrated.hpp.
#include "elements/shell/state.hpp"

namespace crumple::elements::shell {
namespace fully_integrated {

void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare_shell(section, control, 4, group);
}

void prepare_accurate(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare(section, control, group);
  group.hourglass.type = 8;
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return shell_mass(input, group, 4);
}

void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  initialise_shell(input, group, 4, variables);
}

const detail::RegisterFormulation registered({.name = "fully integrated",
                                              .kind = model::ElementKind::shell,
                                              .elform = 16,
                                              .n_nodes = 4,
                                              .rotations = true,
                                              .cost = 3.0,
                                              .prepare = prepare,
                                              .layout = shell_layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = quad_to_global,
                                              .form = quad_or_triangle});

const detail::RegisterFormulation registered_accurate({.name = "fully integrated, accurate when warped",
                                                       .kind = model::ElementKind::shell,
                                                       .elform = -16,
                                                       .n_nodes = 4,
                                                       .rotations = true,
                                                       .cost = 3.4,
                                                       .prepare = prepare_accurate,
                                                       .layout = shell_layout,
                                                       .mass = mass,
                                                       .initialise = initialise,
                                                       .to_global = quad_to_global,
                                                       .form = quad_or_triangle});

}  // namespace fully_integrated
}  // namespace crumple::elements::shell
