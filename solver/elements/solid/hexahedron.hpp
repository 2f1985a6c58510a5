// One-point hexahedron (ELFORM 1): uniform gradient of Flanagan and Belytschko 1981, hourglass types 1-6.
#pragma once

#include "elements/solid/gather.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/solid/hexahedron_patterns.hpp"
#include "elements/solid/hourglass.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/material_point.hpp"
#include "elements/solid/viscosity.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// The element at the end of the step.
template <class V>
struct HexahedronEnd {
  SignSums<V> x[3];  ///< of positions
  PatternGradient<V> b;
  V squares;          ///< sum of all B_iI^2
  V volume, inverse;  ///< 1 / volume
  V ratio;            ///< to the initial volume
  V length;           ///< cube root of the volume
};

/// Nodal forces from stress and hourglass: the correction that makes the hourglass shapes orthogonal to
/// linear fields multiplies the gradient just as the stress does.
template <bool corrected, class V>
void hexahedron_forces(const HexahedronEnd<V>& end, const V (&s)[6], V viscosity, const HourglassInput<V>& in,
                       const HourglassResult<V>& hourglass, V (&f)[8][3]) {
  V t[3][3];
  pattern_stress(s, viscosity, t);
  if constexpr (corrected) {
    const V inverse = V(static_cast<simd::scalar_t<V>>(1 / kPatternScale)) * end.inverse;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        V sum = hourglass.q[i][0] * in.x[j].hourglass[0];
        for (int a = 1; a < 4; ++a) sum += hourglass.q[i][a] * in.x[j].hourglass[a];
        t[i][j] -= inverse * sum;
      }
  }
  pattern_forces(t, end.b, hourglass.q, f);
}

