// What element kernels call: the stress update of any law by its number, one switch made from laws.def.
//
//   materials::update_solid(group.law_number, group.law, point);
//
// A new law is a header included here and a line in laws.def; nothing outside materials/ changes.
#pragma once

#include "materials/add_erosion.hpp"
#include "materials/elastic.hpp"
#include "materials/isotropic_elastic_plastic.hpp"
#include "materials/law.hpp"
#include "materials/modified_piecewise_linear_plasticity.hpp"
#include "materials/mooney_rivlin.hpp"
#include "materials/null.hpp"
#include "materials/piecewise_linear_plasticity.hpp"
#include "materials/plastic_kinematic.hpp"
#include "materials/plasticity_with_damage.hpp"
#include "materials/rigid.hpp"
#include "materials/simplified_johnson_cook.hpp"
#include "materials/spot_weld.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

// The law is the same for all lanes and for all elements of a group, so the switch is predicted. An
// unknown number cannot come here: `prepare` refuses it. Laws stay functions of their own (noinline) where
// kernels take in all else that they call (elements/kernel.hpp).

/// Stress, history and plastic strain of W solid points at the end of a step.
template <class V>
[[gnu::noinline]] void update_solid(int law, const void* parameters, SolidPoint<V>& point) {
  switch (law) {
#define CRUMPLE_LAW(NUMBER, PARAMETERS, PREPARE)                      \
  case NUMBER:                                                        \
    update_solid(*static_cast<const PARAMETERS*>(parameters), point); \
    break;
#include "materials/laws.def"
#undef CRUMPLE_LAW
    case kErosion: {
      const auto& erosion = *static_cast<const ErosionLaw*>(parameters);
      erode_solid(erosion, point, [&] { update_solid(erosion.law, erosion.parameters, point); });
    }
  }
}

/// The same in plane stress; also finds the thickness strain d[2].
template <class V>
void update_shell(int law, const void* parameters, ShellPoint<V>& point) {
  switch (law) {
#define CRUMPLE_LAW(NUMBER, PARAMETERS, PREPARE)                      \
  case NUMBER:                                                        \
    update_shell(*static_cast<const PARAMETERS*>(parameters), point); \
    break;
#include "materials/laws.def"
#undef CRUMPLE_LAW
    case kErosion: {
      const auto& erosion = *static_cast<const ErosionLaw*>(parameters);
      erode_shell(erosion, point, [&] { update_shell(erosion.law, erosion.parameters, point); });
    }
  }
}

/// The same for a beam fibre.
template <class V>
[[gnu::noinline]] void update_beam(int law, const void* parameters, BeamPoint<V>& point) {
  switch (law) {
#define CRUMPLE_LAW(NUMBER, PARAMETERS, PREPARE)                     \
  case NUMBER:                                                       \
    update_beam(*static_cast<const PARAMETERS*>(parameters), point); \
    break;
#include "materials/laws.def"
#undef CRUMPLE_LAW
    case kErosion: {
      const auto& erosion = *static_cast<const ErosionLaw*>(parameters);
      erode_beam(erosion, point, [&] { update_beam(erosion.law, erosion.parameters, point); });
    }
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
