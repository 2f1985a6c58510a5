// MAT_024 (*MAT_PIECEWISE_LINEAR_PLASTICITY): J2 plasticity with a curve or table of flow stress.
//
// Flow stress over plastic strain, the first that is given: LCSS (a curve, or a table over strain rate,
// linear between rates or, if the first is negative, in their logarithms); EPS1-8, ES1-8; SIGY with ETAN.
// Linear between points, and extrapolated linearly (never decreasing beyond the last). Strain rate effects,
// the first that is given: a table; LCSR, a factor over strain rate; C and P (Cowper and Symonds 1957). VP =
// 0 uses the rate of total strain, -1 that of its deviator; both scale the flow stress. VP = 1 uses the rate
// of plastic strain inside the return, and with C, P and SIGY > 0 adds SIGY (rate / C)^(1 / P). FAIL is the
// plastic strain at which a point fails. State: plastic strain. The update is the engine's
// (j2_plasticity.hpp).
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

#ifdef CRUMPLE_COMPILES_UPDATES
namespace crumple::materials {
inline namespace CRUMPLE_ISA {
CRUMPLE_J2_UPDATES()
}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
#endif

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/plasticity/piecewise_linear_fields.hpp"
#endif

CRUMPLE_LAW(J2Law, {.number = 24,
                    .keyword = "MAT_PIECEWISE_LINEAR_PLASTICITY",
                    .supports = {.solid = true, .shell = true, .beam = true},
                    .elastic_fields = true,
                    .prepare = prepare_piecewise_linear})
