// Registers ELFORM 2, the Belytschko-Tsay shell, and 10, the same with warping terms
// (Belytschko-Wong-Chiang). The kernel is in belytschko_tsay.hpp.
//
// ELFORM 1 and 11 are the degenerated shells of Hughes and Liu (1981) with one point in the plane, 11 in a
// frame that moves with the element. A point at height z is at x + z p and moves with v + w x z p, p the
// fiber of the node: that is the assumption from which the terms of ELFORM 10 follow (warping.hpp), with the
// normals at the nodes as fibers. So all three have one kernel.
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

Formulation hughes_liu(const char* name, int elform) {
  return {.name = name,
          .kind = model::ElementKind::shell,
          .elform = elform,
          .n_nodes = 4,
          .rotations = true,
          .cost = 1.2,
          .prepare = prepare_warping,
          .layout = shell_layout,
          .mass = mass,
          .initialise = initialise,
          .to_global = quad_to_global,
          .form = quad_or_triangle};
}

const detail::RegisterFormulation registered_hughes_liu(hughes_liu("Hughes-Liu", 1));
const detail::RegisterFormulation registered_fast_hughes_liu(hughes_liu("fast co-rotational Hughes-Liu", 11));

}  // namespace belytschko_tsay
}  // namespace crumple::elements::shell
