// The functions that elements call to update a point with their law.
//
//   materials::update_solid(group.law, point);
//
// Laws are separate functions, compiled separately. They are called by a pointer; it is the same for all
// elements of a group, so the branch is predicted.
#pragma once

#include "materials/updates.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// The updates of a law for this instruction set.
inline const Updates& updates_of(const Law& law) {
  return *static_cast<const Updates*>(law.updates->of[simd::kIsaNumber]);
}

/// The update of one kind of point by a law; `table` is a member of Updates. Only tests use vectors that
/// updates.hpp does not list; they provide `update_here(law, point)`, and their laws may have no Updates.
template <class Point, class... Functions>
inline void call_update(std::tuple<Functions...> Updates::*table, const Law& law, Point& point) {
  if constexpr ((std::is_same_v<Update<Point>, Functions> || ...))
    std::get<Update<Point>>(updates_of(law).*table)(law.parameters, point);
  else
    update_here(law, point);
}

/// Stress, history and plastic strain of W solid points at the end of a step.
template <class V>
inline void update_solid(const Law& law, SolidPoint<V>& point) {
  call_update(&Updates::solid, law, point);
}

/// The same in plane stress; also finds the thickness strain d[2].
template <class V>
inline void update_shell(const Law& law, ShellPoint<V>& point) {
  call_update(&Updates::shell, law, point);
}

/// The same for a beam fibre.
template <class V>
inline void update_beam(const Law& law, BeamPoint<V>& point) {
  call_update(&Updates::beam, law, point);
}

/// Tractions of points between two surfaces.
template <class V>
inline void update_cohesive(const Law& law, CohesivePoint<V>& point) {
  call_update(&Updates::cohesive, law, point);
}

/// Force of a spring or damper at elongation `d` and velocity of elongation `v`.
inline void update_discrete(const Law& law, double d, double v, DiscreteState& state) {
  updates_of(law).discrete(law.parameters, d, v, state);
}

/// Calls `visit(gap, tangent)` for every tangent that a spring or damper may have (discrete/law.hpp).
template <class Visit>
inline void visit_tangents(const Law& law, double d, double v, const double (&history)[kDiscreteHistory],
                           Visit visit) {
  updates_of(law).tangents(law.parameters, d, v, history, TangentVisitor(visit));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
