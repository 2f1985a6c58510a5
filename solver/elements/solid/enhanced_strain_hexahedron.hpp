// Hexahedron with 2x2x2 points and enhanced strains, for implicit linear analysis (ELFORM 18).
//
// To the strains of the trilinear displacements those of the nine incompatible displacements (1 - xi_m^2) a_m
// are added (Wilson, Taylor, Doherty and Ghaboussi 1973, "Incompatible displacement models"), with the base
// vectors at the centre and the factor j0 / j, so that they do no work on constant stresses and the element
// passes the patch test for any shape (Taylor, Beresford and Wilson 1976, "A non-conforming element for
// stress analysis"):
//
//   d_p = B_p v dt + (j0 / j_p) sum_m xi_m sym(a_m (x) G^m),     G^m = grad xi_m at the centre.
//
// This is the enhanced assumed strain of Simo and Rifai (1990, "A class of mixed assumed strain methods and
// the method of incompatible modes", sections 3 and 5) with nine parameters, which span the same strains. The
// parameters follow in each element from the condition that the stresses do no work on the added strains,
//
//   sum_p xi_m s_p G^m = 0 for m = 1, 2, 3,
//
// nine linear equations, as the law is linear: elastic and isotropic, without criteria or history. So only
// stresses are kept, as in other solids. A brick that bends has no parasitic shear, and no locking by
// Poisson's ratio, also nearly incompressible. Distorted elements in bending lock by their trapezoidal shape
// (MacNeal 1987, "A theorem regarding the locking of tapered four-noded membrane elements").
//
// Rotations may be large: stresses turn with the points, and the added strains are in axes at the end of the
// step. Strains should stay small: under large compression such elements have modes without stiffness
// (Wriggers and Reese 1996, "A note on enhanced strain methods for large deformations").
#pragma once

#include "elements/element.hpp"
#include "elements/solid/full_hexahedron.hpp"
#include "elements/solid/isoparametric.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

inline constexpr int kEnhanced = 9;  ///< parameters a_m, [3 m + component]

/// Solves h a = r for a symmetric positive definite matrix, of which the lower triangle is given and lost
/// (Cholesky's method without roots; Golub and Van Loan 1996, section 4.1.2).
template <class V>
void solve_symmetric(V (&h)[kEnhanced][kEnhanced], V (&r)[kEnhanced]) {
  V inverse[kEnhanced];
  for (int j = 0; j < kEnhanced; ++j) {
    V scaled[kEnhanced];
    for (int k = 0; k < j; ++k) {
      scaled[k] = h[j][k] * h[k][k];
      h[j][j] -= h[j][k] * scaled[k];
    }
    inverse[j] = simd::inverse(h[j][j]);
    for (int i = j + 1; i < kEnhanced; ++i) {
      for (int k = 0; k < j; ++k) h[i][j] -= h[i][k] * scaled[k];
      h[i][j] *= inverse[j];
    }
    for (int k = 0; k < j; ++k) r[j] -= h[j][k] * r[k];
  }
  for (int j = kEnhanced - 1; j >= 0; --j) {
    r[j] *= inverse[j];
    for (int i = j + 1; i < kEnhanced; ++i) r[j] -= h[i][j] * r[i];
  }
}

/// Hooke's law with the constants of a group.
template <class V>
struct LinearLaw {
  V lambda, shear;
  explicit LinearLaw(const GroupParameters& group)
      : lambda(static_cast<simd::scalar_t<V>>(group.bulk - 2.0 / 3.0 * group.shear)),
        shear(static_cast<simd::scalar_t<V>>(group.shear)) {}

  /// Adds the stress of a strain (shears engineering).
  void add(const V (&d)[6], V (&s)[6]) const {
    const V mean = lambda * (d[0] + d[1] + d[2]);
    for (int k = 0; k < 3; ++k) {
      s[k] += mean + shear * (d[k] + d[k]);
      s[3 + k] += shear * d[3 + k];
    }
  }
};

