// Registers ELFORM 2, the Belytschko-Tsay shell, and 10, the same with warping terms
// (Belytschko-Wong-Chiang). The kernel is in belytschko_tsay.hpp.
#include "elements/shell/state.hpp"

namespace crumple::elements::shell {
namespace belytschko_tsay {

void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare_shell(section, control, 1, group);
}

void prepare_warping(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare(section, control, group);
  group.bwc = 1;
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return shell_mass(input, group, 4);
}

void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  initialise_shell(input, group, 4, variables);
}

const detail::RegisterFormulation registered({.name = "Belytschko-Tsay",
                                              .kind = model::ElementKind::shell,
                                              .elform = 2,
                                              .n_nodes = 4,
                                              .rotations = true,
                                              .cost = 1.0,
                                              .prepare = prepare,
                                              .layout = shell_layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = quad_to_global,
                                              .form = quad_or_triangle});

const detail::RegisterFormulation registered_warping({.name = "Belytschko-Wong-Chiang",
                                                      .kind = model::ElementKind::shell,
                                                      .elform = 10,
                                                      .n_nodes = 4,
                                                      .rotations = true,
                                                      .cost = 1.2,
                                                      .prepare = prepare_warping,
                                                      .layout = shell_layout,
                                                      .mass = mass,
                                                      .initialise = initialise,
                                                      .to_global = quad_to_global,
                                                      .form = quad_or_triangle});

}  // namespace belytschko_tsay
}  // namespace crumple::elements::shell
