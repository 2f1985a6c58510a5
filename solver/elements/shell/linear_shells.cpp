// Registers the shells for linear analysis: ELFORM 18, discrete Kirchhoff (kirchhoff_strains.hpp), and 20,
// assumed strains, which is ELFORM -16 (fully_integrated.hpp) at small displacements, and the same at large
// ones.
//
// Error ids: CR-E107 a run with explicit cycles, or a law that is not linear.
#include <fmt/format.h>

#include "base/error.hpp"
#include "elements/shell/state.hpp"
#include "model/control.hpp"

namespace crumple::elements::shell {
namespace linear_shells {

/// Bending of the Kirchhoff plate has no stable step of its own.
void check(const model::Section& section, const model::Control& control, const GroupParameters& group) {
  if (!control.implicit.active || control.has_phases())
    throw Error("CR-E107", fmt::format("shells of ELFORM {} are for implicit analysis only, and this run has "
                                       "explicit cycles; use ELFORM -16",
                                       section.elform));
  if (!group.law.row->linear || group.law.criteria >= 0 || group.law.damage >= 0 || group.n_history > 0)
    throw Error("CR-E107",
                fmt::format("shells of ELFORM {} are linear: MAT_ELASTIC only, without *MAT_ADD_...; use "
                            "ELFORM -16",
                            section.elform));
}

void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare_shell(section, control, 4, group);
  check(section, control, group);
  group.hourglass.type = 8;  // of ELFORM 20: the warping terms
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
          .cost = 3.4,
          .prepare = prepare,
          .layout = shell_layout,
          .mass = mass,
          .initialise = initialise,
          .to_global = quad_to_global,
          .form = quad_or_triangle};
}

const detail::RegisterFormulation registered_kirchhoff(formulation("linear, discrete Kirchhoff", 18));
const detail::RegisterFormulation registered_assumed(formulation("linear, assumed strains", 20));

}  // namespace linear_shells
}  // namespace crumple::elements::shell
