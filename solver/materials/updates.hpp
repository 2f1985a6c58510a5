// The updates of a law for elements: a function for each kind of point and each vector type of the
// instruction set.
//
// Everything listed here is compiled for every law. A vector type that an element needs is added here only.
#pragma once

#include <tuple>

#include "materials/discrete/law.hpp"
#include "materials/law.hpp"
#include "simd/instruction_set.hpp"

namespace crumple::materials {

/// Update of one point or of a vector of points.
template <class Point>
using Update = void (*)(const void* parameters, Point& point);

inline namespace CRUMPLE_ISA {

using simd::kBytesPerVector;
using Singles = simd::Vec<float, kBytesPerVector / 4>;
using Doubles = simd::Vec<double, kBytesPerVector / 8>;
/// One point with derivatives, for tangents; their number is the fastest one measured
/// (elements/tangent_driver.hpp).
using WithDerivatives = simd::Dual<double, 8>;

/// Null where a law has none.
struct Updates {
  std::tuple<Update<SolidPoint<Singles>>, Update<SolidPoint<Doubles>>, Update<SolidPoint<WithDerivatives>>>
      solid;
  // Shells update two points at a time.
  std::tuple<Update<ShellPoint<Singles>>, Update<ShellPoint<Doubles>>, Update<ShellPoint<WithDerivatives>>,
             Update<ShellPoint<simd::several_t<Singles, 2>>>, Update<ShellPoint<simd::several_t<Doubles, 2>>>>
      shell;
  std::tuple<Update<BeamPoint<Singles>>, Update<BeamPoint<Doubles>>, Update<BeamPoint<WithDerivatives>>> beam;
  DiscreteUpdate discrete;
  DiscreteTangents tangents;
};

/// `update_solid` of parameters P, or null; the next functions are for shells and beams.
template <class P, class V>
constexpr Update<SolidPoint<V>> solid_update(Update<SolidPoint<V>>) {
  if constexpr (requires(const P& p, SolidPoint<V>& point) { update_solid(p, point); })
    return [](const void* p, SolidPoint<V>& point) { update_solid(*static_cast<const P*>(p), point); };
  else
    return nullptr;
}
template <class P, class V>
constexpr Update<ShellPoint<V>> shell_update(Update<ShellPoint<V>>) {
  if constexpr (requires(const P& p, ShellPoint<V>& point) { update_shell(p, point); })
    return [](const void* p, ShellPoint<V>& point) { update_shell(*static_cast<const P*>(p), point); };
  else
    return nullptr;
}
template <class P, class V>
constexpr Update<BeamPoint<V>> beam_update(Update<BeamPoint<V>>) {
  if constexpr (requires(const P& p, BeamPoint<V>& point) { update_beam(p, point); })
    return [](const void* p, BeamPoint<V>& point) { update_beam(*static_cast<const P*>(p), point); };
  else
    return nullptr;
}

/// All updates of parameters P.
template <class P>
constexpr Updates make_updates() {
  Updates u{};
  std::apply([](auto&... f) { ((f = solid_update<P>(f)), ...); }, u.solid);
  std::apply([](auto&... f) { ((f = shell_update<P>(f)), ...); }, u.shell);
  std::apply([](auto&... f) { ((f = beam_update<P>(f)), ...); }, u.beam);
  u.discrete = discrete_update<P>();
  u.tangents = discrete_tangents<P>();
  return u;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
