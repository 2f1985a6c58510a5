// Kernel of solids with one or more integration points and no hourglass control.
//
// A Shape gives the number of nodes and points, the shape functions' derivatives by the natural
// coordinates at the points, the weights, and the characteristic length. Where Shape::mean_dilatation is
// set, all points share the element's mean volume change and the mean pressure acts on the mean gradient:
// selective reduced integration in its B-bar form (Hughes 1980, "Generalization of selective integration
// procedures to anisotropic and nonlinear media"), which does not lock when plastic flow keeps the volume.
// Where Shape::nodal_dilatation exists, the volume change for the law is given from outside.
#pragma once

#include <algorithm>

#include "elements/element.hpp"
#include "elements/failed_points.hpp"
#include "elements/kernel.hpp"
#include "elements/solid/equation_of_state.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/material_point.hpp"
#include "elements/solid/natural_field.hpp"
#include "elements/solid/solid.hpp"
#include "elements/solid/viscosity.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Volume of initial positions, summed over the points; in `least` the smallest volume of a point.
template <class Shape>
double volume_of_points(const ElementInput& input, double* least = nullptr) {
  double x[Shape::n_nodes][3], j[3][3], c[3][3], sum = 0;
  for (int a = 0; a < Shape::n_nodes; ++a)  // relative to the first node: no cancellation far from the origin
    for (int i = 0; i < 3; ++i) x[a][i] = input.x[a][i] - input.x[0][i];
  const NaturalField<Shape, double> position(x);
  for (int p = 0; p < Shape::n_points; ++p) {
    position.derivatives(p, j);
    const double volume = cofactors(Shape::weight, j, c);
    if (least != nullptr) *least = p == 0 ? volume : std::min(*least, volume);
    sum += volume;
  }
  return sum;
}

/// Volume of the element, by points, and whether the volume of every point is positive.
template <class Shape, class V>
struct PointVolumes {
  V at[Shape::n_points];
  V total;
  simd::mask_t<V> positive;

  void set(int p, V volume) {
    const auto above = volume > V(0);
    at[p] = volume;
    total = p == 0 ? volume : total + volume;
    positive = p == 0 ? above : positive && above;
  }
};

/// Rates at the middle of the step and the geometry at its end.
template <class Shape, class V>
struct PointGeometry {
  V l[Shape::n_points][3][3];         ///< velocity gradients at the middle
  V dilatation;                       ///< mean trace of l
  V cofactor[Shape::n_points][3][3];  ///< at the end
  PointVolumes<Shape, V> middle, end;
  NodalSum<Shape, V> gradient;  ///< integrated, at the end
};

/// l_ij = sum_m dv_i/dxi_m c_mj / volume.
template <class V>
void gradient_at_point(const V (&v)[3][3], const V (&c)[3][3], V volume, V (&l)[3][3]) {
  const V inverse = simd::inverse(volume);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      l[i][j] = inverse * (v[0][i] * c[0][j] + v[1][i] * c[1][j] + v[2][i] * c[2][j]);
}

template <class Shape, class V>
void point_geometry(const NodalMotion<V, Shape::n_nodes>& motion, V dt, PointGeometry<Shape, V>& out) {
  const NaturalField<Shape, V> position(motion.x), velocity(motion.v);
  const V back = V(static_cast<simd::scalar_t<V>>(0.5)) * dt;
  V weighted = V(0);
  for (int p = 0; p < Shape::n_points; ++p) {
    V x[3][3], v[3][3], c[3][3];
    position.derivatives(p, x);
    velocity.derivatives(p, v);
    out.end.set(p, cofactors(Shape::weight, x, out.cofactor[p]));
    out.gradient.add(p, out.cofactor[p]);
    for (int m = 0; m < 3; ++m)
      for (int i = 0; i < 3; ++i) x[m][i] -= back * v[m][i];
    out.middle.set(p, cofactors(Shape::weight, x, c));
    gradient_at_point(v, c, out.middle.at[p], out.l[p]);
    weighted += out.middle.at[p] * (out.l[p][0][0] + out.l[p][1][1] + out.l[p][2][2]);
  }
  out.dilatation = weighted * simd::inverse(out.middle.total);
}

/// Internal forces of all points, summed point by point.
template <class Shape, class V>
struct ForceSum {
  NodalSum<Shape, V> sum;
  V pressure{V(0)};  ///< mean stress times volume (mean dilatation only)

