// Stiffness of orthotropic materials from engineering constants.
//
// The compliance along the axes a, b, c (Jones 1975, Mechanics of Composite Materials, eq. 2.25, with
// PRBA = nu_ba and so on, nu_ba / EB = nu_ab / EA):
//
//   S_aa = 1 / EA, S_bb = 1 / EB, S_cc = 1 / EC, S_ab = -PRBA / EB, S_ac = -PRCA / EC, S_bc = -PRCB / EC
//
// It must be positive definite (Lempriere 1968, AIAA J. 6, p. 2226). In plane stress only a and b count.
#pragma once

#include "materials/law.hpp"

namespace crumple::model {
struct Material;
}

namespace crumple::materials {

struct Prepared;

/// Stresses along the axes: Hooke's law in plane stress, and transverse shear.
struct PlaneStiffness {
  double aa = 0, bb = 0, ab = 0;
  double shear = 0, shear_bc = 0, shear_ca = 0;
  double thin_a = 0, thin_b = 0;  ///< thickness strain of stresses a and b: S_ac, S_bc
};

/// The same in three dimensions; shears as above.
struct SolidStiffness {
  double aa = 0, bb = 0, cc = 0, ab = 0, bc = 0, ca = 0;
  double shear_ab = 0, shear_bc = 0, shear_ca = 0;
};

/// From EA, EB, PRBA, GAB, GBC, GCA. Without EC the thickness does not change. Throws CR-M103 for a modulus
/// that is not positive, CR-M111 unless the stiffness is positive definite.
PlaneStiffness plane_stiffness(const model::Material& material);
/// From these and EC, PRCA, PRCB.
SolidStiffness solid_stiffness(const model::Material& material);

/// Density, and constants of an isotropic material that is as stiff as the stiffest wave: young and poisson
/// in plane stress, shear the largest. Bulk modulus: that of such a sheet.
Prepared prepare_plane(const model::Material& material, const PlaneStiffness& stiffness);
/// Sets the bulk modulus for solids, whose fastest wave has the modulus bulk + 4/3 shear.
void set_solid_wave(const SolidStiffness& stiffness, Elastic& elastic);

}  // namespace crumple::materials
