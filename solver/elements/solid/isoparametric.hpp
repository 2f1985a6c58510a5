// Kernel of solids with one or more integration points and no hourglass control.
//
// A Shape gives the number of nodes and points, the shape functions' derivatives by the natural
// coordinates at the points, the weights, and the characteristic length. Where Shape::mean_dilatation is
// set, all points share the element's mean volume change and the mean pressure acts on the mean gradient:
// selective reduced integration in its B-bar form (Hughes 1980, "Generalization of selective integration
// procedures to anisotropic and nonlinear media"), which does not lock when plastic flow keeps the volume.
// Where Shape::nodal_dilatation is there, the volume change that the law sees is given from outside.
#pragma once

#include "elements/kernel.hpp"
#include "elements/solid/gather.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/material_point.hpp"
#include "elements/solid/viscosity.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Derivatives of the shape functions at all points, [point][node][natural direction].
template <class Shape>
struct DerivativeTable {
  double d[Shape::n_points][Shape::n_nodes][3];
  constexpr DerivativeTable() : d() {
    for (int p = 0; p < Shape::n_points; ++p)
      for (int a = 0; a < Shape::n_nodes; ++a)
        for (int m = 0; m < 3; ++m) d[p][a][m] = Shape::derivative(p, a, m);
  }
};
template <class Shape>
inline constexpr DerivativeTable<Shape> derivative_table{};

/// Gradient at point p times the volume that the point stands for; returns that volume.
template <class Shape, class V>
V point_gradient(int p, const V (&x)[Shape::n_nodes][3], V (&g)[Shape::n_nodes][3]) {
  using T = simd::scalar_t<V>;
  const auto& d = derivative_table<Shape>.d[p];
  V j[3][3];  // j[m][i] = dx_i / dxi_m
  for (int m = 0; m < 3; ++m)
    for (int i = 0; i < 3; ++i) {
      j[m][i] = V(static_cast<T>(d[0][m])) * x[0][i];
      for (int a = 1; a < Shape::n_nodes; ++a) j[m][i] += V(static_cast<T>(d[a][m])) * x[a][i];
    }
  V cofactor[3][3];
  const V weight = V(static_cast<T>(Shape::weight));
  for (int m = 0; m < 3; ++m) {
    const int n = (m + 1) % 3, o = (m + 2) % 3;
    for (int i = 0; i < 3; ++i) {
      const int k = (i + 1) % 3, l = (i + 2) % 3;
      cofactor[m][i] = weight * (j[n][k] * j[o][l] - j[n][l] * j[o][k]);
    }
  }
  for (int a = 0; a < Shape::n_nodes; ++a)
    for (int i = 0; i < 3; ++i) {
      g[a][i] = V(static_cast<T>(d[a][0])) * cofactor[0][i];
      for (int m = 1; m < 3; ++m) g[a][i] += V(static_cast<T>(d[a][m])) * cofactor[m][i];
    }
  return j[0][0] * cofactor[0][0] + j[0][1] * cofactor[0][1] + j[0][2] * cofactor[0][2];
}

/// Volume of initial positions, summed over the points.
template <class Shape>
double volume_of_points(const ElementInput& input) {
  double x[Shape::n_nodes][3], g[Shape::n_nodes][3], sum = 0;
  for (int a = 0; a < Shape::n_nodes; ++a)  // relative to the first node: far from the origin nothing cancels
    for (int i = 0; i < 3; ++i) x[a][i] = input.x[a][i] - input.x[0][i];
  for (int p = 0; p < Shape::n_points; ++p) sum += point_gradient<Shape>(p, x, g);
  return sum;
}

/// Volume of the element and whether every point's share of it is positive.
template <class V>
struct PointVolumes {
  V total;
  simd::mask_t<V> positive;
};

/// Rates at the middle of the step.
template <class Shape, class V>
struct MidstepRates {
  V l[Shape::n_points][3][3];
  V point_volume[Shape::n_points];
  PointVolumes<V> volume;
  V dilatation;  ///< mean trace of l
};

