// MAT_031 (*MAT_FRAZER_NASH_RUBBER_MODEL): slightly compressible rubber by a polynomial of two invariants of
// Green's strain E (Kenchington 1988; Hallquist 2006, LS-DYNA Theory Manual, material 31); in solids.
//
//   U = C100 I1 + C200 I1^2 + C300 I1^3 + C400 I1^4 + C110 I1 I2 + C210 I1^2 I2 + C010 I2 + C020 I2^2 + f(J)
//   I1 = tr E,  I2 = (I1^2 - E : E) / 2,  f = -C100 (J - 1) + k (J - 1)^2 / 2
//
// The manual leaves f open: here there is no stress at rest, and k is such that the moduli at rest are
// G = C100 - C010 / 2 and PR. With the left Cauchy-Green tensor b, F E F^T = (b b - b) / 2, so that
//
//   s = ((U1 + I1 U2) b - U2 (b b - b) / 2) / J + f' 1.
//
// k must hold the volume: constants with which a strip stretched to 0.8 to 1.25 would change it by more than
// 5 % are refused, as f would be most of the law. Constants may come from a test
// (frazer_nash_rubber_fields.hpp). The stable step is that of the moduli at rest; rubber stiffens in large
// strains. History: b - 1 (left_cauchy_green.hpp).
#pragma once

#include "materials/rubber/left_cauchy_green.hpp"

namespace crumple::materials {

struct FrazerNashLaw {
  double c100 = 0, c200 = 0, c300 = 0, c400 = 0, c110 = 0, c210 = 0, c010 = 0, c020 = 0;
  double volume = 0;  ///< k
};

inline namespace CRUMPLE_ISA {

template <class V>
void update_solid(const FrazerNashLaw& p, SolidPoint<V>& point) {
  V g[6], square[6];
  const V e = stretch_solid(point, g);
  store_history(point.history, g);
  multiply(g, g, square);
  const V squares = square[0] + square[1] + square[2];
  const V i1 = V(0.5) * (g[0] + g[1] + g[2]), i2 = V(0.5) * (i1 * i1 - V(0.25) * squares);
  // U1 - C100 and U2
  const V u1 =
      i1 * (V(2 * p.c200) + i1 * (V(3 * p.c300) + i1 * V(4 * p.c400)) + V(2 * p.c210) * i2) + V(p.c110) * i2;
  const V u2 = V(p.c010) + i1 * (V(p.c110) + V(p.c210) * i1) + V(2 * p.c020) * i2;
  const V first = u1 + i1 * u2, volume = simd::sqrt(V(1) + e), grown = e / (V(1) + volume);
  const V half = V(0.5) * u2, linear = V(p.c100) + first - half, inverse = V(1) / volume;
  const V pressure = inverse * (first - V(p.c100) * grown) + V(p.volume) * grown;
  for (int k = 0; k < 6; ++k)
    point.s[k] = inverse * (linear * g[k] - half * square[k]) + (k < 3 ? pressure : V(0));
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/rubber/frazer_nash_rubber_fields.hpp"
#endif

CRUMPLE_LAW(FrazerNashLaw, {.number = 31,
                            .keyword = "MAT_FRAZER_NASH_RUBBER_MODEL",
                            .supports = {.solid = true},
                            .cost = 2,
                            .prepare = prepare_frazer_nash})
