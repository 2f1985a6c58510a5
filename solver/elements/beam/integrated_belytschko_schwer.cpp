// Registers the Belytschko-Schwer beams with integrated cross-sections (ELFORM 4 and 5).
#include <fmt/format.h>

#include "base/error.hpp"
#include "elements/beam/cross_section.hpp"
#include "elements/beam/formulation.hpp"
#include "elements/beam/layout.hpp"

namespace crumple::elements::beam {
namespace integrated_belytschko_schwer {

/// The stretch is uniform along the beam, the curvature is not: about an axis off the centroid they would
/// resist each other.
void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  group.section = &section;
  const CrossSection points = cross_section(section);
  group.n_points = kStations * points.n;
  check_law(group);
  if (points.has_offset)
    throw Error("CR-E304",
                fmt::format("a beam of ELFORM {} has its nodes at the centroid of its "
                            "cross-section, and the points of *INTEGRATION_BEAM are not around it; "
                            "use ELFORM 1",
                            section.elform));
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  const CrossSection section = cross_section(*group.section);
  return beam_mass(input, group, section.total_area, section.largest());
}

const detail::RegisterFormulation registered(beam_formulation<4>("integrated Belytschko-Schwer beam", 4, 2.6,
                                                                 prepare, mass));
const detail::RegisterFormulation registered_tube(
    beam_formulation<4>("integrated tubular Belytschko-Schwer beam", 5, 2.6, prepare, mass));

}  // namespace integrated_belytschko_schwer
}  // namespace crumple::elements::beam
