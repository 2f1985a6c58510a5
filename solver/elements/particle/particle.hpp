// The stress of a smooth particle: from the velocity gradient that its neighbours give, by the laws of
// solids.
//
// Density by continuity, d rho / dt = -rho div v (Monaghan 1992, "Smoothed particle hydrodynamics", Annu.
// Rev. Astron. Astrophys. 30; here of the formulation's own gradient), and with it the smoothing
// length, d h / dt = h div v / 3, between HMIN and HMAX times that at the start (Benz 1990, "Smooth particle
// hydrodynamics: a review"). Both by the midpoint rule, as the energy equation of
// materials/eos/hydro_point.hpp has it. The forces between particles are in solver/particles.
//
// The step is L / (Q + sqrt(Q^2 + c^2)) as in solids (solid/viscosity.hpp), with L = h, or less where the
// gradients of the kernel are steeper than inside a body. By Gershgorin's theorem the highest frequency of
// equal particles is at most c times the sum of absolute gradients, 2.8 c / h with the cubic spline: 2 /
// omega is at least 0.71 h / c. Plane waves reach about half of that frequency. Q has Monaghan's viscosity,
// alpha c + beta mu of the pair that closes fastest, or that of solids, and 2 nu / h of the law's own.
#pragma once

#include "elements/element.hpp"
#include "elements/particle/layout.hpp"
#include "elements/solid/equation_of_state.hpp"
#include "elements/solid/material_point.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// `energetic`: with an equation of state.
template <bool energetic>
struct Particle {
  static constexpr int n_nodes = 1;
  static constexpr bool rotations = false, prefetches = false, drilling = false, hourglass = false,
                        damps = false, only_step_at_start = true;
  static int variables(const GroupParameters& group) { return particle::n_variables(group); }

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 1, false>&, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 1, false>& out) const {
    using T = simd::scalar_t<V>;
    using namespace particle;
    const auto constant = [](double c) { return V(static_cast<T>(c)); };
    const V dt(static_cast<T>(of.dt)), zero = constant(0), one = constant(1), half = constant(0.5);
    V rates[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) rates[i][j] = before.load(kGradient + 3 * i + j);
    const V rate = rates[0][0] + rates[1][1] + rates[2][2], trace = dt * rate;
    const V volume0 = before.load(kVolume0);
    const V ratio = before.load(kRatio) * (one + half * trace) / (one - half * trace);
    const auto sane = ratio > zero && trace < one && trace > constant(-1);  // false for NaN, too
    const V sixth = constant(1.0 / 6) * trace, length0 = before.load(kLength0);
    const V grown = before.load(kLength) * (one + sixth) / (one - sixth);
    const V length = simd::min(simd::max(grown, constant(group.least_length) * length0),
                               constant(group.most_length) * length0);
    T* const points = after.from(kPoint);
    const auto sound_now = [&] {
      const V stiffening = energetic ? largest_of_points<V>(group, points, materials::kStiffening) : zero;
      return sound_speed_of_state(group, stiffening, ratio, one / ratio);
    };
    const auto set_step = [&] {
      const SoundSpeed<V> sound = sound_now();
      after.store(kSpeed, sound.speed);
      const V nu = energetic
                       ? largest_of_points<V>(group, points, materials::kDynamicViscosity) / sound.density
                       : zero;
      out.step = simd::select(sane, step(group, sound, length, rate, before, nu), zero);
    };
    if (of.dt == 0) return set_step();

    const SoundSpeed<V> sound = sound_now();
    const V viscosity = group.solid_viscosity ? bulk_viscosity(group.hourglass, sound, length, rate) : zero;
    const V old_viscosity = before.load(kViscosity), heating = before.load(kHeating);
    if constexpr (energetic) {
      give_viscous_pressure(group, half * (old_viscosity + viscosity), points);
      T* const energy = points + (kPointHistory + materials::kEnergyGained) * kLanes;
      simd::store(energy, simd::load<V>(energy) + heating);
    }
    V d[6], rotation[3][3];
    strain_increment(rates, dt, d);
    step_rotation(rates, dt, rotation);
    PointResult<V> point;
    update_point(group, points, rotation, d, dt, ratio, point);
    after.store(kViscosity, viscosity);
    after.store(kRatio, ratio);
    after.store(kLength, length);
    out.f[0][0] = out.f[0][1] = out.f[0][2] = zero;
    out.survives = of.living && !(before.load(kGone) > zero);
    if (group.erodes) out.survives = out.survives && !point.failed;
    set_step();
    out.acts = out.survives && sane;
    out.counts = of.living && sane;
    const V middle = ratio / (one + half * trace);
    out.internal = volume0 * (middle * (point.work - half * (old_viscosity + viscosity) * trace) + heating);
  }

 private:
  /// @param nu the law's own kinematic viscosity
  template <class V>
  static V step(const GroupParameters& group, const SoundSpeed<V>& sound, V length, V rate,
                const StateBefore<V>& before, V nu) {
    using T = simd::scalar_t<V>;
    const auto constant = [](double c) { return V(static_cast<T>(c)); };
    const V one = constant(1), q1 = constant(group.hourglass.q1), q2 = constant(group.hourglass.q2);
    const V size = length / simd::max(one, before.load(particle::kSteepness));
    const V closing =
        group.solid_viscosity ? size * simd::max(-rate, constant(0)) : before.load(particle::kClosing);
    const V q = q2 * sound.speed + q1 * closing + constant(2) * nu / size;
    const V free = size / (q + simd::sqrt(q * q + sound.speed * sound.speed));
    const V change =
        simd::max(simd::max(rate, -rate), constant(1e-30));  // of the volume in a step: a quarter
    return simd::min(free, constant(0.25) / change);
  }
};

/// All particles.
struct ParticleForm {
  static constexpr bool flatten = false;
  template <class Run>
  static void choose(const GroupParameters& group, Run run) {
    has_equation_of_state(group) ? run(Particle<true>()) : run(Particle<false>());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
