// Registers the hexahedron with enhanced strains (ELFORM 18).
//
// Error ids: CR-E210 a run with explicit cycles, or a law that is not linear in this run.
#include <fmt/format.h>

#include "base/error.hpp"
#include "elements/solid/degenerate.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/prepare.hpp"
#include "materials/metal/elastic_until_yield.hpp"
#include "materials/row.hpp"
#include "model/control.hpp"

namespace crumple::elements::solid {
namespace enhanced_strain {

/// Whether the law is Hooke's in all of this run. A run of modes alone makes no step, and its vibrations are
/// too small to yield: there metals are elastic. Laws that are wrapped, such as by thermal expansion, are not
/// taken.
bool is_linear(const GroupParameters& group, const model::Control& control) {
  const materials::Row& row = *group.law.row;
  if (group.law.criteria >= 0 || group.law.damage >= 0) return false;
  if (row.linear) return group.n_history == 0;
  const bool modes_alone = control.implicit.whole && control.implicit.eigenvalues.count > 0;
  return modes_alone && materials::is_elastic_until_yield(row.number) && group.law.updates == row.updates;
}

/// The added strains follow from Hooke's law, and have neither mass nor a stable step of their own.
void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  prepare_solid(section, group);
  if (!control.implicit.active || control.has_phases())
    throw Error("CR-E210",
                "solids of ELFORM 18 (enhanced strains) are for implicit analysis only, and this run has "
                "explicit cycles; use ELFORM -1");
  if (!is_linear(group, control))
    throw Error(
        "CR-E210",
        "solids of ELFORM 18 (enhanced strains) are linear: MAT_ELASTIC only, or in a run of modes "
        "alone (NEIG > 0) a metal that is elastic until it yields, without *MAT_ADD_...; use ELFORM -1");
  group.n_points = 8;
  group.hourglass.type = 0;  // every mode has its stiffness
}

const detail::RegisterFormulation registered(
    {.name = "hexahedron with enhanced strains",
     .kind = model::ElementKind::solid,
     .elform = 18,
     .n_nodes = 8,
     .rotations = false,
     .cost = 8.0,
     .prepare = prepare,
     .layout = layout,
     .mass = [](const ElementInput& input,
                const GroupParameters& group) { return equal_mass(hexahedron_volume(input), 8, group); },
     .initialise = [](const ElementInput& input, const GroupParameters&,
                      std::span<double> variables) { initialise_solid(hexahedron_volume(input), variables); },
     .to_global = nullptr,
     .form = brick_form});

}  // namespace enhanced_strain
}  // namespace crumple::elements::solid
