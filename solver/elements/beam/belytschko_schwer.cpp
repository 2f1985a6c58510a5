// Registers the Belytschko-Schwer beam (ELFORM 2) and the same element as a Timoshenko beam (ELFORM 13),
// whose stiffness is exact at small displacements.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "elements/beam/cross_section.hpp"
#include "elements/beam/formulation.hpp"
#include "elements/beam/layout.hpp"

namespace crumple::elements::beam {
namespace belytschko_schwer {

/// Resultants are elastic: plastic laws need one made for resultants (MAT_028, MAT_029), which is not
/// supported.
void prepare(const model::Section& section, const model::Control&, GroupParameters& group) {
  group.section = &section;
  group.n_points = 1;
  check_law(group);
  if (!group.law.row->linear || group.law.criteria >= 0)
    throw Error("CR-E305",
                fmt::format("a beam of ELFORM {} takes MAT_ELASTIC only; use ELFORM 1", section.elform));
  if (!(section.area > 0 && section.iss > 0 && section.itt > 0))
    throw Error("CR-E303", fmt::format("a beam of ELFORM {} needs A, ISS and ITT > 0", section.elform),
                {.field = "A"});
  if (section.elform == 13 && !(section.shear_area > 0))
    throw Error("CR-E303", "a Timoshenko beam (ELFORM 13) needs its shear area SA > 0", {.field = "SA"});
}

NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  const model::Section& section = *group.section;
  return beam_mass(input, group, section.area, std::max(section.iss, section.itt));
}

const detail::RegisterFormulation registered(beam_formulation<4>("Belytschko-Schwer beam", 2, 0.7, prepare,
                                                                 mass));
const detail::RegisterFormulation registered_timoshenko(beam_formulation<4>("Timoshenko beam", 13, 0.7,
                                                                            prepare, mass));

}  // namespace belytschko_schwer
}  // namespace crumple::elements::beam
