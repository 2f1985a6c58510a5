// Isotropic elasticity in rate form, the first part of many laws: in three dimensions, plane stress and beam
// fibres.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {

/// Elastic constants, and their products that are used in every step.
struct ElasticLaw {
  double young = 0, poisson = 0;
  double lame = 0;      ///< E nu / ((1 + nu) (1 - 2 nu))
  double shear = 0;     ///< G
  double plane = 0;     ///< E / (1 - nu^2)
  double thinning = 0;  ///< nu / (1 - nu): d_zz = -thinning (d_xx + d_yy) in plane stress
};

/// The constants from E and nu.
inline ElasticLaw elastic_law(double young, double poisson) {
  return {young,
          poisson,
          young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
          young / (2 * (1 + poisson)),
          young / (1 - poisson * poisson),
          poisson / (1 - poisson)};
}

inline namespace CRUMPLE_ISA {

/// s += C : d in three dimensions.
template <class V>
void add_elastic_solid(const ElasticLaw& e, const V (&d)[6], V (&s)[6]) {
  const V shear = V(e.shear);
  const V twice = shear + shear;
  const V volumetric = V(e.lame) * (d[0] + d[1] + d[2]);
  for (int i = 0; i < 3; ++i) s[i] += volumetric + twice * d[i];
  for (int i = 3; i < 6; ++i) s[i] += shear * d[i];
}

/// s += C : d with s[2] = 0; sets d[2].
template <class V>
void add_elastic_shell(const ElasticLaw& e, const V (&d)[6], V (&s)[6]) {
  const V plane = V(e.plane), nu = V(e.poisson), shear = V(e.shear);
  s[0] += plane * (d[0] + nu * d[1]);
  s[1] += plane * (d[1] + nu * d[0]);
  for (int i = 3; i < 6; ++i) s[i] += shear * d[i];
}

/// s += C : d of a fibre.
template <class V>
void add_elastic_beam(const ElasticLaw& e, const V (&d)[3], V (&s)[3]) {
  s[0] += V(e.young) * d[0];
  s[1] += V(e.shear) * d[1];
  s[2] += V(e.shear) * d[2];
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
