// MAT_005 (*MAT_SOIL_AND_FOAM): soil or foam whose volume is crushed by pressure, with a shear strength that
// depends on the pressure (Krieg 1972; Hallquist 2006, LS-DYNA theory manual, section 22.5).
//
// Pressure p over volumetric strain e = -ln(V / V0), both positive in compression: the curve while e exceeds
// all earlier strains m, else the line p(m) - KUN (m - e), by which it unloads and loads again. Below PC,
// which is not positive, the pressure is PC and there is no shear stress. With VCR = 1 loading and unloading
// in compression follow the curve; in tension the line has KUN here, too (our reading: the manual only says
// that both paths are the same). Shear stress is returned radially to
//
//   J2 = s : s / 2 <= A0 + A1 p + A2 p^2
//
// History: m.
#pragma once

#include "materials/foam/soil_point.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/foam/soil_and_foam_fields.hpp"
#endif

CRUMPLE_LAW(SoilAndFoamLaw, {.number = 5,
                             .keyword = "MAT_SOIL_AND_FOAM",
                             .supports = {.solid = true},
                             .cost = 2,
                             .prepare = prepare_soil_and_foam})
