// Hexahedron with 2x2x2 points and assumed strains, for poor aspect ratios (ELFORM -1 and -2).
//
// The trilinear hexahedron shears when it bends over a long side: u = xi zeta has, beside its bending strain
// zeta / a, the shear xi / c. Pure bending has no shear; this one grows with the aspect ratio a / c. Borrvall
// (2009, "A heuristic attempt to reduce transverse shear locking in fully integrated hexahedra with poor
// aspect ratio", 7th European LS-DYNA Conference) shows this and removes the shear in ELFORM -1 and -2 of
// LS-DYNA. Here an assumed strain field removes it, in the manner of Belytschko and Bindeman (1993, "Assumed
// strain stabilization of the eight node hexahedral element"), at integration points that have the law's own
// stresses. The velocity splits exactly into a linear part, with the mean gradient, and four hourglass fields
// h = eta zeta, zeta xi, xi eta, xi eta zeta with the vectors q = gamma_I v_I. In the base vectors G at the
// centre, with c_a = q_a / 8,
//
//   E_xi xi = zeta G_xi.c_2 + eta G_xi.c_3 + eta zeta G_xi.c_4      and cyclic,
//   2 E_xi eta = zeta (G_xi.c_1 + G_eta.c_2)                        and cyclic:
//
// all normal strains, and of the shears the part from twisting. The rest, the shears of bending and of the
// fourth field, is parasitic and left out. Every mode has stiffness, and Kirchhoff's twisting of a thin plate
// has no transverse shear. As gamma is orthogonal to linear fields, patch tests and rigid rotations are exact
// for any shape. As in ELFORM 2 all points share the mean dilatation, so the assumed strains have no trace:
// only the deviators of stresses vary. One element through the thickness of a bent plate has half its elastic
// stiffness or less (2 G 2/3 for E / (1 - nu^2)), two have nine tenths.
//
// A bent cube does not lock either. So these elements differ from ELFORM 2 also at the aspect ratio 1, unlike
// LS-DYNA's. One kernel serves both numbers.
#pragma once

#include "elements/element.hpp"
#include "elements/failed_points.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/solid/hexahedron_patterns.hpp"
#include "elements/solid/hourglass.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/material_point.hpp"
#include "elements/solid/solid.hpp"
#include "elements/solid/viscosity.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// The element at one time: integrated gradient, base vectors at the centre, hourglass sums of positions.
template <class V>
struct AssumedStrainGeometry {
  SignSums<V> x[3];  ///< of positions
  PatternGradient<V> b;
  V volume, inverse;         ///< 1 / volume
  V base[3][3], dual[3][3];  ///< [natural direction][global component]
  V determinant;             ///< of the base vectors

  explicit AssumedStrainGeometry(const SignSums<V> (&positions)[3]) {
    using T = simd::scalar_t<V>;
    for (int i = 0; i < 3; ++i) {
      x[i] = positions[i];
      for (int m = 0; m < 3; ++m) base[m][i] = V(static_cast<T>(0.125)) * x[i].axis[m];
    }
    integrated_gradient(x, b);
    volume = V(static_cast<T>(1 / kPatternScale)) * integral(x[0], b, 0);
    inverse = simd::inverse(volume);
    for (int m = 0; m < 3; ++m) {
      const auto &n = base[(m + 1) % 3], &o = base[(m + 2) % 3];
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        dual[m][i] = n[j] * o[k] - n[k] * o[j];
      }
    }
    determinant = base[0][0] * dual[0][0] + base[0][1] * dual[0][1] + base[0][2] * dual[0][2];
    const V over = simd::inverse(determinant);
    for (auto& direction : dual)
      for (V& component : direction) component *= over;
  }
};

/// Signs of the eight points' natural coordinates: point p lies towards node p.
inline double point_sign(int p, int m) { return 2 * kHexahedronShape[p][m] - 1; }

/// c[a][m] = G_m . q_a / 8 of the velocities; `l` is their mean gradient.
template <class V>
void hourglass_components(const AssumedStrainGeometry<V>& g, const SignSums<V> (&v)[3], const V (&l)[3][3],
                          V (&c)[4][3]) {
  using T = simd::scalar_t<V>;
  for (int a = 0; a < 4; ++a) {
    V q[3];
    for (int i = 0; i < 3; ++i)
      q[i] = V(static_cast<T>(0.125)) * (v[i].hourglass[a] - l[i][0] * g.x[0].hourglass[a] -
                                         l[i][1] * g.x[1].hourglass[a] - l[i][2] * g.x[2].hourglass[a]);
    for (int m = 0; m < 3; ++m) c[a][m] = g.base[m][0] * q[0] + g.base[m][1] * q[1] + g.base[m][2] * q[2];
  }
}