/// The added strains at the end of the step.
template <class V>
class AddedStrains {
 public:
  AddedStrains(const V (&x)[8][3], const PointVolumes<FullHexahedronShape, V>& volumes) {
    using T = simd::scalar_t<V>;
    V base[3][3];  // at the centre, [natural direction][component]
    for (int m = 0; m < 3; ++m)
      for (int i = 0; i < 3; ++i) {
        base[m][i] = V(0);
        for (int a = 0; a < 8; ++a)
          base[m][i] += V(static_cast<T>(0.125 * (2 * kHexahedronShape[a][m] - 1))) * x[a][i];
      }
    const V volume = cofactors(1.0, base, gradient_), inverse = simd::inverse(volume);
    for (auto& of : gradient_)
      for (V& component : of) component *= inverse;
    for (int p = 0; p < 8; ++p) factor_[p] = volume * simd::inverse(volumes.at[p]);
  }

  /// Takes the stress of point p into the work on each parameter.
  void add_work(int p, const V (&s)[6], V (&work)[kEnhanced]) const {
    for (int m = 0; m < 3; ++m) {
      const V xi = natural(p, m), (&g)[3] = gradient_[m];
      work[3 * m] += xi * (s[0] * g[0] + s[3] * g[1] + s[5] * g[2]);
      work[3 * m + 1] += xi * (s[3] * g[0] + s[1] * g[1] + s[4] * g[2]);
      work[3 * m + 2] += xi * (s[5] * g[0] + s[4] * g[1] + s[2] * g[2]);
    }
  }

  /// The parameters for which stresses that now do `work` do none; in place.
  void solve(const LinearLaw<V>& law, V (&work)[kEnhanced]) const {
    V h[kEnhanced][kEnhanced];
    for (int m = 0; m < 3; ++m)
      for (int n = 0; n <= m; ++n) {
        V sum = V(0);
        for (int p = 0; p < 8; ++p) sum += natural(p, m) * natural(p, n) * factor_[p];
        const V(&g)[3] = gradient_[m], (&o)[3] = gradient_[n];
        const V along = g[0] * o[0] + g[1] * o[1] + g[2] * o[2];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            V entry = law.lambda * g[i] * o[j] + law.shear * o[i] * g[j];
            if (i == j) entry += law.shear * along;
            h[3 * m + i][3 * n + j] = sum * entry;
          }
      }
    for (V& entry : work) entry = -entry;
    solve_symmetric(h, work);
  }

  /// The added strain of point p, shears engineering.
  void strain(int p, const V (&a)[kEnhanced], V (&d)[6]) const {
    for (V& entry : d) entry = V(0);
    for (int m = 0; m < 3; ++m) {
      const V scale = factor_[p] * natural(p, m);
      const V(&g)[3] = gradient_[m];
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        d[i] += scale * a[3 * m + i] * g[i];
        d[3 + i] += scale * (a[3 * m + i] * g[j] + a[3 * m + j] * g[i]);
      }
    }
  }

 private:
  static V natural(int p, int m) {
    constexpr double at = 0.57735026918962576451;  // 1 / sqrt(3)
    return V(static_cast<simd::scalar_t<V>>(at * (2 * kHexahedronShape[p][m] - 1)));
  }
  V gradient_[3][3];  ///< G^m
  V factor_[8];       ///< j0 / j of the points
};

struct EnhancedStrainHexahedron : Solid {
  static constexpr int n_nodes = 8;
  static constexpr auto& shape = kHexahedronShape;
  static constexpr bool hourglass = false, damps = false;
  using Shape = FullHexahedronShape;

  /// Stresses turned, and stresses and strains of the displacements at all points.
  template <class V>
  struct Points {
    V before[8][6], stress[8][6], strain[8][6];
  };

