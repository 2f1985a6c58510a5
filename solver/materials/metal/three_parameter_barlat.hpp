// MAT_036 (*MAT_3-PARAMETER_BARLAT): rolled sheets by the yield function of Barlat and Lian, in shells.
//
// f(s) = k(p) with f of barlat_lian.hpp along axes that turn with the element, and p conjugate to f: the
// plastic strain of tension in the rolling direction a. The parameters are those of the ratios R of plastic
// strains across the width and through the thickness at 0, 45 and 90 degrees (Barlat and Lian 1989):
//
//   a = 2 - 2 sqrt(R00 / (1 + R00) R90 / (1 + R90)),   h = sqrt(R00 / (1 + R00) (1 + R90) / R90),
//
// and p is that for which R45 is 1 + R = f / ((df/ds_x + df/ds_y) s) in tension s at 45 degrees. With PB > 0
// the fields are a, c, h and p themselves.
//
// Flow stress: HR = 1 a line from P2, with the tangent modulus P1 of stress over strain; HR = 2 P1 (e0 +
// p)^P2, e0 from E0 or SPI; HR = 3 the curve LCID. C and P scale it by 1 + (rate / C)^(1 / P) (Cowper and
// Symonds 1957), with the rate of total strain. The step is that of sheet_return.hpp, whatever ITER is.
//
// History: the axes. State: plastic strain.
#pragma once

#include "materials/metal/barlat_lian.hpp"
#include "materials/metal/sheet_return.hpp"

namespace crumple::materials {

/// Parameters of MAT_036.
struct BarlatSheet : FormulaLaw {
  BarlatLian surface;
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_shell(const BarlatSheet& law, ShellPoint<V>& point) {
  update_sheet<FormulaLaw>(law, BarlatLianSurface<V>{law.surface}, point);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/metal/barlat_fields.hpp"
#endif

CRUMPLE_LAW(BarlatSheet, {.number = 36,
                          .keyword = "MAT_3-PARAMETER_BARLAT",
                          .supports = {.shell = true},
                          .needs = {.material_axes = true},
                          .elastic_fields = true,
                          .cost = 6,
                          .prepare = prepare_barlat})
