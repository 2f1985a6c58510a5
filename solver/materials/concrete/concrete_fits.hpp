// Parameters of MAT_159 from the compressive strength of concrete: the published fits of Murray (2007,
// FHWA-HRT-05-062, chapter 2, "Model input").
//
// Strengths are polynomials of f in MPa, fitted between 20 and 58 MPa; the fluidities are fitted over f in
// psi. Stiffness and tensile fracture energy are those of CEB (1993), FIP model code 1990:
//
//   E = 0.85 21.5 GPa (f / 10 MPa)^(1/3), PR = 0.15,   GFT = G0(DAGG) (f / 10 MPa)^0.7,
//
// G0 the parabola through 0.025, 0.030 and 0.058 N/mm at 8, 16 and 32 mm. GFC = 100 GFT, GFS = GFT.
#pragma once

#include <map>
#include <string>

namespace crumple::model {
struct Material;
}

namespace crumple::materials {

/// The fields of *MAT_CSCM from FPC, DAGG and UNITS. Throws CR-M108 for a strength or an aggregate for which
/// there is no fit, and for UNITS that is not 0 to 4.
std::map<std::string, double> fitted_concrete(const model::Material& material);

}  // namespace crumple::materials