  void add_point(int p, const PointGeometry<Shape, V>& geometry, const V (&s)[6]) {
    using T = simd::scalar_t<V>;
    V mean = V(0);
    if constexpr (Shape::mean_dilatation) {
      mean = V(static_cast<T>(1.0 / 3.0)) * (s[0] + s[1] + s[2]);
      pressure += geometry.end.at[p] * mean;
    }
    const V full[3][3] = {{s[0] - mean, s[3], s[5]}, {s[3], s[1] - mean, s[4]}, {s[5], s[4], s[2] - mean}};
    V t[3][3];
    for (int m = 0; m < 3; ++m) {
      const V(&c)[3] = geometry.cofactor[p][m];
      for (int i = 0; i < 3; ++i) t[m][i] = full[i][0] * c[0] + full[i][1] * c[1] + full[i][2] * c[2];
    }
    sum.add(p, t);
  }

  /// The mean stress and the viscous pressure act on the mean gradient.
  void finish(const PointGeometry<Shape, V>& geometry, V viscosity, V (&f)[Shape::n_nodes][3]) {
    V mean = -viscosity;
    if constexpr (Shape::mean_dilatation) mean += pressure * simd::inverse(geometry.end.total);
    sum.add(mean, geometry.gradient);
    sum.at_nodes(f);
  }
};

/// Whether the nodes have other masses than equal ones; the bound on the frequency is then that of the
/// points.
template <class Shape>
concept OwnMassShares = requires {
  Shape::mass_share(0);
  Shape::step_share;
};

/// sum_a dN_a/dxi_m dN_a/dxi_n / m_a at all points, xx yy zz xy yz zx, over n_nodes.
template <class Shape>
struct StepTable {
  double of[Shape::n_points][6];
  constexpr StepTable() : of() {
    for (int p = 0; p < Shape::n_points; ++p)
      for (int k = 0; k < 6; ++k) {
        const int m = k % 3, n = k < 3 ? m : (m + 1) % 3;
        for (int a = 0; a < Shape::n_nodes; ++a)
          of[p][k] += Shape::derivative(p, a, m) * Shape::derivative(p, a, n) /
                      (Shape::mass_share(a) * Shape::n_nodes);
      }
  }
};
template <class Shape>
inline constexpr StepTable<Shape> step_table{};

/// What one point adds to products that stand for N sum_a B_aI B_aJ of gradient_products: V / v_p sum_mn P_mn
/// c_m c_n^T, with the volume v_p and the cofactors c of the point.
template <class Shape, class V>
void products_of_point(const PointGeometry<Shape, V>& geometry, int p, V (&g)[6]) {
  using T = simd::scalar_t<V>;
  const auto& table = step_table<Shape>.of[p];
  const auto& c = geometry.cofactor[p];
  const V factor = geometry.end.total * simd::inverse(geometry.end.at[p]);
  V row[3][3];  // sum_n P_mn c_n
  for (int m = 0; m < 3; ++m) {
    const int n = (m + 1) % 3, o = (m + 2) % 3;
    const V mm(static_cast<T>(table[m])), mn(static_cast<T>(table[3 + m])), mo(static_cast<T>(table[3 + o]));
    for (int i = 0; i < 3; ++i) row[m][i] = factor * (mm * c[m][i] + mn * c[n][i] + mo * c[o][i]);
  }
  for (int k = 0; k < 6; ++k) {
    const int i = k % 3, j = k < 3 ? i : (i + 1) % 3;
    g[k] = row[0][i] * c[0][j] + row[1][i] * c[1][j] + row[2][i] * c[2][j];
  }
}

