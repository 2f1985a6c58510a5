// A beam whose axial force is prescribed for a time (*INITIAL_AXIAL_FORCE_BEAM).
//
// As for solids (materials/wrappers/preload.hpp), the strain along the axis is that with which the law gives
// the force wanted, whatever the nodes do: from the force N and the moments M of the points before the step,
//     e = (F - N) / (E A),   and without bending stiffness   k_s = -M_s / (E I_s) etc.,
// which makes all points equal. What a law that yields then misses is added to its stresses: without bending
// stiffness each point gets F / A, else all get the same difference, so that the moments stay.
#pragma once

#include "elements/beam/cross_section.hpp"
#include "elements/beam/layout.hpp"
#include "materials/wrappers/preload.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// The preload of a vector of beams.
template <class V>
struct BeamPreload {
  using T = simd::scalar_t<V>;
  const beam::CrossSection& section;
  T* points;
  int stride;
  bool bends;       ///< keeps its moments
  V factor, force;  ///< whether it acts, 1 or 0, and the force wanted

  BeamPreload(const GroupParameters& group, const materials::PreloadLaw& law,
              const beam::CrossSection& of_section, T* of_points)
      : section(of_section),
        points(of_points),
        stride(beam::point_stride(group) * kLanes),
        bends(law.keeps),
        factor(simd::load<V>(points + (beam::kHistory + law.law_history) * kLanes)),
        force(simd::load<V>(points + (beam::kHistory + law.law_history + 1) * kLanes)) {}

  static V constant(double c) { return V(static_cast<T>(c)); }
  bool acts() const { return simd::any(factor > V(0)); }
  T* stress(int p) const { return points + p * stride; }

  /// Replaces the strain along the axis and, where it does not bend, the curvatures slope[1] and slope[2].
  void replace(double young, V (&strain)[3], V (&slope)[3]) const {
    V axial(0), moment_s(0), moment_t(0);
    for (int p = 0; p < section.n; ++p) {
      const V f = constant(section.area[p]) * simd::load<V>(stress(p));
      axial += f;
      moment_s += constant(section.t[p]) * f;
      moment_t += constant(section.s[p]) * f;
    }
    const auto put = [&](V& of, V value) { of = simd::select(factor > V(0), value, of); };
    put(strain[0], (force - axial) * constant(1 / (young * section.total_area)));
    if (bends) return;
    put(slope[1], section.i_ss > 0 ? moment_s * constant(-1 / (young * section.i_ss)) : V(0));
    put(slope[2], section.i_tt > 0 ? moment_t * constant(1 / (young * section.i_tt)) : V(0));
  }

  /// The stresses of the points, which get what they miss, and their resultants: the force wanted, and
  /// moments.
  void correct(V& axial, V& moment_s, V& moment_t) const {
    const V inverse = constant(1 / section.total_area), uniform = force * inverse;
    const V missing = (force - axial) * inverse;
    V lever_s(0), lever_t(0);  // first moments of the area
    for (int p = 0; p < section.n; ++p) {
      const V now = simd::load<V>(stress(p));
      simd::store(stress(p), simd::select(factor > V(0), bends ? now + missing : uniform, now));
      lever_s += constant(section.area[p] * section.t[p]);
      lever_t += constant(section.area[p] * section.s[p]);
    }
    const auto put = [&](V& of, V value) { of = simd::select(factor > V(0), value, of); };
    put(moment_s, bends ? moment_s + lever_s * missing : lever_s * uniform);
    put(moment_t, bends ? moment_t - lever_t * missing : V(0) - lever_t * uniform);
    put(axial, force);
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
