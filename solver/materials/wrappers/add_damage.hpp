// *MAT_ADD_DAMAGE_GISSMO: damage by plastic strain, added to any other law, whose update it calls.
//
// The law computes the undamaged stress s~; triaxiality h = tr(s~) / (3 q~) and Lode parameter
// L = 27 J3 / (2 q~^3) are its (q~: von Mises). With the increment dp of the law's plastic strain (Neukamm,
// Feucht, Haufe 2009, Considering damage history in crashworthiness simulations, eqs. 2 to 9; Effelsberg,
// Haufe, Feucht, Neukamm, Du Bois 2012, On parameter identification for the GISSMO damage model):
//
//   dD = n / (a r e_f) D^(1 - 1/n) dp      e_f(h, L): LCSDG    n: DMGEXP    a: regularisation    r: LCSRS
//   dF = n / (r e_c) F^(1 - 1/n) dp        e_c(h, L): ECRIT
//   s = s~ (1 - ((D - Dc) / (1 - Dc))^m)   where D > Dc        m: FADEXP
//
// Dc is the damage at which F reaches 1, or DCRIT without ECRIT. A point fails at D = 1.
//
// Both equations are linear in y = D^(1/n): dy = dp / (a r e_f). So y is the state, and the step is exact for
// its e_f, which is that of its end. If F reaches 1 within a step, Dc is the damage at that place of the
// step: it does not depend on the step.
//
// a(l) is the curve LCREGD at the element's size l, or a(l, h) the table -LCREGD. It is less far from 1 below
// and above uniaxial tension, a + c (1 - a), with c = SHRF (1 - min(max(h, 0), h1) / h1) for h < 1/3 and
// c = BIAXF (min(max(h, h2), 2/3) - h2) / (2/3 - h2) above; h1 = RGTR1, h2 = RGTR2, both 1/3 by default. The
// meaning of these four is that of /FAIL/TAB2 of OpenRadioss, which reads them from the same cards.
//
// LCDLIM(h) is an upper limit of D: what D is already stays. Softening ends a millionth before all stress is
// gone, since the undamaged stress follows from the damaged one.
//
// State: that of the law, then the variables of DamageVariable.
#pragma once

#include "materials/orthotropic/axes.hpp"
#include "materials/prepared.hpp"
#include "materials/update.hpp"
#include "materials/wrappers/failed_point.hpp"
#include "materials/wrappers/tabulated.hpp"
#include "simd/math.hpp"

namespace crumple::model {
struct Material;
struct Model;
}  // namespace crumple::model

