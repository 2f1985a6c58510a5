// Registers ELFORM 5, the Belytschko-Tsay membrane. The kernel is in belytschko_tsay_membrane.hpp.
#include "base/error.hpp"
#include "elements/shell/state.hpp"

namespace crumple::elements::shell {
namespace belytschko_tsay_membrane {

/// Throws Error CR-E104 for an offset from the nodes.
void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare_shell(section, control, 1, group);
  group.drilling = 0;  // nothing rotates
  if (section.nloc != 0 || group.own_offsets)
    throw Error("CR-E104", "a membrane with an offset: without moments it cannot be held beside its nodes",
                {.field = "NLOC"});
}

/// Nodes have the inertia of a shell's, though the element does not turn them: ties and moments may.
NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return shell_mass(input, group, 4);
}

void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  initialise_shell(input, group, 4, variables);
}

/// A triangle is a membrane, too: its last corner is there twice.
Form form(std::span<const LocalId> corners, int elform) {
  std::vector<LocalId> of_triangle = triangle_corners(corners);
  if (of_triangle.empty()) return {elform, {corners.begin(), corners.end()}};
  of_triangle.push_back(of_triangle.back());
  return {elform, std::move(of_triangle)};
}

const detail::RegisterFormulation registered({.name = "Belytschko-Tsay membrane",
                                              .kind = model::ElementKind::shell,
                                              .elform = 5,
                                              .n_nodes = 4,
                                              .rotations = false,
                                              .cost = 0.6,
                                              .prepare = prepare,
                                              .layout = shell_layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = quad_to_global,
                                              .layers = 1,
                                              .form = form});

}  // namespace belytschko_tsay_membrane
}  // namespace crumple::elements::shell
