// MAT_034 (*MAT_FABRIC): fabrics of airbags, in membranes only. FORM 0, 4, 14.
//
// Fabrics a (warp) and b (weft) in the reference, thickness constant: stresses are forces over the thickness
// of the section, so that the thickness strain is 0.
//
// FORM 0: small strains in the element's frame, in which the axes a, b stay where they were. Hooke's law of
// plane stress of the sum of strain increments e, n_ab = PRBA EA / EB (Jones 1975, Mechanics of Composite
// Materials, eqs. 2.60-2.63; PRBA is the minor ratio):
//
//   s_a = EA (e_a + PRBA e_b) / (1 - n_ab PRBA),  s_b = EB (e_b + n_ab e_a) / (1 - n_ab PRBA),  s_ab = GAB
//   g_ab
//
// FORM 4, 14: second Piola-Kirchhoff stress S of Green's strain E, along fibres that the deformation turns,
// and Cauchy stress F S F^T / det F (Belytschko, Liu and Moran 2000, Nonlinear Finite Elements, box 3.2) with
// F in the plane. S_a = f_a(E_a*), E_a* = (E_a + PRBA E_b) / (1 - n_ab PRBA), the uniaxial strain with the
// same stress: with straight curves this is the orthotropic law above, and in uniaxial tension f_a is the
// stress for any curve. S_ab = f_ab(2 E_ab), odd. Where a curve is missing, its modulus EA, EB, GAB is the
// slope. Below its first point a curve goes on with the modulus.
//
// Unloading, where the curve u is given: m is the largest strain so far. For E >= m on f. Below, with a
// positive number, u is shifted along the strain axis so that it passes through (m, f(m)); where the shifted
// u is below 0 the stress is 0. With a negative number, u is stretched in both directions so that it begins
// at the origin and ends at (m, f(m)). Reloading is on the same curve.
//
// CSE = 1, no compression. Isotropic: tension field (Reissner 1938; Miller and Hedgepeth 1982, NASA
// TM-84569): taut while both principal stresses are tensile; wrinkled, with s = E e_1 along the first
// principal strain, where e_2 < -nu e_1; slack where e_1 <= 0. Else along the fibres: a fibre that would be
// compressed has no stress, and then the other has that of its own strain; the shear stress stays. LS-DYNA's
// own way is not published.
//
// Liner: isotropic, of thickness LRATIO times the whole, in small strains (FORM 0) or in S and E; the fabric
// has the rest. CSE does not apply to it.
//
// History: given_deformation.hpp; FORM 0: sum of strain increments a, b, ab (engineering); else largest
// strains on the loading curves a, b, ab.
#pragma once

#include <type_traits>

#include "materials/fabric/fabric_curve.hpp"
#include "materials/fabric/given_deformation.hpp"
#include "materials/law.hpp"

