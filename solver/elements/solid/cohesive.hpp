// Cohesive elements: two surfaces of four (ELFORM 19) or three (ELFORM 21) nodes that a layer joins.
// Tractions between them follow from their separation, not stresses from strains, so the layer may have no
// thickness.
//
// The separation of a pair of nodes is that in the axes of the mid-surface, beyond that of the start,
//
//   delta_a = R(t) (x_upper - x_lower) - R(0) (X_upper - X_lower),
//
// interpolated to the points (LS-DYNA Keyword User's Manual, *SECTION_SOLID, remarks on cohesive elements;
// Ortiz and Pandolfi 1999, "Finite-deformation irreversible cohesive elements for three-dimensional
// crack-propagation analysis", Int. J. Numer. Methods Eng. 44, section 3, for the mid-surface that both sides
// share). R turns global components to the axes at the centre of the mid-surface. A rigid motion of any size
// gives no separation. Tractions act on the present area of the mid-surface, opposite on both sides. Like
// those of LS-DYNA, they have no term for the change of R with the nodes: at a separation along the surface
// that is not small beside the element they have a moment (Ottosen, Ristinmaa and Mosler 2015, "Fundamental
// physical principles and cohesive zone models at finite displacements", Int. J. Solids Struct. 53).
//
// Stable step: with f_a = sum of k N_a N_b A (u_b+ - u_b-), Gershgorin's circles give for the frequency
// omega^2 <= 2 k A_a / m_a, where A_a, the area at a corner, is the sum of its row. So the step is
// the root of 2 m_a / (k A_a): that of the layer's own stiffness and mass. The highest frequency of a mesh is
// at most that of an element alone (Irons and Treharne 1971, "A bound theorem in eigenvalues and its
// practical applications").
#pragma once

#include "elements/element.hpp"
#include "elements/kernel.hpp"
#include "elements/solid/cohesive_layout.hpp"
#include "elements/solid/cohesive_surface.hpp"
#include "elements/solid/geometry.hpp"
#include "materials/update.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

inline constexpr int kWedgeShape[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};

/// A valid element, for lanes without one.
template <int corners>
constexpr auto& cohesive_shape() {
  if constexpr (corners == 4)
    return kHexahedronShape;
  else
    return kWedgeShape;
}

/// The size of a point's natural coordinates.
inline double cohesive_points_at(const GroupParameters& group) {
  return group.cohesive.at_corners ? 1.0 : 0.57735026918962576451;  // 1 / sqrt(3)
}

template <int corners>
struct CohesiveElement {
  static constexpr int n_nodes = 2 * corners;
  static constexpr auto& shape = cohesive_shape<corners>();
  static constexpr bool rotations = false, prefetches = false, hourglass = false, drilling = false,
                        damps = false, only_step_at_start = true;
  using Surface = CohesiveSurface<corners>;

  static int variables(const GroupParameters& group) { return cohesive::n_variables(group, corners); }

  template <class V>
  struct Geometry {
    V axes[3][3];
    V separation[corners][3];  ///< of pairs, in the axes, beyond that of the start
    V area[Surface::n_points];
  };

  /// Returns the largest area at a corner.
  template <class V>
  static V geometry(const V (&x)[n_nodes][3], double at, const StateBefore<V>& before, Geometry<V>& out) {
    using T = simd::scalar_t<V>;
    V middle[corners][3];
    for (int a = 0; a < corners; ++a)
      for (int i = 0; i < 3; ++i) middle[a][i] = V(static_cast<T>(0.5)) * (x[a][i] + x[corners + a][i]);
    surface_axes<corners>(middle, out.axes);
    for (int a = 0; a < corners; ++a)
      for (int k = 0; k < 3; ++k) {
        V sum = -before.load(cohesive::kSeparation0 + 3 * a + k);
        for (int i = 0; i < 3; ++i) sum += out.axes[k][i] * (x[corners + a][i] - x[a][i]);
        out.separation[a][k] = sum;
      }
    for (int p = 0; p < Surface::n_points; ++p) out.area[p] = area_at<corners>(middle, p, at);
    V largest = V(0);
    for (int a = 0; a < corners; ++a) {
      V share = V(0);
      for (int p = 0; p < Surface::n_points; ++p)
        share += V(static_cast<T>(Surface::value(p, a, at))) * out.area[p];
      largest = simd::max(largest, share);
    }
    return largest;
  }