  template <class V>
  static void trial(const GroupParameters& group, const PointGeometry<Shape, V>& geometry, V dt,
                    const simd::scalar_t<V>* points, Points<V>& out) {
    const LinearLaw<V> law(group);
    for (int p = 0; p < 8; ++p) {
      V rotation[3][3];
      step_rotation(geometry.l[p], dt, rotation);
      strain_increment(geometry.l[p], dt, out.strain[p]);
      if (group.turns_far) turn_to_end(rotation, out.strain[p]);
      for (int k = 0; k < 6; ++k)
        out.before[p][k] = simd::load<V>(points + (p * solid::point_stride(group) + k) * kLanes);
      rotate_symmetric(rotation, out.before[p]);
      for (int k = 0; k < 6; ++k) out.stress[p][k] = out.before[p][k];
      law.add(out.strain[p], out.stress[p]);
    }
  }

  /// Adds the enhanced strains and stores the stresses. Returns the work of the step.
  template <class V>
  static V enhance(const GroupParameters& group, const PointGeometry<Shape, V>& geometry,
                   const AddedStrains<V>& added, simd::scalar_t<V>* points, Points<V>& at) {
    const LinearLaw<V> law(group);
    V parameters[kEnhanced], work = V(0);
    for (V& parameter : parameters) parameter = V(0);
    for (int p = 0; p < 8; ++p) added.add_work(p, at.stress[p], parameters);
    added.solve(law, parameters);
    for (int p = 0; p < 8; ++p) {
      V more[6], of_point = V(0);
      added.strain(p, parameters, more);
      law.add(more, at.stress[p]);
      for (int k = 0; k < 6; ++k) {
        of_point += (at.before[p][k] + at.stress[p][k]) * (at.strain[p][k] + more[k]);
        simd::store(points + (p * solid::point_stride(group) + k) * kLanes, at.stress[p][k]);
      }
      work += geometry.middle.at[p] * of_point;
    }
    return V(static_cast<simd::scalar_t<V>>(0.5)) * work;
  }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 8, false>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 8, false>& out) const {
    using T = simd::scalar_t<V>;
    using namespace solid;
    const V dt = V(static_cast<T>(of.dt));
    PointGeometry<Shape, V> geometry;
    point_geometry(motion, dt, geometry);
    const auto sane = geometry.middle.positive && geometry.end.positive;
    V gradient[8][3], products[6];
    geometry.gradient.at_nodes(gradient);
    gradient_products(gradient, products);
    const V inverse = simd::inverse(geometry.end.total), volume0 = before.load(kVolume0);
    const SoundSpeed<V> sound =
        sound_speed(group, geometry.end.total * simd::inverse(volume0), volume0 * inverse);
    const StepGeometry<V> of_step = step_geometry<8>(group, Shape::area_squared(motion.x), products, inverse);
    out.step = simd::select(sane, free_step(sound, of_step), V(0));
    if (of.dt == 0) return;
    const AddedStrains<V> added(motion.x, geometry.end);
    Points<V> at;
    trial(group, geometry, dt, after.from(kPoints), at);
    out.internal = enhance(group, geometry, added, after.from(kPoints), at);
    sum_forces(geometry, at.stress, out.f);
    out.survives = of.living;
    out.acts = out.counts = of.living && sane;
  }

 private:
  template <class V>
  static void sum_forces(const PointGeometry<Shape, V>& geometry, const V (&stress)[8][6], V (&f)[8][3]) {
    NodalSum<Shape, V> sum;
    for (int p = 0; p < 8; ++p) {
      const V(&s)[6] = stress[p];
      const V full[3][3] = {{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
      V t[3][3];
      for (int m = 0; m < 3; ++m) {
        const V(&c)[3] = geometry.cofactor[p][m];
        for (int i = 0; i < 3; ++i) t[m][i] = full[i][0] * c[0] + full[i][1] * c[1] + full[i][2] * c[2];
      }
      sum.add(p, t);
    }
    sum.at_nodes(f);
  }
};

struct EnhancedStrainHexahedronForm {
  static constexpr bool flatten = false;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(EnhancedStrainHexahedron());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