template <class Shape, class V>
void midstep_rates(const NodalMotion<V, Shape::n_nodes>& motion, V dt, MidstepRates<Shape, V>& out) {
  V mid[Shape::n_nodes][3], g[Shape::n_nodes][3];
  midstep_positions(motion.x, motion.v, dt, mid);
  V weighted = V(0);
  for (int p = 0; p < Shape::n_points; ++p) {
    const V volume = point_gradient<Shape>(p, mid, g);
    velocity_gradient(motion.v, g, simd::inverse(volume), out.l[p]);
    weighted += volume * (out.l[p][0][0] + out.l[p][1][1] + out.l[p][2][2]);
    out.point_volume[p] = volume;
    const auto positive = volume > V(0);
    out.volume.total = p == 0 ? volume : out.volume.total + volume;
    out.volume.positive = p == 0 ? positive : out.volume.positive && positive;
  }
  out.dilatation = weighted * simd::inverse(out.volume.total);
}

/// The element at the end of the step: volume and the gradient summed over the points.
template <class Shape, class V>
struct EndGeometry {
  V gradient[Shape::n_nodes][3];
  PointVolumes<V> volume;
};

template <class Shape, class V>
void end_geometry(const V (&x)[Shape::n_nodes][3], EndGeometry<Shape, V>& out) {
  V g[Shape::n_nodes][3];
  for (int p = 0; p < Shape::n_points; ++p) {
    const V volume = point_gradient<Shape>(p, x, g);
    const auto positive = volume > V(0);
    out.volume.total = p == 0 ? volume : out.volume.total + volume;
    out.volume.positive = p == 0 ? positive : out.volume.positive && positive;
    for (int a = 0; a < Shape::n_nodes; ++a)
      for (int i = 0; i < 3; ++i) out.gradient[a][i] = p == 0 ? g[a][i] : out.gradient[a][i] + g[a][i];
  }
}

/// Internal forces of all points, built up point by point.
template <class Shape, class V>
struct ForceSum {
  V f[Shape::n_nodes][3];
  V pressure;  ///< mean stress times volume (mean dilatation only)

  ForceSum() : pressure(0) {
    for (int a = 0; a < Shape::n_nodes; ++a)
      for (int i = 0; i < 3; ++i) f[a][i] = V(0);
  }

  void add_point(int p, const V (&x)[Shape::n_nodes][3], const V (&s)[6]) {
    using T = simd::scalar_t<V>;
    V g[Shape::n_nodes][3];
    const V volume = point_gradient<Shape>(p, x, g);
    V mean = V(0);
    if constexpr (Shape::mean_dilatation) {
      mean = V(static_cast<T>(1.0 / 3.0)) * (s[0] + s[1] + s[2]);
      pressure += volume * mean;
    }
    const V t[3][3] = {{s[0] - mean, s[3], s[5]}, {s[3], s[1] - mean, s[4]}, {s[5], s[4], s[2] - mean}};
    for (int a = 0; a < Shape::n_nodes; ++a)
      for (int i = 0; i < 3; ++i) f[a][i] += t[i][0] * g[a][0] + t[i][1] * g[a][1] + t[i][2] * g[a][2];
  }

