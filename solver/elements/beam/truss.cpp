// Registers the truss (ELFORM 3).
#include <algorithm>

#include "base/error.hpp"
#include "elements/beam/cross_section.hpp"
#include "elements/beam/layout.hpp"
#include "materials/muscle/muscle.hpp"

namespace crumple::elements::beam {
namespace truss {

/// The stress of a muscle follows from its length alone.
void check_muscle(const model::Section& section, const GroupParameters& group) {
  if (group.stiffness_damping != 0)
    throw Error("CR-E308", "muscles are not damped by stiffness: use DMP of *MAT_MUSCLE");
  if (section.initial_stress != 0)
    throw Error("CR-E308", "STRESS: a muscle has no initial stress but that of its length",
                {.field = "STRESS"});
}

/// A truss needs a stiffness and an area; a ramped initial stress is not supported yet.
void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  group.section = &section;
  group.n_points = 1;
  check_law(group);
  if (materials::muscle_law(group.law)) check_muscle(section, group);
  if (!(section.area > 0)) throw Error("CR-E303", "a truss needs an area A > 0", {.field = "A"});
  if (section.ramp_time != 0)
    throw Error("CR-E306", "RAMPT: ramping the initial stress of trusses is not available",
                {.field = "RAMPT"});
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  NodalShare share = beam_mass(input, group, group.section->area, 0);
  std::ranges::fill(share.inertia, 0.0);
  return share;
}

void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  ElementInput without = input;  // nothing to orient: a third node in line is no error
  without.has_orientation = false;
  initialise_beam(without, variables);
  const materials::MuscleLaw* const muscle = materials::muscle_law(group.law);
  const double stress = muscle ? muscle->stress(muscle->start, 0, 0) : group.section->initial_stress;
  variables[kPoints] = stress;
  variables[kResultants] = stress * group.section->area;
  if (!is_chain(group)) return;
  // As if it were a chain of one truss, until the first step sets the motion of all: padding keeps this.
  const double length = variables[kLength0];
  const auto extra = variables.subspan(static_cast<std::size_t>(extra_offset(group)));
  for (const int k : {ChainVariable::kLength, ChainVariable::kMidLength, ChainVariable::kStartLength})
    extra[static_cast<std::size_t>(k)] = length;
  extra[ChainVariable::kMobility] = 4 / length;
}

StateLayout layout_of(const GroupParameters& group) {
  return layout(group, is_chain(group) ? ChainVariable::kCount : 0);
}

const detail::RegisterFormulation registered({.name = "truss",
                                              .kind = model::ElementKind::beam,
                                              .elform = 3,
                                              .n_nodes = 2,
                                              .rotations = false,
                                              .cost = 0.3,
                                              .prepare = prepare,
                                              .layout = layout_of,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = nullptr});

}  // namespace truss
}  // namespace crumple::elements::beam
