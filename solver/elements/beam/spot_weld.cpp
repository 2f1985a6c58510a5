// Registers the spot weld beam (ELFORM 9).
#include "base/error.hpp"
#include "elements/beam/cross_section.hpp"
#include "elements/beam/formulation.hpp"
#include "elements/beam/layout.hpp"

namespace crumple::elements::beam {
namespace spot_weld {

/// Only the law of welds has the limits that the kernel uses.
void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  group.section = &section;
  group.n_points = cross_section(section).n;
  group.shear_factor = section.shear_factor > 0 ? section.shear_factor : 1.0;
  check_law(group);
  if (!group.law.row->spot_weld || group.law.criteria >= 0)
    throw Error("CR-E305", "a spot weld beam (ELFORM 9) takes MAT_SPOTWELD only; use ELFORM 1");
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  const CrossSection section = cross_section(*group.section);
  return beam_mass(input, group, section.total_area, section.largest());
}

const detail::RegisterFormulation registered(beam_formulation<kSpotWeldVariables>("spot weld beam", 9, 1.0,
                                                                                  prepare, mass));

}  // namespace spot_weld
}  // namespace crumple::elements::beam