  /// The mean stress and the viscous pressure act on the mean gradient.
  void finish(const EndGeometry<Shape, V>& end, V viscosity) {
    const V mean =
        Shape::mean_dilatation ? pressure * simd::inverse(end.volume.total) - viscosity : -viscosity;
    for (int a = 0; a < Shape::n_nodes; ++a)
      for (int i = 0; i < 3; ++i) f[a][i] += mean * end.gradient[a][i];
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
V point_strain(const MidstepRates<Shape, V>& rates, int p, V dt, V nodal, V (&d)[6]) {
  using T = simd::scalar_t<V>;
  strain_increment(rates.l[p], dt, d);
  if constexpr (Shape::mean_dilatation || NodalDilatation<Shape>) {
    const V of_motion = d[0] + d[1] + d[2];
    const V trace = Shape::mean_dilatation ? dt * rates.dilatation : nodal;
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
                              const MidstepRates<Shape, V>& rates, const V (&x)[Shape::n_nodes][3], V ratio,
                              V damping, V nodal, simd::scalar_t<V>* points, ForceSum<Shape, V>& forces) {
  using T = simd::scalar_t<V>;
  const GroupParameters& group = *args.group;
  const V dt = V(static_cast<T>(args.dt));
  PointsResult<V> result;
  result.work = result.taken = V(0);
  V n_failed = V(0);
  for (int p = 0; p < Shape::n_points; ++p) {
    V d[6], rotation[3][3];
    const V less = point_strain(rates, p, dt, nodal, d);
    step_rotation(rates.l[p], dt, rotation);
    PointResult<V> point;
    T* variables = points + p * solid::point_stride(group) * kLanes;
    const V before = NodalDilatation<Shape> ? mean_stress<V>(variables) : V(0);
    update_point(group, variables, rotation, d, dt, ratio, point);
    // The mean stress does its work on the motion, whose dilatation the law has not seen.
    if constexpr (NodalDilatation<Shape>)
      point.work += V(static_cast<T>(0.5)) * (before + mean_stress<V>(variables)) * less;
    result.work += rates.point_volume[p] * point.work;
    n_failed += simd::select(point.failed, V(1), V(0));
    if constexpr (Shape::n_points > 1)
      for (int k = 0; k < 6; ++k) {
        point.stress[k] = simd::select(point.failed, V(0), point.stress[k]);
        simd::store(variables + k * kLanes, point.stress[k]);
      }
    if (group.stiffness_damping != 0) {
      const V rate = simd::select(point.failed, V(0), damping);
      result.taken += rates.point_volume[p] * add_stiffness_damping(group, rate, d, point.stress);
    }
    forces.add_point(p, x, point.stress);
  }
  result.failed = n_failed >= V(points_to_delete(group));
  return result;
}

/// W elements: `lane` is the first one's place in block `b`.
template <class Shape, class V>
void isoparametric_lanes(const KernelArguments<simd::scalar_t<V>>& args, int b, int lane) {
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
  const V dt = V(static_cast<T>(args.dt));

  NodalMotion<V, Shape::n_nodes> motion;
  gather_motion(args.x, args.v, nodes, motion);
  stop_dead_lanes(motion, living, Shape::shape);
  MidstepRates<Shape, V> rates;
  midstep_rates(motion, dt, rates);
  EndGeometry<Shape, V> end;
  end_geometry(motion.x, end);
  const V volume = end.volume.total;
  const V ratio = volume * simd::inverse(simd::load<V>(state + kVolume0 * kLanes));
  const V length = cube_root_near(volume, simd::load<V>(state + kLength * kLanes));
  const auto sane = rates.volume.positive && end.volume.positive;
  const SoundSpeed<V> sound = sound_speed(group, ratio);
  const StepGeometry<V> shape = step_geometry(group, Shape::length(motion.x, volume), end.gradient, volume);
  const V step = simd::select(sane, solid_stable_step(group, sound, shape, length, rates.dilatation), zero);
  T* step_place = args.stable_step + block + lane;
  if (args.dt == 0) {
    simd::store(step_place, simd::select(living, step, simd::load<V>(step_place)));
    return;
  }

  ForceSum<Shape, V> forces;
  V nodal = zero;
  if constexpr (NodalDilatation<Shape>)
    nodal = simd::select(living, simd::load<V>(state + nodal_dilatation_at(group) * kLanes), zero);
  const V damping = damping_per_step(group, shape.length / sound.speed, args.dt);
  const PointsResult<V> points =
      update_points<Shape>(args, rates, motion.x, ratio, damping, nodal, state + kPoints * kLanes, forces);
  const V old_viscosity = simd::load<V>(state + kViscosity * kLanes);
  const V viscosity = bulk_viscosity(group.hourglass, sound, length, rates.dilatation);
  simd::store(state + kViscosity * kLanes, viscosity);
  simd::store(state + kLength * kLanes, length);
  forces.finish(end, viscosity);

  const auto survives = living && !points.failed;
  scatter_subtract(args.force, args.force_scale, nodes, forces.f, survives && sane);
  const V viscous_work = V(static_cast<T>(0.5)) * (old_viscosity + viscosity) * dt * rates.dilatation;
  add_energy(args.energy + block * kEnergies + lane, points.work - rates.volume.total * viscous_work,
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
