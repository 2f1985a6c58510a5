// The law of elements whose stress along an axis is prescribed for a time, as in a bolt that is tightened
// (*INITIAL_STRESS_SECTION, *INITIAL_AXIAL_FORCE_BEAM).
//
// While the preload acts, the strain along the axis n of a solid is not that of the nodes: it is the one with
// which the law gives the stress wanted. The rest is the motion of the nut, without stress. So the element
// narrows as its stress says, and does not yield by being shortened. With b = the strain that is added to
// that of the nodes, e' = e + (n b' + b n') / 2, Hooke's law gives on the plane of n the traction
//     t' = t + (lambda + G) (b . n) n + G b,
// which is the one wanted, p n, if shear is not kept. A law that yields gives another one: then what is
// missing is added, g = p n - s n, as s + n g' + g n' - (g . n) n n', which changes no stress within the
// plane. The axis turns with the material. When the preload has ended, the law goes on from where it is.
//
// Beams are given their force as a whole (elements/beam/preload.hpp). State: that of the law, then whether
// the preload acts, the stress or force, and the axis of solids. Code outside elements sets the first two
// before each step (loads/preload/preloads.hpp).
#pragma once

#include "materials/prepared.hpp"
#include "materials/update.hpp"

namespace crumple::model {
struct Material;
}

namespace crumple::materials {

struct PreloadLaw {
  Law law;
  int law_history = 0;  ///< history variables of the law, before those of the preload
  double bulk = 0, shear = 0;
  /// Of solids: shear stress on the plane is that of the law, else 0. Of beams: so are the moments, else all
  /// points have the same axial stress.
  bool keeps = false;
};

/// History variables beyond the law's.
inline constexpr int kPreloadVariables = 5;

/// The preload of a law, null if it has none.
inline const PreloadLaw* preload_of(const Law& law) {
  return law.updates == &updates_by_isa<PreloadLaw> ? static_cast<const PreloadLaw*>(law.parameters)
                                                    : nullptr;
}

/// `prepared` with a preload.
Prepared add_preload(Prepared prepared, bool keeps);

inline namespace CRUMPLE_ISA {

/// s n, shears of s once.
template <class V>
void traction(const V (&s)[6], const V (&n)[3], V (&t)[3]) {
  t[0] = s[0] * n[0] + s[3] * n[1] + s[5] * n[2];
  t[1] = s[3] * n[0] + s[1] * n[1] + s[4] * n[2];
  t[2] = s[5] * n[0] + s[4] * n[1] + s[2] * n[2];
}

template <class V>
V inner(const V (&a)[3], const V (&b)[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// What is missing of the traction that is wanted: p n, with the shear of t if it is kept.
template <class V>
void missing_traction(const V (&t)[3], const V (&n)[3], V wanted, bool keeps_shear, V (&g)[3]) {
  const V normal = inner(t, n);
  for (int i = 0; i < 3; ++i) g[i] = keeps_shear ? (wanted - normal) * n[i] : wanted * n[i] - t[i];
}

/// Adds (n b' + b n') / 2 to strain increments d, whose shears are engineering's.
template <class V>
void add_strain_across(const V (&n)[3], const V (&b)[3], V (&d)[6]) {
  constexpr int from[3] = {0, 1, 2}, to[3] = {1, 2, 0};
  for (int i = 0; i < 3; ++i) {
    d[i] += n[i] * b[i];
    d[3 + i] += n[from[i]] * b[to[i]] + n[to[i]] * b[from[i]];
  }
}

/// Adds n g' + g n' - (g . n) n n' to stresses s.
template <class V>
void add_stress_across(const V (&n)[3], const V (&g)[3], V (&s)[6]) {
  constexpr int from[3] = {0, 1, 2}, to[3] = {1, 2, 0};
  const V normal = inner(g, n);
  for (int i = 0; i < 3; ++i) {
    s[i] += (g[i] + g[i] - normal * n[i]) * n[i];
    s[3 + i] += n[from[i]] * g[to[i]] + g[from[i]] * n[to[i]] - normal * n[from[i]] * n[to[i]];
  }
}

template <class V>
void update_solid(const PreloadLaw& law, SolidPoint<V>& point) {
  const int first = law.law_history;
  V n[3];
  for (int i = 0; i < 3; ++i) n[i] = point.history.template load<V>(first + 2 + i);
  if (point.rotation) {
    V turned[3];
    for (int i = 0; i < 3; ++i)
      turned[i] = point.rotation[i][0] * n[0] + point.rotation[i][1] * n[1] + point.rotation[i][2] * n[2];
    for (int i = 0; i < 3; ++i) point.history.store(first + 2 + i, n[i] = turned[i]);
  }
  const V factor = point.history.template load<V>(first), wanted = point.history.template load<V>(first + 1);
  if (!simd::any(factor > V(0))) return update_solid(law.law, point);

  const V shear(law.shear), lame(law.bulk - 2.0 / 3.0 * law.shear);
  const V mean = lame * (point.d[0] + point.d[1] + point.d[2]);
  V trial[6], t[3], g[3], b[3];
  for (int k = 0; k < 6; ++k)
    trial[k] = point.s[k] + (k < 3 ? mean + V(2) * shear * point.d[k] : shear * point.d[k]);
  traction(trial, n, t);
  missing_traction(t, n, wanted, law.keeps, g);
  // G b + (lambda + G) (b . n) n = g
  const V softness = factor * V(1 / law.shear);
  const V along = inner(g, n) * V((law.bulk + law.shear / 3) / (law.bulk + 4.0 / 3.0 * law.shear));
  for (int i = 0; i < 3; ++i) b[i] = softness * (g[i] - along * n[i]);
  add_strain_across(n, b, point.d);
  update_solid(law.law, point);
  traction(point.s, n, t);
  missing_traction(t, n, wanted, law.keeps, g);
  const V acts = simd::select(point.failed, V(0), factor);
  for (V& of : g) of *= acts;
  add_stress_across(n, g, point.s);
}

/// The force of a beam is set by its element.
template <class V>
void update_beam(const PreloadLaw& law, BeamPoint<V>& point) {
  update_beam(law.law, point);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

CRUMPLE_UPDATES(PreloadLaw)
