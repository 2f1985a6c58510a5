// Kernel of solids with one or more integration points and no hourglass control.
//
// A Shape gives the number of nodes and points, the shape functions' derivatives by the natural
// coordinates at the points, the weights, and the characteristic length. Where Shape::mean_dilatation is
// set, all points share the element's mean volume change and the mean pressure acts on the mean gradient:
// selective reduced integration in its B-bar form (Hughes 1980, "Generalization of selective integration
// procedures to anisotropic and nonlinear media"), which does not lock when plastic flow keeps the volume.
// Where Shape::nodal_dilatation is there, the volume change that the law sees is given from outside.
#pragma once

#include "elements/failed_points.hpp"
#include "elements/kernel.hpp"
#include "elements/solid/gather.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/material_point.hpp"
#include "elements/solid/natural_field.hpp"
#include "elements/solid/viscosity.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Volume of initial positions, summed over the points.
template <class Shape>
double volume_of_points(const ElementInput& input) {
  double x[Shape::n_nodes][3], j[3][3], c[3][3], sum = 0;
  for (int a = 0; a < Shape::n_nodes; ++a)  // relative to the first node: far from the origin nothing cancels
    for (int i = 0; i < 3; ++i) x[a][i] = input.x[a][i] - input.x[0][i];
  const NaturalField<Shape, double> position(x);
  for (int p = 0; p < Shape::n_points; ++p) {
    position.derivatives(p, j);
    sum += cofactors(Shape::weight, j, c);
  }
  return sum;
}

/// Volume of the element, by points, and whether every point's share of it is positive.
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

/// Internal forces of all points, built up point by point.
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

/// Whether the strain's trace is that of the nodes (state/nodal_dilatation.hpp).
template <class Shape>
concept NodalDilatation = requires {
  Shape::nodal_dilatation;
};

/// Strain increment of a point; with mean dilatation its trace is the element's, with nodal dilatation
/// `nodal`. Returns by how much less it is than that of the motion.
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
  simd::mask_t<V> failed;  ///< at as many points as it takes
};

/// Update every point and add its forces. A failed point of several carries no stress. `damping` is the time
/// of stiffness damping over that of the step.
template <class Shape, class V>
PointsResult<V> update_points(const KernelArguments<simd::scalar_t<V>>& args,
                              const PointGeometry<Shape, V>& geometry, V ratio, V damping, V nodal,
                              simd::scalar_t<V>* points, ForceSum<Shape, V>& forces) {
  using T = simd::scalar_t<V>;
  const GroupParameters& group = *args.group;
  const V dt = V(static_cast<T>(args.dt));
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
    // The mean stress does its work on the motion, whose dilatation the law has not seen.
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

/// W elements: `lane` is the first one's place in block `b`.
template <class Shape, class V>
[[gnu::flatten]] void isoparametric_lanes(const KernelArguments<simd::scalar_t<V>>& args, int b, int lane) {
  using T = simd::scalar_t<V>;
  using namespace solid;
  const GroupParameters& group = *args.group;
  const std::size_t block = static_cast<std::size_t>(b) * kLanes;
  T* alive_place = args.alive + block + lane;
  const V alive = simd::load<V>(alive_place), zero = V(0);
  const auto living = alive > zero;
  if (!simd::any(living)) return;
  const std::int32_t* nodes = args.nodes + block * Shape::n_nodes + lane;
  T* state = args.state + block * static_cast<std::size_t>(n_variables(group)) + lane;
  prefetch_solid<V>(args, state, b, lane);
  const V dt = V(static_cast<T>(args.dt));

  NodalMotion<V, Shape::n_nodes> motion;
  gather_motion(args.x, args.v, nodes, motion);
  stop_dead_lanes(motion, living, Shape::shape);
  PointGeometry<Shape, V> geometry;
  point_geometry(motion, dt, geometry);
  V gradient[Shape::n_nodes][3], products[6];
  geometry.gradient.at_nodes(gradient);
  gradient_products(gradient, products);
  const V volume = geometry.end.total;
  const V volume0 = simd::load<V>(state + kVolume0 * kLanes), inverse = simd::inverse(volume);
  const V ratio = volume * simd::inverse(volume0);
  const V length = cube_root_near(inverse, simd::load<V>(state + kLength * kLanes));
  const auto sane = geometry.middle.positive && geometry.end.positive;
  const SoundSpeed<V> sound = sound_speed(group, ratio, volume0 * inverse);
  const StepGeometry<V> shape =
      step_geometry<Shape::n_nodes>(group, Shape::area_squared(motion.x), products, inverse);
  const V step =
      simd::select(sane, solid_stable_step(group, sound, shape, length, geometry.dilatation), zero);
  T* step_place = args.stable_step + block + lane;
  if (args.dt == 0) {
    simd::store(step_place, simd::select(living, step, simd::load<V>(step_place)));
    return;
  }

  ForceSum<Shape, V> forces;
  V nodal = zero;
  if constexpr (NodalDilatation<Shape>)
    nodal = simd::select(living, simd::load<V>(state + nodal_dilatation_at(group) * kLanes), zero);
  const V damping = solid_damping_per_step(group, sound, shape, args.dt);
  const PointsResult<V> points =
      update_points<Shape>(args, geometry, ratio, damping, nodal, state + kPoints * kLanes, forces);
  const V old_viscosity = simd::load<V>(state + kViscosity * kLanes);
  const V viscosity = bulk_viscosity(group.hourglass, sound, length, geometry.dilatation);
  simd::store(state + kViscosity * kLanes, viscosity);
  simd::store(state + kLength * kLanes, length);
  V f[Shape::n_nodes][3];
  forces.finish(geometry, viscosity, f);

  const auto survives = living && !points.failed;
  scatter_subtract(args.loads, nodes, f, survives && sane);
  const V viscous_work = V(static_cast<T>(0.5)) * (old_viscosity + viscosity) * dt * geometry.dilatation;
  add_energy(args.energy + block * kEnergies + lane, points.work - geometry.middle.total * viscous_work,
             living && sane);
  if (group.stiffness_damping != 0)
    add_energy(args.energy + (block * kEnergies + 2 * kLanes) + lane, points.taken, living && sane);
  simd::store(step_place, simd::select(survives, step, simd::load<V>(step_place)));
  simd::store(alive_place, simd::select(survives, alive, zero));
}

template <class Shape, class V>
void isoparametric_kernel(const KernelArguments<simd::scalar_t<V>>& args) {
  for (int b = args.begin; b < args.end; ++b)
    for (int lane = 0; lane < kLanes; lane += simd::width_v<V>) isoparametric_lanes<Shape, V>(args, b, lane);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
