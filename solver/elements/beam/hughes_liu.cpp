// What the rest of the program knows of the Hughes-Liu beam (ELFORM 1).
#include <algorithm>

#include "base/error.hpp"
#include "elements/beam/cross_section.hpp"
#include "elements/beam/layout.hpp"

namespace crumple::elements::beam {
namespace {

void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  group.section = &section;
  group.n_points = cross_section(section).n;
  group.shear_factor = section.shear_factor > 0 ? section.shear_factor : 1.0;
  check_law(group);
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  const CrossSection section = cross_section(*group.section);
  return beam_mass(input, group, section.total_area, std::max(section.i_ss, section.i_tt));
}

void initialise(const ElementInput& input, const GroupParameters&, std::span<double> variables) {
  initialise_beam(input, variables);
}

StateLayout layout_of(const GroupParameters& group) { return layout(group, 0); }

const detail::RegisterFormulation registered({.name = "Hughes-Liu beam",
                                              .kind = model::ElementKind::beam,
                                              .elform = 1,
                                              .n_nodes = 2,
                                              .rotations = true,
                                              .cost = 1.0,
                                              .prepare = prepare,
                                              .layout = layout_of,
                                              .mass = mass,
                                              .initialise = initialise,
                                              .to_global = nullptr});

}  // namespace
}  // namespace crumple::elements::beam
