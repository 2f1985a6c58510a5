// One-point hexahedron (ELFORM 1): uniform gradient of Flanagan and Belytschko 1981, hourglass types 1-6.
#pragma once

#include "elements/element.hpp"
#include "elements/solid/equation_of_state.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/solid/hexahedron_patterns.hpp"
#include "elements/solid/hourglass.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/material_point.hpp"
#include "elements/solid/solid.hpp"
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

/// `damped`: with *DAMPING_PART_STIFFNESS. `energetic`: with an equation of state.
template <HourglassControl control, bool damped, bool energetic = false>
struct Hexahedron : Solid {
  static constexpr int n_nodes = 8;
  static constexpr auto& shape = kHexahedronShape;
  static constexpr bool hourglass = true, damps = damped;

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 8, false>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 8, false>& out) const {
    using T = simd::scalar_t<V>;
    using namespace solid;
    const V dt = V(static_cast<T>(of.dt)), zero = V(0);
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
    const V volume0 = before.load(kVolume0);
    end.ratio = end.volume * simd::inverse(volume0);
    end.length = cube_root_near(end.inverse, before.load(kLength));
    const auto sane = end.volume > zero && mid_volume > zero;  // false for NaN, too
    const V rate = rates[0][0] + rates[1][1] + rates[2][2];
    const auto stiffening = [&] {
      return energetic ? largest_of_points<V>(group, after.from(kPoints), materials::kStiffening) : zero;
    };
    const auto sound_now = [&] {
      if constexpr (energetic)
        return sound_speed_of_state(group, stiffening(), end.ratio, volume0 * end.inverse);
      else
        return sound_speed(group, end.ratio, volume0 * end.inverse);
    };
    const SoundSpeed<V> sound = sound_now();
    const auto shape_now = [&] {
      const V area = largest_face_squared(motion.x);
      if constexpr (energetic)
        return step_geometry_of_state<8>(group, stiffening(), area, products, end.inverse);
      else
        return step_geometry<8>(group, area, products, end.inverse);
    };
    const auto step_now = [&] {
      if constexpr (energetic)
        return stable_step_of_state(
            group, sound_now(), shape_now(), end.length, rate,
            largest_of_points<V>(group, after.from(kPoints), materials::kDynamicViscosity));
      else
        return solid_stable_step(group, sound, shape_now(), end.length, rate);
    };
    const auto set_step = [&] { out.step = simd::select(sane, step_now(), zero); };
    if (of.dt == 0) return set_step();

    V d[6], rotation[3][3];
    strain_increment(rates, dt, d);
    step_rotation(rates, dt, rotation);
    if constexpr (energetic) {
      const V mean = V(static_cast<T>(0.5)) *
                     (before.load(kViscosity) + bulk_viscosity(group.hourglass, sound, end.length, rate));
      give_viscous_pressure(group, mean, after.from(kPoints));
    }
    PointResult<V> point;
    update_point(group, after.from(kPoints), rotation, d, dt, end.ratio, point);
    V taken = zero;
    if constexpr (damped)
      taken = add_stiffness_damping(group, solid_damping_per_step(group, sound, shape_now(), of.dt), d,
                                    point.stress);
    const V old_viscosity = before.load(kViscosity);
    const V viscosity = bulk_viscosity(group.hourglass, sound, end.length, rate);
    after.store(kViscosity, viscosity);
    after.store(kLength, end.length);

    const HourglassInput<V> in{
        end.x, mid, v, rates, rotation, end.volume, end.length, end.squares, sound.density, sound.speed, dt};
    HourglassResult<V> hourglass_result;
    if constexpr (control == HourglassControl::stiffness || control == HourglassControl::assumed_strain)
      before.prefetch(hourglass_offset(group), 12);
    hourglass_forces<control>(group, in, before, after, hourglass_result);
    hexahedron_forces<control != HourglassControl::bare_viscous>(end, point.stress, viscosity, in,
                                                                 hourglass_result, out.f);
    out.survives = of.living && !point.failed;
    set_step();  // its roots are computed while the forces are added to the nodes
    out.acts = out.survives && sane;
    out.counts = of.living && sane;
    const V dilatation = d[0] + d[1] + d[2];
    const V half = V(static_cast<T>(0.5));
    out.internal = mid_volume * (point.work - half * (old_viscosity + viscosity) * dilatation);
    out.hourglass = hourglass_result.work;
    if constexpr (damped) out.damping = mid_volume * taken;
  }
};

/// ELFORM 1.
struct HexahedronForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters& group, Run run) {
    switch (hourglass_control(group.hourglass.type)) {
      case HourglassControl::bare_viscous:
        return choose_damped<HourglassControl::bare_viscous>(group, run);
      case HourglassControl::viscous:
        return choose_damped<HourglassControl::viscous>(group, run);
      case HourglassControl::stiffness:
        return choose_damped<HourglassControl::stiffness>(group, run);
      case HourglassControl::assumed_strain:
        return choose_damped<HourglassControl::assumed_strain>(group, run);
    }
  }

 private:
  template <HourglassControl control, class Run>
  static void choose_damped(const GroupParameters& group, Run run) {
    if (has_equation_of_state(group)) return run(Hexahedron<control, true, true>());
    group.stiffness_damping != 0 ? run(Hexahedron<control, true>()) : run(Hexahedron<control, false>());
  }
};

}  // namespace CRUMPLE_ISA

}  // namespace crumple::elements