namespace crumple::materials {

/// History variables beyond the law's, by their place. The last two only with a reference size.
namespace damage_variable {
enum DamageVariable {
  damage,       ///< D
  critical,     ///< Dc; 0 until F is 1
  failed,       ///< 1 where the point has failed
  triaxiality,  ///< of the last step
  lode,         ///< of the last step
  size,         ///< of the element at the start; set by state/groups.cpp
  instability,  ///< F
  root,         ///< D^(1/n)
  instability_root,
  softening,      ///< 1 - s / s~
  at_reference,   ///< D of an element of size REFSZ
  reference_root  ///< the same to the power of 1/n
};
inline constexpr int count = at_reference, count_with_reference = reference_root + 1;
}  // namespace damage_variable

/// The law that computes the undamaged stress, and the damage.
struct AddedDamageLaw {
  Law law;
  int law_history = 0;  ///< history variables of the law, before those of the damage
  bool couples = true;  ///< softens and fails; else damage is only summed (DTYP 0)
  double exponent = 1;  ///< DMGEXP
  Tabulated failure_strain, critical_strain, fading;
  bool has_critical_strain = false;
  double critical_damage = 0;  ///< without critical strain
  bool regularised = false;
  TabulatedSpace size_factor;  ///< over size, triaxiality and the Lode parameter
  double shear_reduction = 0, biaxial_reduction = 0, shear_end = 1.0 / 3.0, biaxial_begin = 1.0 / 3.0;
  bool has_rate = false, log_rate = false, rate_scales_critical = false;
  Tabulated rate_factor;
  bool limited = false;
  Tabulated limit;            ///< of D
  double reference_size = 0;  ///< 0: none
};

/// `prepared` with the damage model, if the material has one: fields DAMAGE.LCSDG etc., or EROSION.LCSDG of
/// *MAT_ADD_EROSION with IDAM = 1.
Prepared add_damage(const model::Model& model, const model::Material& material, Prepared prepared);

/// The first history variable of the damage model at a point; -1 without.
inline int damage_history(const Law& law) {
  return law.damage < 0 ? -1 : law.damage - damage_variable::failed;
}

/// The history variables that hold the size of an element: that of a law that needs it, which is the first
/// one that is not an axis, and that of the damage; -1 without.
inline std::array<int, 2> size_variables(const Law& law) {
  const int damage = damage_history(law);
  const int of_law = law.row->needs.material_axes ? kShellSize : 0;
  return {law.row->needs.element_size ? of_law : -1, damage < 0 ? -1 : damage + damage_variable::size};
}

inline namespace CRUMPLE_ISA {

/// What failure strains depend on.
template <class V>
struct StressState {
  V triaxiality, lode;
};

/// 0 without stress.
template <class V>
StressState<V> stress_state(const V (&s)[6]) {
  const V mean = V(1.0 / 3) * (s[0] + s[1] + s[2]);
  V x = s[0] - mean, y = s[1] - mean, z = s[2] - mean;
  const V shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
  const V equivalent = simd::sqrt(V(1.5) * (x * x + y * y + z * z) + V(3) * shear);
  const V per = V(1) / simd::select(equivalent > V(0), equivalent, V(1));
  x *= per, y *= per,
      z *= per;  // before the product of three: large numbers have no room in single precision
  const V xy = s[3] * per, yz = s[4] * per, zx = s[5] * per;
  const V third = x * y * z + V(2) * xy * yz * zx - x * yz * yz - y * zx * zx - z * xy * xy;
  return {mean * per, V(13.5) * third};
}

/// x^n without a power where it is 1.
template <class V>
V power_of(V x, double n) {
  return n == 1 ? x : simd::pow(x, V(n));
}

/// The damage variables of a point.
template <class V>
struct DamageState {
  V damage, critical, failed, triaxiality, lode, size, instability, root, instability_root, softening;
  V at_reference, reference_root;
  const History<simd::scalar_t<V>>& history;
  int first;
  bool has_reference;

  DamageState(const AddedDamageLaw& law, const History<simd::scalar_t<V>>& all)
      : history(all), first(law.law_history), has_reference(law.reference_size > 0) {
    each([this](int k, V& value) { value = history.template load<V>(first + k); });
  }
  /// Its size and what it was before stays.
  void store() {
    each([this](int k, V& value) {
      if (k != damage_variable::size) history.store(first + k, value);
    });
  }

 private:
  template <class F>
  void each(F f) {
    using namespace damage_variable;
    V* const members[] = {&damage,       &critical,      &failed, &triaxiality,      &lode,
                          &size,         &instability,   &root,   &instability_root, &softening,
                          &at_reference, &reference_root};
    for (int k = 0; k < (has_reference ? count_with_reference : count); ++k) f(k, *members[k]);
  }
};

/// The factor of the failure strain of an element of size `size`.
template <class V>
V regularisation(const AddedDamageLaw& law, V size, const StressState<V>& at) {
  const V factor = value_of(law.size_factor, size, at.triaxiality, at.lode), triaxiality = at.triaxiality;
  if (law.shear_reduction == 0 && law.biaxial_reduction == 0) return factor;
  const V end(law.shear_end), begin(law.biaxial_begin);
  const V below = V(1) - simd::min(simd::max(triaxiality, V(0)), end) * V(1 / law.shear_end);
  const V above =
      (simd::min(simd::max(triaxiality, begin), V(2.0 / 3)) - begin) * V(1 / (2.0 / 3 - law.biaxial_begin));
  const V less = simd::select(triaxiality < V(1.0 / 3), V(law.shear_reduction) * below,
                              V(law.biaxial_reduction) * above);
  return factor + less * (V(1) - factor);
}

/// The factor of failure strains at a rate of plastic strain.
template <class V>
V rate_factor(const AddedDamageLaw& law, V plastic, V dt) {
  const V rate = plastic / dt;
  return value_of(law.rate_factor, law.log_rate ? simd::log(simd::max(rate, V(1e-30))) : rate, V(0));
}

/// Adds `by` to D^(1/n), up to its limit; never less than before.
template <class V>
void grow(const AddedDamageLaw& law, V by, V triaxiality, V& root) {
  V most(1);
  if (law.limited) most = simd::max(power_of(value_of(law.limit, triaxiality, V(0)), 1 / law.exponent), root);
  root = simd::min(root + by, most);
}

/// F at the end of the step, and the damage where it reaches 1 within the step. `before` and `state.root` are
/// D^(1/n) at the ends of the step.
template <class V>
void destabilise(const AddedDamageLaw& law, V by, V before, DamageState<V>& state) {
  const V left = V(1) - state.instability_root;
  const auto now = state.instability_root < V(1) && by >= left;
  const V part = simd::select(now, left / simd::select(by > V(0), by, V(1)), V(0));
  const V critical = power_of(before + part * (state.root - before), law.exponent);
  state.critical = simd::select(now, critical, state.critical);
  state.instability_root = simd::min(state.instability_root + by, V(1));
  state.instability = power_of(state.instability_root, law.exponent);
}

/// The share of the stress that is lost.
template <class V>
V softening_of(const AddedDamageLaw& law, const DamageState<V>& state) {
  const auto soft = law.has_critical_strain ? state.instability_root >= V(1) && state.damage > state.critical
                                            : state.damage > state.critical;
  if (!simd::any(soft)) return V(0);
  const V range = simd::select(soft, V(1) - state.critical, V(1));
  const V beyond = simd::select(soft, (state.damage - state.critical) / range, V(0));
  const V exponent = value_of(law.fading, state.size, state.triaxiality);
  const V share =
      law.fading.curves.n_curves == 0 && law.fading.constant == 1 ? beyond : simd::pow(beyond, exponent);
  return simd::select(soft, simd::min(share, V(1 - 1e-6)), V(0));
}

/// The damage after a step with undamaged stress `s` and the increment `plastic` of plastic strain.
template <class V>
void advance(const AddedDamageLaw& law, const V (&s)[6], V plastic, V dt, DamageState<V>& state) {
  const StressState<V> at = stress_state(s);
  const auto whole = !(state.failed > V(0));
  state.triaxiality = simd::select(whole, at.triaxiality, state.triaxiality);
  state.lode = simd::select(whole, at.lode, state.lode);
  V by = plastic / value_of(law.failure_strain, at.triaxiality, at.lode), rate(1);
  if (law.has_rate) {
    rate = rate_factor(law, plastic, dt);
    by /= rate;
  }
  const V before = state.root;
  const V own = law.regularised ? by / regularisation(law, state.size, at) : by;
  grow(law, own, at.triaxiality, state.root);
  state.damage = power_of(state.root, law.exponent);
  if (law.reference_size > 0) {
    const V of_reference = law.regularised ? by / regularisation(law, V(law.reference_size), at) : by;
    grow(law, of_reference, at.triaxiality, state.reference_root);
    state.at_reference = power_of(state.reference_root, law.exponent);
  }
  if (law.has_critical_strain) {
    const V scale = law.rate_scales_critical ? rate : V(1);
    destabilise(law, plastic / (value_of(law.critical_strain, at.triaxiality, at.lode) * scale), before,
                state);
  } else {
    state.critical = V(law.critical_damage);
  }
  if (!law.couples) return;
  state.softening = softening_of(law, state);
  state.failed = simd::select(state.root >= V(1), V(1), state.failed);
}

/// Updates a point by its law, and damages it. `update` calls the law.
template <class V, class Point, class Update>
void damage_point(const AddedDamageLaw& law, Point& point, Update update) {
  DamageState<V> state(law, point.history);
  const auto before = state.failed > V(0);
  const V plastic_before = point.plastic_strain;
  const V whole = V(1) / simd::select(before, V(1), V(1) - state.softening);
  for (V& s : point.s) s *= whole;
  update(point);
  const V plastic = simd::select(before, V(0), simd::max(point.plastic_strain - plastic_before, V(0)));
  advance(law, point.s, plastic, point.dt, state);
  state.store();
  for (V& s : point.s) s *= V(1) - state.softening;
  fail(before, state.failed > V(0), plastic_before, point);
}

template <class V>
void update_solid(const AddedDamageLaw& law, SolidPoint<V>& point) {
  damage_point<V>(law, point, [&](SolidPoint<V>& p) { update_solid(law.law, p); });
}

template <class V>
void update_shell(const AddedDamageLaw& law, ShellPoint<V>& point) {
  damage_point<V>(law, point, [&](ShellPoint<V>& p) { update_shell(law.law, p); });
  point.d[2] = simd::select(point.failed, V(0), point.d[2]);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

CRUMPLE_UPDATES(AddedDamageLaw)
