// The updates of a law for elements: a function for each kind of point and each vector type of the
// instruction set.
//
// Everything listed here is compiled for every law. A vector type that an element needs is added here only.
#pragma once

#include <tuple>

#include "materials/discrete/law.hpp"
#include "materials/law.hpp"
#include "materials/vectors.hpp"

namespace crumple::materials {

/// Update of one point or of a vector of points.
template <class Point>
using Update = void (*)(const void* parameters, Point& point);

inline namespace CRUMPLE_ISA {

/// Null where a law has none.
struct Updates {
  std::tuple<Update<SolidPoint<Singles>>, Update<SolidPoint<Doubles>>, Update<SolidPoint<WithDerivatives>>>
      solid;
  std::tuple<Update<ShellPoint<Singles>>, Update<ShellPoint<Doubles>>, Update<ShellPoint<WithDerivatives>>,
             Update<ShellPoint<TwoSingles>>, Update<ShellPoint<TwoDoubles>>>
      shell;
  std::tuple<Update<BeamPoint<Singles>>, Update<BeamPoint<Doubles>>, Update<BeamPoint<WithDerivatives>>> beam;
  std::tuple<Update<CohesivePoint<Singles>>, Update<CohesivePoint<Doubles>>,
             Update<CohesivePoint<WithDerivatives>>>
      cohesive;
  DiscreteUpdate discrete;
  DiscreteTangents tangents;
};

/// Whether parameters P have an update of the kind of point.
template <class P, class Point>
concept UpdatesSolids = requires(const P& p, Point& point) {
  update_solid(p, point);
};
template <class P, class Point>
concept UpdatesShells = requires(const P& p, Point& point) {
  update_shell(p, point);
};
template <class P, class Point>
concept UpdatesBeams = requires(const P& p, Point& point) {
  update_beam(p, point);
};
template <class P, class Point>
concept UpdatesCohesive = requires(const P& p, Point& point) {
  update_cohesive(p, point);
};

/// `update_solid` of parameters P, or null; the next functions are for the other points.
template <class P, class V>
constexpr Update<SolidPoint<V>> solid_update(Update<SolidPoint<V>>) {
  if constexpr (UpdatesSolids<P, SolidPoint<V>>)
    return [](const void* p, SolidPoint<V>& point) { update_solid(*static_cast<const P*>(p), point); };
  else
    return nullptr;
}
template <class P, class V>
constexpr Update<ShellPoint<V>> shell_update(Update<ShellPoint<V>>) {
  if constexpr (UpdatesShells<P, ShellPoint<V>>)
    return [](const void* p, ShellPoint<V>& point) { update_shell(*static_cast<const P*>(p), point); };
  else
    return nullptr;
}
template <class P, class V>
constexpr Update<BeamPoint<V>> beam_update(Update<BeamPoint<V>>) {
  if constexpr (UpdatesBeams<P, BeamPoint<V>>)
    return [](const void* p, BeamPoint<V>& point) { update_beam(*static_cast<const P*>(p), point); };
  else
    return nullptr;
}
template <class P, class V>
constexpr Update<CohesivePoint<V>> cohesive_update(Update<CohesivePoint<V>>) {
  if constexpr (UpdatesCohesive<P, CohesivePoint<V>>)
    return [](const void* p, CohesivePoint<V>& point) { update_cohesive(*static_cast<const P*>(p), point); };
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
  std::apply([](auto&... f) { ((f = cohesive_update<P>(f)), ...); }, u.cohesive);
  u.discrete = discrete_update<P>();
  u.tangents = discrete_tangents<P>();
  return u;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
