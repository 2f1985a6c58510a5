// MAT_133 (*MAT_BARLAT_YLD2000): rolled sheets by the yield function Yld2000-2d, in shells.
//
// f(s) = k(p) with f of yld2000.hpp along axes that turn with the element, and p conjugate to f. FIT = 0: the
// constants a1 to a8 are given; FIT = 1: they follow from eight data (Barlat and others 2003, section 3),
//
//   f(SIG_w t_w) = SIG00 and R_w = f(t_w) / (df/ds_x + df/ds_y) - 1  in tension t_w of w = 0, 45, 90 degrees,
//   f(SIGXX, SIGYY, SIGXY) = SIG00,   df/ds . (DXX, DYY, DXY) = 0 there,
//
// by Newton's method from a_i = 1. ISCALE = 0: f is divided by its value in tension of 1 along the rolling
// direction, so that k is the yield stress in that direction; 1: f is what the constants say.
//
// Flow stress: HARD = 1 K (E0 + p)^N; 2 K - E0 exp(-N p); 4 K (E0 + p)^N - P4; 5 K - E0 exp(-N p^P4);
// HARD < 0 a curve, or a table of these over the rate of p. The step is that of sheet_return.hpp, whatever
// ITER is. History: the axes. State: plastic strain.
#pragma once

#include "materials/metal/sheet_return.hpp"
#include "materials/metal/yld2000.hpp"

namespace crumple::materials {

/// Parameters of MAT_133.
struct Yld2000Sheet : FormulaLaw {
  Yld2000 surface;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_shell(const Yld2000Sheet& law, ShellPoint<V>& point) {
  update_sheet<FormulaLaw>(law, Yld2000Surface<V>{law.surface}, point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/metal/yld2000_fields.hpp"
#endif

CRUMPLE_LAW(Yld2000Sheet, {.number = 133,
                           .keyword = "MAT_BARLAT_YLD2000",
                           .supports = {.shell = true},
                           .needs = {.material_axes = true},
                           .elastic_fields = true,
                           .cost = 8,
                           .prepare = prepare_yld2000})
