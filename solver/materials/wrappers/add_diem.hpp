// *MAT_ADD_DAMAGE_DIEM: initiation of damage by several criteria, each with its evolution, added to any other
// law, whose update it calls.
//
// The law computes the undamaged stress s~ with its mean m, von Mises's q, the largest principal value s1 and
// the largest shear t. With the increment dp of the law's plastic strain, each criterion has (LS-DYNA keyword
// manual, vol. II; the same criteria: Hooputra, Gese, Dell and Werner 2004, Int. J. Crashworthiness 9, p.
// 449, eqs. 1 to 4)
//
//   dw = dp / (a e(x, dp/dt)),  x = m / q          DITYP 0, ductile
//                               x = (q - k m) / t  DITYP 1, shear
//                               x = (q - k m) / s1 DITYP 4, by the largest principal stress
//
// and from w = 1 on, with the size l of the element (Hillerborg, Modeer and Petersson 1976)
//
//   dd = l dp / (b u)               DETYP 0: u is the plastic displacement at failure
//   dd = l dp q0 / (2 b G)          DETYP 1: G is the energy, and q0 is q where w becomes 1
//
// d of the criteria with DCTYP 0 give the largest, those with DCTYP 1 1 - product of (1 - d); the damage D is
// the larger of both, and s = (1 - D) s~. A point fails at D = 1. With DCTYP -1 d is only summed. a and b are
// curves over the size. Where w passes 1 within a step, d grows by the rest of that step only, so that it
// does not depend on the step.
//
// P4 = 1: in shells without the transverse shears. P3 = 1: t of shells is that of all three directions, else
// of the plane. Softening ends a millionth before all stress is gone.
//
// State: that of the law, then D, the largest w, whether the point has failed, triaxiality, 0, the size of
// the element (the places of damage_variable), then w, d and q0 of each criterion.
#pragma once

#include "materials/principal_values.hpp"
#include "materials/wrappers/add_damage.hpp"