/// The part of the step's damping from a viscous pressure, times V^2: sum_a B_a.B_a / 4 m_a, as the pressure
/// acts on the mean gradient B.
template <class Shape, class V>
V damping_of_nodes(const PointGeometry<Shape, V>& geometry) {
  V gradient[Shape::n_nodes][3], sum = V(0);
  geometry.gradient.at_nodes(gradient);
  for (int a = 0; a < Shape::n_nodes; ++a) {
    const auto& b = gradient[a];
    sum += V(static_cast<simd::scalar_t<V>>(0.25 / Shape::mass_share(a))) *
           (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
  }
  return sum;
}

/// The bound on the frequency: Shape::step_share of that of the sum of all points, and the highest that one
/// point alone gives. `points` and `inverse` as in the element.
template <bool energetic, class Shape, class V>
StepGeometry<V> step_of_points(const GroupParameters& group, const PointGeometry<Shape, V>& geometry,
                               const simd::scalar_t<V>* points, V inverse) {
  const auto bound = [&](const V(&g)[6]) {
    if constexpr (energetic) {
      const V stiffening = largest_of_points<V>(group, points, materials::kStiffening);
      return step_geometry_of_state<Shape::n_nodes>(group, stiffening, V(0), g, inverse);
    } else {
      return step_geometry<Shape::n_nodes>(group, V(0), g, inverse);
    }
  };
  V all[6], highest = V(0);
  for (V& sum : all) sum = V(0);
  for (int p = 0; p < Shape::n_points; ++p) {
    V g[6];
    products_of_point(geometry, p, g);
    for (int k = 0; k < 6; ++k) all[k] += g[k];
    highest = simd::max(highest, bound(g).steepness);
  }
  StepGeometry<V> out = bound(all);
  out.steepness = V(static_cast<simd::scalar_t<V>>(Shape::step_share)) * out.steepness + highest;
  out.damping = inverse * inverse * damping_of_nodes(geometry);
  return out;
}

/// Whether the strain's trace is that of the nodes (state/nodal_dilatation.hpp).
template <class Shape>
concept NodalDilatation = requires {
  Shape::nodal_dilatation;
};

/// Strain increment of a point; with mean dilatation its trace is the element's, with nodal dilatation
/// `nodal`. Returns the trace of the motion minus this trace.
template <class Shape, class V>
V point_strain(const PointGeometry<Shape, V>& geometry, int p, V dt, V nodal, V (&d)[6]) {
  using T = simd::scalar_t<V>;
  strain_increment(geometry.l[p], dt, d);
  if constexpr (Shape::mean_dilatation || NodalDilatation<Shape>) {
    const V of_motion = d[0] + d[1] + d[2];
    const V trace = Shape::mean_dilatation ? dt * geometry.dilatation : nodal;
    const V shift = V(static_cast<T>(1.0 / 3.0)) * (trace - of_motion);
    for (int i = 0; i < 3; ++i) d[i] += shift;
    return of_motion - trace;
  }
  return V(0);
}

/// Mean stress of the point whose variables begin at `variables`.
template <class V>
V mean_stress(const simd::scalar_t<V>* variables) {
  using T = simd::scalar_t<V>;
  return V(static_cast<T>(1.0 / 3.0)) * (simd::load<V>(variables) + simd::load<V>(variables + kLanes) +
                                         simd::load<V>(variables + 2 * kLanes));
}

template <class V>
struct PointsResult {
  V work;                  ///< of the stresses, whole element
  V taken;                 ///< by stiffness damping
  simd::mask_t<V> failed;  ///< enough points have failed
};

/// Update every point and add its forces. A failed point has no stress, if the element has several. `damping`
/// is the time of stiffness damping over the time step `step`.
template <class Shape, class V>
PointsResult<V> update_points(const GroupParameters& group, double step,
                              const PointGeometry<Shape, V>& geometry, V ratio, V damping, V nodal,
                              simd::scalar_t<V>* points, ForceSum<Shape, V>& forces) {
  using T = simd::scalar_t<V>;
  const V dt = V(static_cast<T>(step));
  PointsResult<V> result;
  result.work = result.taken = V(0);
  V n_failed = V(0);
  for (int p = 0; p < Shape::n_points; ++p) {
    V d[6], rotation[3][3];
    const V less = point_strain(geometry, p, dt, nodal, d);
    step_rotation(geometry.l[p], dt, rotation);
    PointResult<V> point;
    T* variables = points + p * solid::point_stride(group) * kLanes;
    const V before = NodalDilatation<Shape> ? mean_stress<V>(variables) : V(0);
    update_point(group, variables, rotation, d, dt, ratio, point);
    // The work of the mean stress is that on the motion, whose dilatation differs from the law's.
    if constexpr (NodalDilatation<Shape>)
      point.work += V(static_cast<T>(0.5)) * (before + mean_stress<V>(variables)) * less;
    result.work += geometry.middle.at[p] * point.work;
    n_failed += simd::select(point.failed, V(1), V(0));
    if constexpr (Shape::n_points > 1)
      for (int k = 0; k < 6; ++k) {
        point.stress[k] = simd::select(point.failed, V(0), point.stress[k]);
        simd::store(variables + k * kLanes, point.stress[k]);
      }
    if (group.stiffness_damping != 0) {
      const V rate = simd::select(point.failed, V(0), damping);
      result.taken += geometry.middle.at[p] * add_stiffness_damping(group, rate, d, point.stress);
    }
    forces.add_point(p, geometry, point.stress);
  }
  result.failed =
      enough_failed(group, n_failed, points + solid::kHistory * kLanes, solid::point_stride(group));
  return result;
}

/// `energetic`: with an equation of state.
template <class Shape, bool energetic = false>
struct Isoparametric : Solid {
  static constexpr int n_nodes = Shape::n_nodes;
  static constexpr auto& shape = Shape::shape;
  static constexpr bool hourglass = false, damps = true;

  static int given_variable(const GroupParameters& group) requires NodalDilatation<Shape> {
    return solid::nodal_dilatation_at(group);
  }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, Shape::n_nodes, false>& motion,
                  const Step<V>& of, const StateBefore<V>& before, const StateAfter<V>& after,
                  Forces<V, Shape::n_nodes, false>& out) const {
    using T = simd::scalar_t<V>;
    using namespace solid;
    const V dt = V(static_cast<T>(of.dt)), zero = V(0);
    PointGeometry<Shape, V> geometry;
    point_geometry(motion, dt, geometry);
    V gradient[Shape::n_nodes][3], products[6];
    geometry.gradient.at_nodes(gradient);
    gradient_products(gradient, products);
    const V volume = geometry.end.total;
    const V volume0 = before.load(kVolume0), inverse = simd::inverse(volume);
    const V ratio = volume * simd::inverse(volume0);
    const V length = cube_root_near(inverse, before.load(kLength));
    const auto sane = geometry.middle.positive && geometry.end.positive;
    const auto sound_now = [&] {
      if constexpr (energetic) {
        const V stiffening = largest_of_points<V>(group, after.from(kPoints), materials::kStiffening);
        return sound_speed_of_state(group, stiffening, ratio, volume0 * inverse);
      } else {
        return sound_speed(group, ratio, volume0 * inverse);
      }
    };
    const auto shape_now = [&] {
      const V area = Shape::area_squared(motion.x);
      if constexpr (OwnMassShares<Shape>) {
        return step_of_points<energetic>(group, geometry, after.from(kPoints), inverse);
      } else if constexpr (energetic) {
        const V stiffening = largest_of_points<V>(group, after.from(kPoints), materials::kStiffening);
        return step_geometry_of_state<Shape::n_nodes>(group, stiffening, area, products, inverse);
      } else {
        return step_geometry<Shape::n_nodes>(group, area, products, inverse);
      }
    };
    const SoundSpeed<V> sound = sound_now();
    const StepGeometry<V> of_step = shape_now();
    out.step =
        simd::select(sane, solid_stable_step(group, sound, of_step, length, geometry.dilatation), zero);
    if (of.dt == 0) return;
    if constexpr (energetic) {
      const V mean =
          V(static_cast<T>(0.5)) *
          (before.load(kViscosity) + bulk_viscosity(group.hourglass, sound, length, geometry.dilatation));
      give_viscous_pressure(group, mean, after.from(kPoints));
    }

    ForceSum<Shape, V> forces;
    V nodal = zero;
    if constexpr (NodalDilatation<Shape>)
      nodal = simd::select(of.living, before.load(nodal_dilatation_at(group)), zero);
    const V damping = solid_damping_per_step(group, sound, of_step, of.dt);
    const PointsResult<V> points =
        update_points<Shape>(group, of.dt, geometry, ratio, damping, nodal, after.from(kPoints), forces);
    const V old_viscosity = before.load(kViscosity);
    const V viscosity = bulk_viscosity(group.hourglass, sound, length, geometry.dilatation);
    after.store(kViscosity, viscosity);
    after.store(kLength, length);
    forces.finish(geometry, viscosity, out.f);

    if constexpr (energetic)
      out.step =
          simd::select(sane,
                       stable_step_of_state(
                           group, sound_now(), shape_now(), length, geometry.dilatation,
                           largest_of_points<V>(group, after.from(kPoints), materials::kDynamicViscosity)),
                       zero);
    out.survives = of.living && !points.failed;
    out.acts = out.survives && sane;
    out.counts = of.living && sane;
    const V viscous_work = V(static_cast<T>(0.5)) * (old_viscosity + viscosity) * dt * geometry.dilatation;
    out.internal = points.work - geometry.middle.total * viscous_work;
    if (group.stiffness_damping != 0) out.damping = points.taken;
  }
};

template <class Shape>
struct IsoparametricForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters& group, Run run) {
    if constexpr (!NodalDilatation<Shape>)
      if (has_equation_of_state(group)) return run(Isoparametric<Shape, true>());
    run(Isoparametric<Shape>());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
