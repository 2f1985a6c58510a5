// Registers smooth particles (*SECTION_SPH).
//
// Error ids: CR-E203 law without a stiffness, CR-E206 stiffness damping.
#include "base/error.hpp"
#include "elements/particle/layout.hpp"
#include "model/control.hpp"

namespace crumple::elements::particle {
namespace {

void prepare(const model::Section& section, const model::Control& control, GroupParameters& group) {
  if (!(group.bulk > 0) || !(group.density > 0))
    throw Error("CR-E203", "an SPH particle needs a material with positive density and bulk modulus");
  if (group.stiffness_damping != 0)
    throw Error("CR-E206", "SPH particles have no stiffness damping (*DAMPING_PART_STIFFNESS)");
  group.n_points = 1;
  group.least_length = section.sph.least;
  group.most_length = section.sph.most;
  group.solid_viscosity = control.sph.solid_viscosity;
  group.erodes = control.sph.erodes;
}

StateLayout layout(const GroupParameters& group) {
  StateLayout l;
  l.n_vars = n_variables(group);
  l.stress = kPoint;
  l.plastic_strain = kPoint + 6;
  l.history = kPoint + kPointHistory;
  l.point_stride = kPointHistory + group.n_history;
  l.n_points = 1;
  return l;
}

/// ElementInput::scale is the mass, `offset` the smoothing length.
NodalShare mass(const ElementInput& input, const GroupParameters&) {
  NodalShare share;
  share.mass[0] = input.scale;
  return share;
}

void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  variables[kVolume0] = input.scale / group.density;
  variables[kRatio] = 1.0;
  variables[kLength] = variables[kLength0] = input.offset;
}

// The cost is that of a particle with sixty neighbours, and is to be measured.
const detail::RegisterFormulation registered({.name = "SPH particle",
                                              .kind = model::ElementKind::sph,
                                              .elform = 0,
                                              .n_nodes = 1,
                                              .rotations = false,
                                              .cost = 8.0,
                                              .gives = {.energy = true},
                                              .prepare = prepare,
                                              .layout = layout,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = nullptr});

}  // namespace
}  // namespace crumple::elements::particle
