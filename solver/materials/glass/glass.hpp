// MAT_280 (*MAT_GLASS): brittle glass with smeared cracks of fixed directions, in shells.
//
// Isotropic and elastic until a criterion in the principal stresses s_1 >= s_2 of the layer's plane reaches 1
// (FT, FC strengths, <x> = x where positive, m = FC / FT):
//
//   FMOD = 0  Rankine         max(s_1 / FT, -s_2 / FC)
//   FMOD = 1  Mohr-Coulomb    <s_1> / FT + <-s_2> / FC
//   FMOD = 2  Drucker-Prager  ((m - 1) (s_1 + s_2) + (m + 1) sqrt(s_1^2 + s_2^2 - s_1 s_2)) / (2 FC)
//
// (LS-DYNA keyword manual, vol. II, MAT_280; the criterion of Rankine is that of Pyttel, Liebertz and Cai
// 2011, Int. J. Impact Eng. 38, p. 252, and of Alter, Kolling and Schneider 2017, ibid. 109, p. 342, without
// their nonlocal parts.) Where s_1 / FT >= -s_2 / FC a crack opens across direction 1, else the point is
// crushed. A crack keeps its direction in the element's axes (fixed crack: Rashid 1968, Nucl. Eng. Des. 7,
// p. 334; Rots and Blaauwendraad 1989, Heron 34, no. 1); a second one opens across the other direction, t,
// where s_t reaches FT.
//
// The stress across an open crack follows from the strain e_n across it, whose values at failure are s_f and
// e_f, and from the part c of NCYCR cycles that have passed since then, 1 at most:
//
//   L(e_n) = s_f (1 - (1 - SFSTR) c) + SFSTI E (e_n - e_f)                                              (1)
//
// A crack whose faces touch is elastic, s_n <= L. With x_n >= 0, the strain by which they are apart, and the
// strain g_n at which they meet, both in the same way for t (x_t = 0 without a crack),
//
//   e_n - g_n = (s_n - nu s_t) / E + x_n,    s_n <= L(e_n),  x_n >= 0,  x_n (L - s_n) = 0               (2)
//
// is a linear complementarity problem with a positive definite matrix: it has one solution, which is a
// continuous function of the strains. CRIN = 0, where the crack strain begins with that of failure: g_n = 0,
// the crack closes at its strain before loading. CRIN = 1, where it begins at 0:
// g_n = (1 - nu^2) (1 - SFSTR) c s_f / E, so that it closes at the strain at which it opened.
//
// The card has no word on the shear along a crack. Here it keeps SFSTI G from the crack on, also where the
// crack is closed, as transverse shear across it does after the NCYCR cycles; no closed path in strain gains
// work. The stress of a crushed point falls to 0 in NCYCR cycles, then the point has failed. With EPSCR a
// point that has a crack fails when its effective strain, sqrt(4/3 (e_n^2 + e_n e_t + e_t^2 + g^2 / 4)),
// exceeds it.
//
// History: what has happened (0 whole, 1 one crack, 2 two, 3 crushed); cosine and sine of direction 1;
// strains n, t, nt, tz, nz; of each crack s_f, e_f and the cycles since it opened (of a crushed point the
// cycles of the first); whether the point has failed.
#pragma once

#include "materials/hooke.hpp"
#include "materials/orthotropic/axes.hpp"

namespace crumple::materials {

enum class GlassCriterion : int { rankine, mohr_coulomb, drucker_prager };

struct GlassLaw {
  ElasticLaw elastic;
  double tension = 0, compression = 0;  ///< FT, FC
  GlassCriterion criterion = GlassCriterion::rankine;
  double fall = 1;        ///< 1 - SFSTR
  double stiffness = 0;   ///< SFSTI
  double cycles = 1;      ///< NCYCR
  double gap = 0;         ///< (1 - nu^2) / E where CRIN = 1
  double end_strain = 0;  ///< EPSCR, 0: none

