// Registers the Hughes-Liu beam (ELFORM 1).
#include "base/error.hpp"
#include "elements/beam/cross_section.hpp"
#include "elements/beam/formulation.hpp"
#include "elements/beam/layout.hpp"

namespace crumple::elements::beam {
namespace hughes_liu {

void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  group.section = &section;
  group.n_points = cross_section(section).n;
  group.shear_factor = section.shear_factor > 0 ? section.shear_factor : 1.0;
  check_law(group);
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  const CrossSection section = cross_section(*group.section);
  return beam_mass(input, group, section.total_area, section.largest());
}

const detail::RegisterFormulation registered(beam_formulation<0>("Hughes-Liu beam", 1, 1.0, prepare, mass));

}  // namespace hughes_liu
}  // namespace crumple::elements::beam
