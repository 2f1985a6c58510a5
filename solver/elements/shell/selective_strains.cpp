// Registers ELFORM 6 and 7, Hughes-Liu shells with selectively reduced integration. The kernel is in
// selective_strains.hpp.
#include "elements/shell/state.hpp"

namespace crumple::elements::shell {
namespace selective {

void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare_shell(section, control, 4, group);
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  return shell_mass(input, group, 4);
}

void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  initialise_shell(input, group, 4, variables);
}

Formulation formulation(const char* name, int elform) {
  return {.name = name,
          .kind = model::ElementKind::shell,
          .elform = elform,
          .n_nodes = 4,
          .rotations = true,
          .cost = 2.9,
          .prepare = prepare,
          .layout = shell_layout,
          .mass = mass,
          .initialise = initialise,
          .to_global = quad_to_global,
          .form = quad_or_triangle};
}

const detail::RegisterFormulation registered(formulation("S/R Hughes-Liu", 6));
const detail::RegisterFormulation registered_corotational(formulation("S/R co-rotational Hughes-Liu", 7));

}  // namespace selective
}  // namespace crumple::elements::shell