  static constexpr int kState = 0, kCosine = 1, kSine = 2, kStrain = 3;
  static constexpr int kStrains = 5;
  static constexpr int kFirst = kStrain + kStrains;  ///< s_f, e_f, cycles
  static constexpr int kSecond = kFirst + 3;
  static constexpr int kEnded = kSecond + 3;
  static constexpr int kHistory = kEnded + 1;
};

inline namespace CRUMPLE_ISA {

/// A crack: stress and strain across it when it opened, cycles since then.
template <class V>
struct GlassCrack {
  V stress, strain, cycles;

  template <class H>
  static GlassCrack load(const H& history, int at) {
    return {history.template load<V>(at), history.template load<V>(at + 1), history.template load<V>(at + 2)};
  }
  template <class H>
  void store(const H& history, int at) const {
    history.store(at, stress);
    history.store(at + 1, strain);
    history.store(at + 2, cycles);
  }
};

/// The part of NCYCR cycles that have passed.
template <class V>
V share_of_cycles(const GlassLaw& p, V cycles) {
  return simd::min(cycles / V(p.cycles), V(1));
}

/// L and g of equations (1) and (2) at a strain.
template <class V>
struct GlassLimit {
  V stress, gap;

  GlassLimit(const GlassLaw& p, const GlassCrack<V>& crack, V strain, simd::mask_t<V> cracked) {
    const V fallen = V(p.fall) * share_of_cycles(p, crack.cycles);
    const V line =
        crack.stress * (V(1) - fallen) + V(p.stiffness * p.elastic.young) * (strain - crack.strain);
    stress = simd::select(cracked, line, V(kWhole));
    gap = simd::select(cracked, V(p.gap) * fallen * crack.stress, V(0));
  }

  static constexpr double kWhole = 1e20;  ///< no stress reaches it
};

/// The stresses s_n and s_t of equation (2).
template <class V>
void stresses_across(const ElasticLaw& e, V strain_n, V strain_t, const GlassLimit<V>& n,
                     const GlassLimit<V>& t, V& s_n, V& s_t) {
  const V young(e.young), plane(e.plane), nu(e.poisson);
  const V e_n = strain_n - n.gap, e_t = strain_t - t.gap;
  const V closed_n = plane * (e_n + nu * e_t), closed_t = plane * (e_t + nu * e_n);
  const V t_beside_open_n = young * e_t + nu * n.stress, n_beside_open_t = young * e_n + nu * t.stress;
  const auto closed = closed_n <= n.stress && closed_t <= t.stress;
  const auto n_opens = closed_n >= n.stress && t_beside_open_n <= t.stress;
  const auto t_opens = closed_t >= t.stress && n_beside_open_t <= n.stress;
  s_n = simd::select(closed, closed_n,
                     simd::select(n_opens, n.stress, simd::select(t_opens, n_beside_open_t, n.stress)));
  s_t = simd::select(closed, closed_t, simd::select(n_opens, t_beside_open_n, t.stress));
}

/// Cosine and sine of the direction of the larger principal stress.
template <class V>
PlaneAxes<V> principal_direction(const V (&s)[6]) {
  const V half(0.5), zero(0), one(1);
  const V d = half * (s[0] - s[1]), square = d * d + s[3] * s[3];
  const auto known = square > V(1e-30);  // else both stresses are equal, and every direction is one
  const V inverse = one / simd::sqrt(simd::select(known, square, one));
  const V cos_twice = simd::select(known, d * inverse, one);
  const V sin_twice = simd::select(known, s[3] * inverse, zero);
  const auto near_x = cos_twice >= zero;
  const V larger = simd::sqrt(half * (one + simd::select(near_x, cos_twice, zero - cos_twice)));
  const V smaller = half * sin_twice / larger;
  return {simd::select(near_x, larger, smaller), simd::select(near_x, smaller, larger)};
}

/// The criterion of principal stresses first >= second.
template <class V>
V criterion_of(const GlassLaw& p, V first, V second) {
  const V zero(0), per_tension(1 / p.tension), per_compression(1 / p.compression);
  if (p.criterion == GlassCriterion::rankine)
    return simd::max(first * per_tension, zero - second * per_compression);
  if (p.criterion == GlassCriterion::mohr_coulomb)
    return simd::max(first, zero) * per_tension + simd::max(zero - second, zero) * per_compression;
  const V square = first * first + second * second - first * second;
  const double m = p.compression / p.tension;
  return V(0.5 / p.compression) *
         (V(m - 1) * (first + second) + V(m + 1) * simd::sqrt(simd::max(square, V(1e-30))));
}

/// What happens in whole points under the stress s.
template <class V>
void break_whole(const GlassLaw& p, const ShellPoint<V>& point, simd::mask_t<V> whole, const V (&s)[6]) {
  using Law = GlassLaw;
  const V half(0.5), zero(0), mean = half * (s[0] + s[1]), d = half * (s[0] - s[1]);
  const V radius = simd::sqrt(simd::max(d * d + s[3] * s[3], V(1e-30)));
  const V first = mean + radius, second = mean - radius;
  const auto breaks = whole && point.dt > zero && criterion_of(p, first, second) >= V(1);
  if (!simd::any(breaks)) return;
  const auto pulled = first * V(1 / p.tension) >= zero - second * V(1 / p.compression);
  const auto keep = [&](int variable, V value) {
    const V before = point.history.template load<V>(variable);
    point.history.store(variable, simd::select(breaks, value, before));
  };
  const PlaneAxes<V> axes = principal_direction(s);
  V t[6];
  axes.turn_stress(s, t);
  const V compliance(1 / p.elastic.young), nu(p.elastic.poisson), shear(1 / p.elastic.shear);
  const V e[Law::kStrains] = {compliance * (t[0] - nu * t[1]), compliance * (t[1] - nu * t[0]), shear * t[3],
                              shear * t[4], shear * t[5]};
  keep(Law::kState, simd::select(pulled, V(1), V(3)));
  keep(Law::kCosine, axes.c);
  keep(Law::kSine, axes.s);
  for (int k = 0; k < Law::kStrains; ++k) keep(Law::kStrain + k, e[k]);
  keep(Law::kFirst, t[0]);
  keep(Law::kFirst + 1, e[0]);
  keep(Law::kFirst + 2, zero);
}

/// A second crack, or crushing, of a point that has a crack; `s` along the axes of the crack.
template <class V>
void break_further(const GlassLaw& p, const ShellPoint<V>& point, V state, const V (&e)[GlassLaw::kStrains],
                   const V (&s)[6]) {
  using Law = GlassLaw;
  const V zero(0);
  const auto cracked = state > V(0.5) && state < V(2.5);
  const auto crushed = cracked && simd::min(s[0], s[1]) <= V(-p.compression);
  const auto second = state > V(0.5) && state < V(1.5) && s[1] >= V(p.tension) && !crushed;
  auto crack = GlassCrack<V>::load(point.history, Law::kSecond);
  crack.stress = simd::select(second, s[1], crack.stress);
  crack.strain = simd::select(second, e[1], crack.strain);
  crack.store(point.history, Law::kSecond);
  const V cycles = point.history.template load<V>(Law::kFirst + 2);
  point.history.store(Law::kFirst + 2, simd::select(crushed, zero, cycles));
  const V before = point.history.template load<V>(Law::kState);
  point.history.store(Law::kState, simd::select(crushed, V(3), simd::select(second, V(2), before)));
}

/// One more cycle of a crack where `counts`.
template <class V>
GlassCrack<V> next_cycle(const ShellPoint<V>& point, int at, simd::mask_t<V> counts) {
  auto crack = GlassCrack<V>::load(point.history, at);
  crack.cycles = simd::select(counts, crack.cycles + V(1), crack.cycles);
  point.history.store(at + 2, crack.cycles);
  return crack;
}

/// The strains of a cracked point along its axes at the end of the step, which are kept.
template <class V>
void add_crack_strain(const ShellPoint<V>& point, const PlaneAxes<V>& axes, simd::mask_t<V> cracked,
                      V (&e)[GlassLaw::kStrains]) {
  constexpr int from[GlassLaw::kStrains] = {0, 1, 3, 4, 5};
  V d[6];
  axes.turn_strain(point.d, d);
  for (int k = 0; k < GlassLaw::kStrains; ++k) {
    e[k] = point.history.template load<V>(GlassLaw::kStrain + k);
    e[k] += simd::select(cracked, d[from[k]], V(0));
    point.history.store(GlassLaw::kStrain + k, e[k]);
  }
}

/// Stresses of points that have a crack or are crushed, along the element's axes.
template <class V>
void broken_stress(const GlassLaw& p, const ShellPoint<V>& point, V state, V (&s)[6]) {
  using Law = GlassLaw;
  const V one(1), zero(0), weak(1 - p.stiffness), shear(p.elastic.shear);
  const auto cracked = state > V(0.5) && state<V(2.5), twice = state> V(1.5) && state < V(2.5);
  const auto crushed = state > V(2.5);
  const auto first = next_cycle(point, Law::kFirst, state > V(0.5));
  const auto second = next_cycle(point, Law::kSecond, twice);
  const PlaneAxes<V> axes{point.history.template load<V>(Law::kCosine),
                          point.history.template load<V>(Law::kSine)};
  V e[Law::kStrains], t[6];
  add_crack_strain(point, axes, cracked, e);
  const GlassLimit<V> n(p, first, e[0], cracked), across(p, second, e[1], twice);
  stresses_across(p.elastic, e[0], e[1], n, across, t[0], t[1]);
  const V passed = share_of_cycles(p, first.cycles), passed_second = share_of_cycles(p, second.cycles);
  t[2] = zero;
  t[3] = V(p.stiffness) * shear * e[2];
  t[4] = (one - weak * simd::select(twice, passed_second, zero)) * shear * e[3];
  t[5] = (one - weak * passed) * shear * e[4];
  break_further(p, point, state, e, t);
  axes.turn_stress_back(t, s);
  // The stress of a crushed point had N - k + 1 parts of N, and has N - k after k cycles.
  const V left = simd::max(V(p.cycles) - first.cycles, zero);
  const V part = left / (left + one);
  for (int k = 0; k < 6; ++k) s[k] = simd::select(crushed, point.s[k] * part, s[k]);
  auto over = crushed && left <= zero;
  if (p.end_strain > 0) {
    const V square = V(4.0 / 3) * (e[0] * e[0] + e[0] * e[1] + e[1] * e[1] + V(0.25) * e[2] * e[2]);
    over = over || (cracked && square > V(p.end_strain * p.end_strain));
  }
  const V before = point.history.template load<V>(Law::kEnded);
  point.history.store(Law::kEnded, simd::select(over, one, before));
}

template <class V>
void update_shell(const GlassLaw& p, ShellPoint<V>& point) {
  using Law = GlassLaw;
  const V zero(0), state = point.history.template load<V>(Law::kState);
  const auto whole = state < V(0.5);
  V s[6];
  for (int k = 0; k < 6; ++k) s[k] = point.s[k];
  add_elastic_shell(p.elastic, point.d, s);
  s[2] = zero;
  if (simd::any(!whole)) {
    V broken[6];
    broken_stress(p, point, state, broken);
    for (int k = 0; k < 6; ++k) s[k] = simd::select(whole, s[k], broken[k]);
  }
  break_whole(p, point, whole, s);
  const auto gone = point.history.template load<V>(Law::kEnded) > zero;
  const V change = s[0] + s[1] - point.s[0] - point.s[1];
  for (int k = 0; k < 6; ++k) point.s[k] = simd::select(gone, zero, s[k]);
  point.d[2] = simd::select(gone, zero, V(-p.elastic.poisson / p.elastic.young) * change);
  point.failed = gone;
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <algorithm>
#include <cmath>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace glass {

/// Options of the card without which there is no law. Others are refused where the deck is read.
inline void refuse_options(const model::Material& material) {
  const auto refuse_unless = [&](const char* field, bool fine, const char* why) {
    if (!fine)
      refuse(material, "CR-M105", field,
             fmt::format("{} = {} is not supported: {}", field, material.field(field), why));
  };
  refuse_unless("IMOD", material.field("IMOD") == 0,
                "the equation by which damage grows with AT, BT, AC and BC is not public");
  const double criterion = material.field("FMOD");
  refuse_unless("FMOD", criterion == 0 || criterion == 1 || criterion == 2,
                "0, 1 and 2 are; the modified criteria of compression are not public");
  refuse_unless("FT", material.field("FT") >= 0, "the tensile strength cannot follow a curve of the rate");
}

/// A factor from 0 to less than 1. Throws CR-M108.
inline double factor_field(const model::Material& material, const char* field) {
  const double value = material.field(field);
  if (!(value >= 0 && value < 1))
    refuse(material, "CR-M108", field,
           fmt::format("{} is {}, it must lie between 0 and 1, 1 excluded", field, value));
  return value;
}

}  // namespace glass

inline Prepared prepare_glass(const model::Model&, const model::Material& material) {
  glass::refuse_options(material);
  Prepared prepared = prepare_isotropic(material);
  auto law = std::make_shared<GlassLaw>();
  law->elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law->tension = positive_field(material, "FT");
  law->compression = positive_field(material, "FC");
  law->criterion = static_cast<GlassCriterion>(static_cast<int>(material.field("FMOD")));
  law->stiffness = glass::factor_field(material, "SFSTI");
  law->fall = 1 - glass::factor_field(material, "SFSTR");
  law->cycles = std::max(1.0, std::floor(not_negative_field(material, "NCYCR")));
  const double start = material.field("CRIN");
  if (start != 0 && start != 1)
    refuse(material, "CR-M105", "CRIN", fmt::format("CRIN = {} is not supported, only 0 and 1", start));
  if (start == 1) law->gap = 1 / law->elastic.plane;
  law->end_strain = not_negative_field(material, "EPSCR");
  prepared.n_history = GlassLaw::kHistory;
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(GlassLaw, {.number = 280,
                       .keyword = "MAT_GLASS",
                       .supports = {.shell = true},
                       .elastic_fields = true,
                       .cost = 2,
                       .prepare = prepare_glass})