namespace crumple::materials {

/// A criterion with its evolution.
struct DiemCriterion {
  int type = 0;      ///< DITYP
  Tabulated onset;   ///< e(x, rate)
  double share = 0;  ///< k
  bool all_directions = false, transverse = true;
  bool sized = false, evolution_sized = false;
  Tabulated size_factor, evolution_factor;  ///< a, b
  bool by_energy = false;                   ///< DETYP
  double amount = 1;                        ///< u, or G
  int composition = 0;                      ///< DCTYP
};

inline constexpr int kMostDiemCriteria = 5;
inline constexpr int kDiemVariables = damage_variable::size + 1, kVariablesOfCriterion = 3;

/// The law that computes the undamaged stress, and the criteria.
struct DiemLaw {
  Law law;
  int law_history = 0;  ///< history variables of the law, before those of the damage
  int count = 0;
  DiemCriterion criterion[kMostDiemCriteria];
};

/// `prepared` with the criteria, if the material has any: fields DIEM.NUMFIP and DIEM.1.DITYP etc.
Prepared add_diem(const model::Model& model, const model::Material& material, Prepared prepared);

inline namespace CRUMPLE_ISA {

/// Of an undamaged stress.
template <class V>
struct DiemStress {
  V mean, equivalent, largest, shear;
};

/// `in_plane`: the largest shear is that of the plane of a shell.
template <class V>
DiemStress<V> diem_stress(const V (&s)[6], bool transverse, bool in_plane) {
  const V none(0), yz = transverse ? s[4] : none, zx = transverse ? s[5] : none;
  const V mean = V(1.0 / 3) * (s[0] + s[1] + s[2]);
  const V x = s[0] - mean, y = s[1] - mean, z = s[2] - mean;
  const V q = simd::sqrt(V(1.5) * (x * x + y * y + z * z) + V(3) * (s[3] * s[3] + yz * yz + zx * zx));
  const V all[6] = {s[0], s[1], s[2], s[3], yz, zx};
  const PrincipalRange<V> range = principal_range(all);
  V shear = V(0.5) * (range.largest - range.smallest);
  if (in_plane) {
    const V half = V(0.5) * (s[0] - s[1]);
    shear = simd::sqrt(half * half + s[3] * s[3]);
  }
  return {mean, q, range.largest, shear};
}

/// On what the plastic strain at the onset of damage depends.
template <class V>
V diem_abscissa(const DiemCriterion& of, const DiemStress<V>& s) {
  const V tiny(1e-20);
  if (of.type == 0) return s.mean / simd::max(s.equivalent, tiny);
  const V over = s.equivalent - V(of.share) * s.mean;
  if (of.type == 1) return over / simd::max(s.shear, tiny);
  return over / simd::select(simd::abs(s.largest) > tiny, s.largest, tiny);
}

/// w, d and q0 of a criterion after the increment `plastic`; returns w and d.
template <class V>
void advance_criterion(const DiemCriterion& of, const V (&s)[6], bool shell, V plastic, V dt, V size, V& w,
                       V& d, V& at_onset) {
  const DiemStress<V> stress = diem_stress(s, !shell || of.transverse, shell && !of.all_directions);
  const V none(0), one(1);
  V onset = value_of(of.onset, diem_abscissa(of, stress), V(plastic / dt));
  if (of.sized) onset *= value_of(of.size_factor, size, none);
  const V by = plastic / onset, total = w + by;
  const auto begun = total > one;
  const V part = simd::min((total - one) / simd::select(by > none, by, one), one);
  at_onset = simd::select(begun && w < one, stress.equivalent, at_onset);
  V amount(of.amount);
  if (of.evolution_sized) amount *= value_of(of.evolution_factor, size, none);
  V grown = size * part * plastic / amount;
  if (of.by_energy) grown *= V(0.5) * at_onset;
  d = simd::min(d + simd::select(begun, grown, none), one);
  w = simd::min(total, one);
}

/// The damage after a step; the variables of the criteria are kept.
template <class V>
V advance_diem(const DiemLaw& law, const V (&s)[6], bool shell, V plastic, V dt,
               const History<simd::scalar_t<V>>& history, V& largest_onset) {
  const V size = history.template load<V>(law.law_history + damage_variable::size);
  V most(0), whole(1);
  for (int k = 0; k < law.count; ++k) {
    const DiemCriterion& of = law.criterion[k];
    const int first = law.law_history + kDiemVariables + k * kVariablesOfCriterion;
    V w = history.template load<V>(first), d = history.template load<V>(first + 1),
      at_onset = history.template load<V>(first + 2);
    advance_criterion(of, s, shell, plastic, dt, size, w, d, at_onset);
    history.store(first, w);
    history.store(first + 1, d);
    history.store(first + 2, at_onset);
    largest_onset = simd::max(largest_onset, w);
    if (of.composition == 0) most = simd::max(most, d);
    if (of.composition == 1) whole *= V(1) - d;
  }
  return simd::max(most, V(1) - whole);
}

/// Updates a point by its law, and damages it. `update` calls the law.
template <class V, class Point, class Update>
void damage_by_diem(const DiemLaw& law, Point& point, bool shell, Update update) {
  const auto& history = point.history;
  const int first = law.law_history;
  const auto before = history.template load<V>(first + damage_variable::failed) > V(0);
  const V kept = history.template load<V>(first + damage_variable::damage);
  const V plastic_before = point.plastic_strain;
  const V whole = V(1) / simd::select(before, V(1), V(1) - simd::min(kept, V(1 - 1e-6)));
  for (V& s : point.s) s *= whole;
  update(point);
  const V plastic = simd::select(before, V(0), simd::max(point.plastic_strain - plastic_before, V(0)));
  V onset(0);
  const V damage = simd::max(kept, advance_diem(law, point.s, shell, plastic, point.dt, history, onset));
  const auto failed = before || damage >= V(1);
  history.store(first + damage_variable::damage, damage);
  history.store(first + damage_variable::critical, onset);
  history.store(first + damage_variable::failed, simd::select(failed, V(1), V(0)));
  history.store(first + damage_variable::triaxiality, stress_state(point.s).triaxiality);
  for (V& s : point.s) s *= V(1) - simd::min(damage, V(1 - 1e-6));
  fail(before, failed, plastic_before, point);
}

template <class V>
void update_solid(const DiemLaw& law, SolidPoint<V>& point) {
  damage_by_diem<V>(law, point, false, [&](SolidPoint<V>& p) { update_solid(law.law, p); });
}

template <class V>
void update_shell(const DiemLaw& law, ShellPoint<V>& point) {
  damage_by_diem<V>(law, point, true, [&](ShellPoint<V>& p) { update_shell(law.law, p); });
  point.d[2] = simd::select(point.failed, V(0), point.d[2]);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

CRUMPLE_UPDATES(DiemLaw)