/// W elements: `lane` is the first one's place in block `b`; `damped` by *DAMPING_PART_STIFFNESS.
template <class V, HourglassControl control, bool damped>
[[gnu::flatten]] void hexahedron_lanes(const KernelArguments<simd::scalar_t<V>>& args, int b, int lane) {
  using T = simd::scalar_t<V>;
  using namespace solid;
  const GroupParameters& group = *args.group;
  const std::size_t block = static_cast<std::size_t>(b) * kLanes;
  T* alive_place = args.alive + block + lane;
  const V alive = simd::load<V>(alive_place);
  const V zero = V(0);
  if (!simd::any(alive > zero)) return;
  const std::int32_t* nodes = args.nodes + block * 8 + lane;
  T* state = args.state + block * static_cast<std::size_t>(n_variables(group)) + lane;
  prefetch_solid<V>(args, state, b, lane);
  const V dt = V(static_cast<T>(args.dt));

  const auto living = alive > zero;
  NodalMotion<V, 8> motion;
  gather_motion(args.x, args.v, nodes, motion);
  stop_dead_lanes(motion, living, kHexahedronShape);

  HexahedronEnd<V> end;
  SignSums<V> v[3], mid[3];
  sign_sums(motion.x, end.x);
  sign_sums(motion.v, v);
  sign_sums_before(end.x, v, V(static_cast<T>(0.5)) * dt, mid);
  PatternGradient<V> mid_b;
  integrated_gradient(mid, mid_b);
  const V mid_integral = integral(mid[0], mid_b, 0), unit(static_cast<T>(1 / kPatternScale));
  const V mid_volume = unit * mid_integral;
  V rates[3][3], products[6];
  velocity_gradient(v, mid_b, simd::inverse(mid_integral), rates);
  integrated_gradient(end.x, end.b);
  end.volume = unit * integral(end.x[0], end.b, 0);
  end.inverse = simd::inverse(end.volume);
  gradient_products(end.b, products);
  end.squares = products[0] + products[1] + products[2];
  const V volume0 = simd::load<V>(state + kVolume0 * kLanes);
  end.ratio = end.volume * simd::inverse(volume0);
  end.length = cube_root_near(end.inverse, simd::load<V>(state + kLength * kLanes));
  const auto sane = end.volume > zero && mid_volume > zero;  // false for NaN, too
  const V rate = rates[0][0] + rates[1][1] + rates[2][2];
  const SoundSpeed<V> sound = sound_speed(group, end.ratio, volume0 * end.inverse);
  const auto shape = [&] {
    return step_geometry<8>(group, largest_face_squared(motion.x), products, end.inverse);
  };
  const auto store_step = [&](simd::mask_t<V> where) {
    const V step = simd::select(sane, solid_stable_step(group, sound, shape(), end.length, rate), zero);
    T* place = args.stable_step + block + lane;
    simd::store(place, simd::select(where, step, simd::load<V>(place)));
  };
  if (args.dt == 0) return store_step(living);

  V d[6], rotation[3][3];
  strain_increment(rates, dt, d);
  step_rotation(rates, dt, rotation);
  PointResult<V> point;
  update_point(group, state + kPoints * kLanes, rotation, d, dt, end.ratio, point);
  V taken = zero;
  if constexpr (damped)
    taken =
        add_stiffness_damping(group, solid_damping_per_step(group, sound, shape(), args.dt), d, point.stress);
  const V old_viscosity = simd::load<V>(state + kViscosity * kLanes);
  const V viscosity = bulk_viscosity(group.hourglass, sound, end.length, rate);
  simd::store(state + kViscosity * kLanes, viscosity);
  simd::store(state + kLength * kLanes, end.length);

  const HourglassInput<V> in{end.x,       mid,           v,           rates, rotation, end.volume, end.length,
                             end.squares, sound.density, sound.speed, dt};
  HourglassResult<V> hourglass;
  if constexpr (control == HourglassControl::stiffness || control == HourglassControl::assumed_strain)
    prefetch_rows<simd::width_v<V>>(state + (n_variables(group) + hourglass_offset(group)) * kLanes, 12);
  hourglass_forces<control>(group, in, state + hourglass_offset(group) * kLanes, hourglass);
  V f[8][3];
  hexahedron_forces<control != HourglassControl::bare_viscous>(end, point.stress, viscosity, in, hourglass,
                                                               f);

  const auto survives = living && !point.failed;
  store_step(survives);  // one root after the other, while the forces go to the nodes
  scatter_subtract(args.loads, nodes, f, survives && sane);
  double* energy = args.energy + block * kEnergies + lane;
  const V dilatation = d[0] + d[1] + d[2];
  const V half = V(static_cast<T>(0.5));
  add_energy(energy, mid_volume * (point.work - half * (old_viscosity + viscosity) * dilatation),
             living && sane);
  add_energy(energy + kLanes, hourglass.work, living && sane);
  if constexpr (damped) add_energy(energy + 2 * kLanes, mid_volume * taken, living && sane);
  simd::store(alive_place, simd::select(survives, alive, zero));
}

template <class V, HourglassControl control>
void hexahedron_blocks(const KernelArguments<simd::scalar_t<V>>& args) {
  const auto run = [&](auto lanes) {
    for (int b = args.begin; b < args.end; ++b)
      for (int lane = 0; lane < kLanes; lane += simd::width_v<V>) lanes(args, b, lane);
  };
  if (args.group->stiffness_damping != 0)
    run(&hexahedron_lanes<V, control, true>);
  else
    run(&hexahedron_lanes<V, control, false>);
}

template <class V>
void hexahedron_kernel(const KernelArguments<simd::scalar_t<V>>& args) {
  switch (hourglass_control(args.group->hourglass.type)) {
    case HourglassControl::bare_viscous:
      return hexahedron_blocks<V, HourglassControl::bare_viscous>(args);
    case HourglassControl::viscous:
      return hexahedron_blocks<V, HourglassControl::viscous>(args);
    case HourglassControl::stiffness:
      return hexahedron_blocks<V, HourglassControl::stiffness>(args);
    case HourglassControl::assumed_strain:
      return hexahedron_blocks<V, HourglassControl::assumed_strain>(args);
  }
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::elements
