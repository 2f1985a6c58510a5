// Areas of faces and beams of cross sections.
#include "explicit/section_patches.hpp"

#include <algorithm>

#include "elements/beam/cross_section.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;

const std::vector<LocalId>& elements_of(const model::CrossSection& section, ElementKind kind) {
  static const std::vector<LocalId> kNothing;
  switch (kind) {
    case ElementKind::shell:
      return section.shells;
    case ElementKind::solid:
      return section.solids;
    case ElementKind::beam:
      return section.beams;
    case ElementKind::discrete:
      return section.discretes;
    case ElementKind::sph:
    case ElementKind::none:
      break;
  }
  return kNothing;
}

double beam_area(const model::Section& section) {
  const int form = section.elform;
  const bool integrated = form == 1 || form == 4 || form == 5 || form == 9;
  return integrated ? elements::beam::cross_section(section).total_area : section.area;
}

SectionPatch face_patch(std::span<const Vec3> x) {
  SectionPatch patch;
  for (const Vec3& corner : x) patch.centre += corner;
  patch.centre *= 1.0 / static_cast<double>(x.size());
  patch.area = 0.5 * norm(cross(x[1] - x[0], x[2] - x[0]));
  if (x.size() == 4)
    patch.area = 0.5 * std::max({norm(cross(x[1] - x[0], x[3] - x[2])), norm(cross(x[2] - x[0], x[3] - x[1])),
                                 norm(cross(x[3] - x[0], x[2] - x[1]))});
  return patch;
}

}  // namespace crumple::explicit_dynamics