/// Assumed hourglass strain (rate) of a point, without trace: xx yy zz xy yz zx, shears engineering.
template <class V>
void hourglass_strain(const AssumedStrainGeometry<V>& g, const V (&c)[4][3], int p, V (&d)[6]) {
  using T = simd::scalar_t<V>;
  constexpr double place = 0.57735026918962576451;  // 1 / sqrt(3)
  const V one(static_cast<T>(place)), two(static_cast<T>(place * place));
  V at[3];
  for (int m = 0; m < 3; ++m) at[m] = point_sign(p, m) > 0 ? one : -one;
  V e[3][3];
  for (int m = 0; m < 3; ++m) {
    // Pattern k is the product of the two coordinates other than k.
    const int n = (m + 1) % 3, o = (m + 2) % 3;
    const V both = point_sign(p, n) * point_sign(p, o) > 0 ? two : -two;
    e[m][m] = at[o] * c[n][m] + at[n] * c[o][m] + both * c[3][m];
    e[m][n] = e[n][m] = V(static_cast<T>(0.5)) * at[o] * (c[m][m] + c[n][n]);
  }
  V full[3][3];
  for (int i = 0; i < 3; ++i) {
    V row[3];
    for (int n = 0; n < 3; ++n)
      row[n] = g.dual[0][i] * e[0][n] + g.dual[1][i] * e[1][n] + g.dual[2][i] * e[2][n];
    for (int j = i; j < 3; ++j)
      full[i][j] = row[0] * g.dual[0][j] + row[1] * g.dual[1][j] + row[2] * g.dual[2][j];
  }
  const V mean = V(static_cast<T>(1.0 / 3.0)) * (full[0][0] + full[1][1] + full[2][2]);
  for (int i = 0; i < 3; ++i) d[i] = full[i][i] - mean;
  d[3] = V(2) * full[0][1];
  d[4] = V(2) * full[1][2];
  d[5] = V(2) * full[0][2];
}

/// Sums up the conjugates of the components c: the transpose of `hourglass_strain`.
template <class V>
struct HourglassConjugates {
  V c[4][3];

  HourglassConjugates() {
    for (auto& of_pattern : c)
      for (V& component : of_pattern) component = V(0);
  }

  void add(const AssumedStrainGeometry<V>& g, int p, V weight, const V (&s)[6]) {
    using T = simd::scalar_t<V>;
    constexpr double place = 0.57735026918962576451;
    const V one = V(static_cast<T>(place)) * weight, two = V(static_cast<T>(place * place)) * weight;
    const V mean = V(static_cast<T>(1.0 / 3.0)) * (s[0] + s[1] + s[2]);
    const V t[3][3] = {{s[0] - mean, s[3], s[5]}, {s[3], s[1] - mean, s[4]}, {s[5], s[4], s[2] - mean}};
    V natural[3][3];  // S^mn
    for (int m = 0; m < 3; ++m) {
      V row[3];
      for (int j = 0; j < 3; ++j)
        row[j] = g.dual[m][0] * t[0][j] + g.dual[m][1] * t[1][j] + g.dual[m][2] * t[2][j];
      for (int n = 0; n < 3; ++n)
        natural[m][n] = row[0] * g.dual[n][0] + row[1] * g.dual[n][1] + row[2] * g.dual[n][2];
    }
    V at[3];
    for (int m = 0; m < 3; ++m) at[m] = point_sign(p, m) > 0 ? one : -one;
    for (int m = 0; m < 3; ++m) {
      const int n = (m + 1) % 3, o = (m + 2) % 3;
      const V both = point_sign(p, n) * point_sign(p, o) > 0 ? two : -two;
      c[n][m] += at[o] * natural[m][m];
      c[o][m] += at[n] * natural[m][m];
      c[3][m] += both * natural[m][m];
      const V twist = at[o] * natural[m][n];
      c[m][m] += twist;
      c[n][n] += twist;
    }
  }

  /// Generalised hourglass stresses; the nodal force is sum_a q[i][a] gamma_a.
  void stresses(const AssumedStrainGeometry<V>& g, V (&q)[3][4]) const {
    using T = simd::scalar_t<V>;
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < 4; ++a)
        q[i][a] = V(static_cast<T>(0.125)) *
                  (c[a][0] * g.base[0][i] + c[a][1] * g.base[1][i] + c[a][2] * g.base[2][i]);
  }
};

/// Nodal forces of the mean stress and the hourglass stresses; the correction of gamma is added to the mean
/// stress.
template <class V>
void assumed_strain_forces(const AssumedStrainGeometry<V>& g, const V (&s)[6], V viscosity,
                           const V (&q)[3][4], V (&f)[8][3]) {
  V t[3][3];
  pattern_stress(s, viscosity, t);
  const V inverse = V(static_cast<simd::scalar_t<V>>(1 / kPatternScale)) * g.inverse;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      t[i][j] -= inverse * (q[i][0] * g.x[j].hourglass[0] + q[i][1] * g.x[j].hourglass[1] +
                            q[i][2] * g.x[j].hourglass[2] + q[i][3] * g.x[j].hourglass[3]);
  pattern_forces(t, g.b, q, f);
}