  /// Updates a point and adds its tractions, in the axes, to the forces on the upper nodes. Returns whether
  /// it has failed. Lanes that do not live keep their state.
  template <class V>
  static simd::mask_t<V> update_point(const GroupParameters& group, const Step<V>& of, int p, double at,
                                      const Geometry<V>& geometry, V size, simd::scalar_t<V>* variables,
                                      V (&force)[corners][3]) {
    using T = simd::scalar_t<V>;
    materials::CohesivePoint<V> point;
    for (int k = 0; k < 3; ++k) {
      V sum = V(0);
      for (int a = 0; a < corners; ++a)
        sum += V(static_cast<T>(Surface::value(p, a, at))) * geometry.separation[a][k];
      point.d[k] = simd::select(of.living, sum, V(0));
    }
    constexpr int kDamage = 6, kHistory = 7;
    const V damage = simd::load<V>(variables + kDamage * kLanes);
    point.damage = damage;
    point.history = {variables + kHistory * kLanes, kLanes};
    point.size = size;
    point.dt = V(static_cast<T>(of.dt));
    materials::update_cohesive(group.law, point);
    simd::store(variables + kDamage * kLanes, simd::select(of.living, point.damage, damage));
    for (int k = 0; k < 3; ++k) {
      T* const to = variables + k * kLanes;
      simd::store(to, simd::select(of.living, point.s[k], simd::load<V>(to)));
      const V traction = geometry.area[p] * point.s[k];
      for (int a = 0; a < corners; ++a) force[a][k] += V(static_cast<T>(Surface::value(p, a, at))) * traction;
    }
    return point.failed;
  }

  /// Forces on the nodes from those in the axes on the upper ones; returns their work in the step, with the
  /// mean of old and new forces.
  template <class V>
  static V put_forces(const Motion<V, n_nodes, false>& motion, const Geometry<V>& geometry,
                      const V (&force)[corners][3], const Step<V>& of, const StateBefore<V>& before,
                      const StateAfter<V>& after, V (&f)[n_nodes][3]) {
    using T = simd::scalar_t<V>;
    V work = V(0);
    for (int a = 0; a < corners; ++a)
      for (int i = 0; i < 3; ++i) {
        const V now = geometry.axes[0][i] * force[a][0] + geometry.axes[1][i] * force[a][1] +
                      geometry.axes[2][i] * force[a][2];
        const int at = cohesive::force_at(corners) + 3 * a + i;
        const V old = before.load(at);
        work += (old + now) * (motion.v[corners + a][i] - motion.v[a][i]);
        after.store(at, simd::select(of.living, now, old));
        f[corners + a][i] = now;
        f[a][i] = -now;
      }
    return V(static_cast<T>(0.5 * of.dt)) * work;
  }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, n_nodes, false>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after,
                  Forces<V, n_nodes, false>& out) const {
    using T = simd::scalar_t<V>;
    const double at = cohesive_points_at(group);
    Geometry<V> now;
    const V corner_area = geometry(motion.x, at, before, now);
    const V stiffness = V(static_cast<T>(group.cohesive.stiffness)) * corner_area;
    out.step = simd::sqrt(V(2) * before.load(cohesive::kNodeMass) * simd::inverse(stiffness));
    if (of.dt == 0) return;
    V force[corners][3], n_failed = V(0);
    for (auto& of_corner : force)
      for (V& component : of_corner) component = V(0);
    const V size = before.load(cohesive::kSize);
    for (int p = 0; p < Surface::n_points; ++p) {
      T* const variables = after.from(cohesive::points_at(corners) + p * cohesive::point_stride(group));
      const auto failed = update_point(group, of, p, at, now, size, variables, force);
      n_failed += simd::select(failed, V(1), V(0));
    }
    out.internal = put_forces(motion, now, force, of, before, after, out.f);
    const double limit = group.cohesive.points_to_delete;
    const auto enough = n_failed >= V(static_cast<T>(limit > 0 ? limit - 1e-3 : Surface::n_points + 1.0));
    out.survives = of.living && !enough;
    out.acts = out.survives;
    out.counts = of.living;
  }
};

template <int corners>
struct CohesiveForm {
  static constexpr bool flatten = false;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(CohesiveElement<corners>());
  }
};
using CohesiveQuadForm = CohesiveForm<4>;
using CohesiveTriangleForm = CohesiveForm<3>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