namespace crumple::materials {

/// One of the stresses S_a, S_b, S_ab.
struct FabricDirection {
  double modulus = 0;
  FabricCurve load;     ///< empty: the modulus
  FabricCurve unload;   ///< empty: as load
  FabricCurve inverse;  ///< strain of `unload` for a stress
  bool stretched = false;
  double end_strain = 0, end_stress = 0;  ///< of `unload`, where it is stretched
};

struct FabricLaw {
  Weave weave;             ///< first: elements read it
  bool nonlinear = false;  ///< FORM 4, 14
  bool isotropic = false, tension_only = false;
  double poisson_ba = 0, poisson_ab = 0;
  FabricDirection direction[3];                            ///< a, b, ab
  double liner = 0, liner_modulus = 0, liner_poisson = 0;  ///< LRATIO, EL, PRL
};
static_assert(std::is_standard_layout_v<FabricLaw>);  // a pointer to it is one to its weave

inline namespace CRUMPLE_ISA {

/// The part of the liner of a stress or strain in the plane: Hooke's law.
template <class V>
void liner_stress(const FabricLaw& p, const V (&e)[3], V (&s)[3]) {
  const V plane(p.liner_modulus / (1 - p.liner_poisson * p.liner_poisson)), nu(p.liner_poisson);
  s[0] = plane * (e[0] + nu * e[1]);
  s[1] = plane * (e[1] + nu * e[0]);
  s[2] = V(0.5 * p.liner_modulus / (1 + p.liner_poisson)) * e[2];
}

/// Isotropic fabric without compression.
template <class V>
void tension_field(double young, double poisson, const V (&e)[3], V (&s)[3]) {
  const V half(0.5), mean = half * (e[0] + e[1]), difference = half * (e[0] - e[1]), shear = half * e[2];
  const V radius = simd::sqrt(difference * difference + shear * shear + V(1e-30));
  const V first = mean + radius, second = mean - radius, zero(0);
  const simd::mask_t<V> taut = second + V(poisson) * first >= zero;
  const V wrinkled = V(0.5 * young) * simd::max(first, zero), along = wrinkled / radius;
  const V plane(young / (1 - poisson * poisson)), nu(poisson);
  s[0] = simd::select(taut, plane * (e[0] + nu * e[1]), wrinkled + along * difference);
  s[1] = simd::select(taut, plane * (e[1] + nu * e[0]), wrinkled - along * difference);
  s[2] = simd::select(taut, V(0.5 * young / (1 + poisson)) * e[2], along * shear);
}

/// Stress of one direction at `strain`; `most`: the largest strain so far, in and out.
template <class V>
V direction_stress(const FabricDirection& d, V strain, V& most) {
  const V load = d.load.empty() ? V(d.modulus) * strain : value_of(d.load, strain);
  if (d.unload.empty()) return load;
  const V zero(0), before = simd::max(most, zero);
  most = simd::max(before, strain);
  const V peak = value_of(d.load, before);
  V back;
  if (d.stretched) {
    const V scale = V(d.end_strain) / simd::max(before, V(1e-30));
    back = value_of(d.unload, strain * scale) * peak * V(1 / d.end_stress);
  } else {
    const V shifted = strain - before + value_of(d.inverse, peak);
    back = simd::select(shifted > zero, value_of(d.unload, shifted), zero);
  }
  return simd::select(strain < before && strain > zero, simd::min(back, load), load);
}

/// Stresses a, b, ab of strains a, b and the engineering shear strain; `most` as above.
template <class V>
void fabric_stress(const FabricLaw& p, const V (&e)[3], V (&most)[3], V (&s)[3]) {
  const V zero(0);
  if (p.isotropic && p.tension_only) return tension_field(p.direction[0].modulus, p.poisson_ba, e, s);
  const V scale(1 / (1 - p.poisson_ab * p.poisson_ba));
  V a = scale * (e[0] + V(p.poisson_ba) * e[1]), b = scale * (e[1] + V(p.poisson_ab) * e[0]);
  if (p.tension_only) {
    const simd::mask_t<V> slack_a = a < zero, slack_b = b < zero;
    a = simd::select(slack_b, e[0], a);
    b = simd::select(slack_a, e[1], b);
  }
  s[0] = direction_stress(p.direction[0], a, most[0]);
  s[1] = direction_stress(p.direction[1], b, most[1]);
  if (p.tension_only) s[0] = simd::max(s[0], zero), s[1] = simd::max(s[1], zero);
  const V size = simd::max(e[2], -e[2]), shear = direction_stress(p.direction[2], size, most[2]);
  s[2] = simd::select(e[2] < zero, -shear, shear);
}

/// FORM 0.
template <class V>
void small_strain_fabric(const FabricLaw& p, ShellPoint<V>& point, V (&s)[3]) {
  const V c = V(1) + point.history.template load<V>(kGivenAxes);
  const V n = point.history.template load<V>(kGivenAxes + 1);
  const V x = point.d[0], y = point.d[1], xy = point.d[3], cc = c * c, nn = n * n, cn = c * n;
  const V d[3] = {cc * x + nn * y + cn * xy, nn * x + cc * y - cn * xy, (cn + cn) * (y - x) + (cc - nn) * xy};
  V e[3], most[3] = {V(0), V(0), V(0)}, t[3];
  for (int k = 0; k < 3; ++k) {
    e[k] = point.history.template load<V>(kGiven + k) + d[k];
    point.history.store(kGiven + k, e[k]);
  }
  fabric_stress(p, e, most, t);
  if (p.liner > 0) {
    V of_liner[3];
    liner_stress(p, e, of_liner);
    for (int k = 0; k < 3; ++k) t[k] = V(1 - p.liner) * t[k] + V(p.liner) * of_liner[k];
  }
  s[0] = cc * t[0] + nn * t[1] - (cn + cn) * t[2];
  s[1] = nn * t[0] + cc * t[1] + (cn + cn) * t[2];
  s[2] = cn * (t[0] - t[1]) + (cc - nn) * t[2];
}

/// FORM 4, 14.
template <class V>
void large_strain_fabric(const FabricLaw& p, ShellPoint<V>& point, V (&s)[3]) {
  const auto given = [&](int k) { return point.history.template load<V>(k); };
  const V e[3] = {given(kGivenStrain), given(kGivenStrain + 1), V(2) * given(kGivenStrain + 2)};
  V most[3], t[3];
  for (int k = 0; k < 3; ++k) most[k] = given(kGiven + k);
  fabric_stress(p, e, most, t);
  for (int k = 0; k < 3; ++k) point.history.store(kGiven + k, most[k]);
  if (p.liner > 0) {
    V of_liner[3];
    liner_stress(p, e, of_liner);
    for (int k = 0; k < 3; ++k) t[k] = V(1 - p.liner) * t[k] + V(p.liner) * of_liner[k];
  }
  const V xa = V(1) + given(kGivenGradient), ya = given(kGivenGradient + 1);
  const V xb = given(kGivenGradient + 2), yb = V(1) + given(kGivenGradient + 3);
  const V inverse = V(1) / (xa * yb - xb * ya);
  s[0] = inverse * (xa * xa * t[0] + xb * xb * t[1] + V(2) * xa * xb * t[2]);
  s[1] = inverse * (ya * ya * t[0] + yb * yb * t[1] + V(2) * ya * yb * t[2]);
  s[2] = inverse * (xa * ya * t[0] + xb * yb * t[1] + (xa * yb + xb * ya) * t[2]);
}

template <class V>
void update_shell(const FabricLaw& p, ShellPoint<V>& point) {
  V s[3];
  if (p.nonlinear)
    large_strain_fabric(p, point, s);
  else
    small_strain_fabric(p, point, s);
  point.s[0] = s[0];
  point.s[1] = s[1];
  point.s[3] = s[2];
  point.s[2] = point.s[4] = point.s[5] = V(0);
  point.d[2] = V(0);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/fabric/fabric_fields.hpp"
#endif

CRUMPLE_LAW(FabricLaw, {.number = 34,
                        .keyword = "MAT_FABRIC",
                        .supports = {.shell = true},
                        .needs = {.deformation_gradient = true, .material_axes = true},
                        .young_field = "EA",
                        .prepare = prepare_fabric})