/// Sums over the eight points.
template <class V>
struct AssumedStrainPoints {
  V mean[6];      ///< stress
  V work, taken;  ///< per volume: work of the stresses, energy of stiffness damping
  simd::mask_t<V> failed;
};

/// Update all points and add up their conjugates. A failed point has no stress.
template <class V>
AssumedStrainPoints<V> update_assumed_strain_points(const GroupParameters& group, double step,
                                                    const AssumedStrainGeometry<V>& middle,
                                                    const AssumedStrainGeometry<V>& end, const V (&l)[3][3],
                                                    const SignSums<V> (&v)[3], V ratio, V damping,
                                                    simd::scalar_t<V>* points,
                                                    HourglassConjugates<V>& conjugates) {
  using T = simd::scalar_t<V>;
  const V dt = V(static_cast<T>(step)), eighth = V(static_cast<T>(0.125)), zero = V(0);
  V mean_strain[6], rotation[3][3], components[4][3];
  strain_increment(l, dt, mean_strain);
  step_rotation(l, dt, rotation);
  hourglass_components(middle, v, l, components);
  AssumedStrainPoints<V> result;
  for (V& s : result.mean) s = zero;
  result.work = result.taken = zero;
  V n_failed = zero;
  for (int p = 0; p < 8; ++p) {
    V d[6];
    hourglass_strain(middle, components, p, d);
    for (int k = 0; k < 6; ++k) d[k] = mean_strain[k] + dt * d[k];
    T* variables = points + p * solid::point_stride(group) * kLanes;
    PointResult<V> point;
    update_point(group, variables, rotation, d, dt, ratio, point);
    result.work += eighth * point.work;
    n_failed += simd::select(point.failed, V(1), zero);
    for (int k = 0; k < 6; ++k) {
      point.stress[k] = simd::select(point.failed, zero, point.stress[k]);
      simd::store(variables + k * kLanes, point.stress[k]);
    }
    if (group.stiffness_damping != 0)
      result.taken +=
          eighth * add_stiffness_damping(group, simd::select(point.failed, zero, damping), d, point.stress);
    for (int k = 0; k < 6; ++k) result.mean[k] += eighth * point.stress[k];
    conjugates.add(end, p, eighth * end.volume, point.stress);
  }
  result.failed =
      enough_failed(group, n_failed, points + solid::kHistory * kLanes, solid::point_stride(group));
  return result;
}

struct AssumedStrainHexahedron : Solid {
  static constexpr int n_nodes = 8;
  static constexpr auto& shape = kHexahedronShape;
  static constexpr bool hourglass = false, damps = true;

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 8, false>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 8, false>& out) const {
    using T = simd::scalar_t<V>;
    using namespace solid;
    const V zero = V(0), half = V(static_cast<T>(0.5));
    const V dt = V(static_cast<T>(of.dt));
    SignSums<V> x[3], v[3], mid[3];
    sign_sums(motion.x, x);
    sign_sums(motion.v, v);
    sign_sums_before(x, v, half * dt, mid);
    const AssumedStrainGeometry<V> middle(mid), end(x);
    V l[3][3], products[6];
    velocity_gradient(v, middle.b, V(static_cast<T>(1 / kPatternScale)) * middle.inverse, l);
    gradient_products(end.b, products);
    const V rate = l[0][0] + l[1][1] + l[2][2];
    const V volume0 = before.load(kVolume0);
    const V ratio = end.volume * simd::inverse(volume0);
    const V length = cube_root_near(end.inverse, before.load(kLength));
    const auto sane =
        end.volume > zero && middle.volume > zero && end.determinant > zero && middle.determinant > zero;
    const SoundSpeed<V> sound = sound_speed(group, ratio, volume0 * end.inverse);
    const StepGeometry<V> of_step =
        step_geometry<8>(group, largest_face_squared(motion.x), products, end.inverse);
    out.step = simd::select(sane, solid_stable_step(group, sound, of_step, length, rate), zero);
    if (of.dt == 0) return;

    HourglassConjugates<V> conjugates;
    const V damping = solid_damping_per_step(group, sound, of_step, of.dt);
    const AssumedStrainPoints<V> points = update_assumed_strain_points(
        group, of.dt, middle, end, l, v, ratio, damping, after.from(kPoints), conjugates);
    const V old_viscosity = before.load(kViscosity);
    const V viscosity = bulk_viscosity(group.hourglass, sound, length, rate);
    after.store(kViscosity, viscosity);
    after.store(kLength, length);
    V q[3][4];
    conjugates.stresses(end, q);
    assumed_strain_forces(end, points.mean, viscosity, q, out.f);

    out.survives = of.living && !points.failed;
    out.acts = out.survives && sane;
    out.counts = of.living && sane;
    out.internal = middle.volume * (points.work - half * (old_viscosity + viscosity) * dt * rate);
    if (group.stiffness_damping != 0) out.damping = middle.volume * points.taken;
  }
};

/// ELFORM -1 and -2.
struct AssumedStrainHexahedronForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(AssumedStrainHexahedron());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
