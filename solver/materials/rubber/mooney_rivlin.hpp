// MAT_027 (*MAT_MOONEY-RIVLIN_RUBBER): nearly incompressible rubber by A, B and Poisson's ratio.
//
//   W = A (I1 - 3) + B (I2 - 3) + C (I3^-2 - 1) + D (I3 - 1)^2,
//   C = A / 2 + B,  D = (A (5 nu - 2) + B (11 nu - 5)) / (2 (1 - 2 nu))
//
// with the invariants of the left Cauchy-Green tensor b (Hallquist 2006, LS-DYNA Theory Manual, material 27),
// so that the Cauchy stress is 2 / J ((A + I1 B) b - B b^2 + I3 W3 1), W3 = -2 C I3^-3 + 2 D (I3 - 1); the
// shear modulus at small strain is 2 (A + B). b is history (left_cauchy_green.hpp); in solids its determinant
// is that of the element.
//
// In plane stress W3 is the only place where the thickness stretch z = b_zz enters s_zz = 0,
//
//   A + B (b_xx + b_yy) + (b_xx b_yy - b_xy^2) W3(I3) = 0,
//
// which Newton's method solves for I3, starting from the value of the last step. Transverse shear of shells
// is elastic. History: b - 1 (xx yy zz xy yz zx).
#pragma once

#include "materials/rubber/left_cauchy_green.hpp"

namespace crumple::materials {

struct MooneyRivlinLaw {
  double a = 0, b = 0, c = 0, d = 0;
  double shear = 0;  ///< 2 (A + B)
};

inline namespace CRUMPLE_ISA {

// Everything is written in g = b - 1 and e = I3 - 1.

template <class V>
void update_solid(const MooneyRivlinLaw& p, SolidPoint<V>& point) {
  V g[6], square[6];
  const V e = stretch_solid(point, g);
  multiply(g, g, square);
  const V i3 = V(1) + e, b = V(p.b), trace = b * (g[0] + g[1] + g[2]);
  const V first = V(p.a + p.b) + trace;
  const V pressure = trace + e * (V(2 * p.c) * (i3 + V(1)) / (i3 * i3) + V(2 * p.d) * i3);
  const V factor = V(2) / simd::sqrt(i3);
  for (int k = 0; k < 6; ++k)
    point.s[k] = factor * (first * g[k] - b * square[k] + (k < 3 ? pressure : V(0)));
  store_history(point.history, g);
  point.failed = never(point.plastic_strain);
}

template <class V>
void update_shell(const MooneyRivlinLaw& p, ShellPoint<V>& point) {
  V g[6], h[6];
  load_history(point.history, g);
  const V z_before = g[2];
  const V area_before = g[0] + g[1] + g[0] * g[1] - g[3] * g[3];  // area ratio of the sheet minus 1
  V e = z_before + area_before + z_before * area_before;
  const V in_plane[6] = {point.d[0], point.d[1], V(0), point.d[3], V(0), V(0)};
  stretch_of(in_plane, h);
  stretch(h, g);
  const V b = V(p.b), sum = g[0] + g[1], area = sum + g[0] * g[1] - g[3] * g[3];
  const V inverse = V(1) / (V(1) + area);
  constexpr int kIterations = 5;
  for (int k = 0; k < kIterations; ++k) {
    const V once = V(1) / (V(1) + e), cube = once * once * once;
    const V excess = e * (V(3) + e * (V(3) + e)) - area;  // (1 + e)^3 - (1 + area)
    const V residual = V(2 * p.c) * excess * inverse * cube + V(2 * p.d) * e + b * sum * inverse;
    e -= residual / (V(6 * p.c) * cube * once + V(2 * p.d));
  }
  const V z = (e - area) * inverse;
  g[2] = z;
  const V shear = V(p.a + p.b), first = shear + b * (sum + z), out = (shear + b * sum) * z;
  const V factor = V(2) / simd::sqrt(V(1) + e);
  point.s[0] = factor * (first * g[0] - b * (g[0] * g[0] + g[3] * g[3]) - out);
  point.s[1] = factor * (first * g[1] - b * (g[1] * g[1] + g[3] * g[3]) - out);
  point.s[2] = V(0);
  point.s[3] = factor * (shear + b * z) * g[3];
  for (int k = 4; k < 6; ++k) point.s[k] += V(p.shear) * point.d[k];
  point.d[2] = (z - z_before) / (V(2) + z + z_before);  // ln of the stretch, to second order
  store_history(point.history, g);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

/// Throws CR-M103 unless A + B is positive, CR-M104 for a Poisson's ratio that makes the volume unstable.
inline Prepared prepare_mooney_rivlin(const model::Model&, const model::Material& material) {
  MooneyRivlinLaw law;
  law.a = material.field("A");
  law.b = material.field("B");
  law.shear = 2 * (law.a + law.b);
  if (!(law.shear > 0))
    refuse(material, "CR-M103", "A", fmt::format("A + B is {}, it must be positive", law.a + law.b));
  const double nu = checked_poisson(material, material.field("PR"));
  law.c = 0.5 * law.a + law.b;
  law.d = (law.a * (5 * nu - 2) + law.b * (11 * nu - 5)) / (2 * (1 - 2 * nu));
  if (!(law.d > 0 && law.c >= 0))
    refuse(material, "CR-M104", "PR",
           fmt::format("Poisson's ratio is {}: with A = {} and B = {} the rubber would not resist expansion; "
                       "0.49 to 0.5 is meant",
                       nu, law.a, law.b));
  Prepared prepared;
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(2 * law.shear * (1 + nu), nu);
  prepared.n_history = 6;
  prepared.parameters = std::make_shared<MooneyRivlinLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(MooneyRivlinLaw, {.number = 27,
                              .keyword = "MAT_MOONEY-RIVLIN_RUBBER",
                              .supports = {.solid = true, .shell = true},
                              .prepare = prepare_mooney_rivlin})
