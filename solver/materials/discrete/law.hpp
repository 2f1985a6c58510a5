// The interface between discrete elements and the laws of springs and dampers, in scalar double.
//
// Forces are positive in tension; for torsional elements read moment, rotation and angular velocity. The
// element adds the terms of *SECTION_DISCRETE: scale, offset, dynamic magnification and limits. A law has, in
// the inline namespace of the instruction set,
//
//   void update_discrete(const P&, double d, double v, DiscreteState&);   // elongation and its velocity
//   template <class Visit>
//   void visit_tangents(const P&, double d, double v, const double (&history)[kDiscreteHistory], Visit);
//
// The second calls `visit(gap, tangent)` for every tangent of the law: those at the elongation `d` with gap
// 0, others with the change of elongation `gap` that leads to them. When a spring reaches a stiffer part of
// its curve, the step must already be short enough. For a damper's curve the steepest part always counts,
// since forces may change the velocity by any amount within a step.
#pragma once

#include "simd/instruction_set.hpp"

namespace crumple::materials {

inline constexpr int kDiscreteHistory = 3;

/// The state that a law keeps from step to step.
struct DiscreteState {
  double force = 0;
  double history[kDiscreteHistory] = {};
};

/// Slopes of a force over elongation and over its velocity, at least 0, from which the stable step follows.
struct DiscreteTangent {
  double stiffness = 0, damping = 0;
};

/// A reference to a caller's function of (gap, tangent).
class TangentVisitor {
 public:
  template <class Visit>
  explicit TangentVisitor(const Visit& visit)
      : object_(&visit), call_([](const void* object, double gap, DiscreteTangent tangent) {
          (*static_cast<const Visit*>(object))(gap, tangent);
        }) {}
  void operator()(double gap, DiscreteTangent tangent) const { call_(object_, gap, tangent); }

 private:
  const void* object_;
  void (*call_)(const void*, double, DiscreteTangent);
};

using DiscreteUpdate = void (*)(const void* parameters, double d, double v, DiscreteState& state);
using DiscreteTangents = void (*)(const void* parameters, double d, double v,
                                  const double (&history)[kDiscreteHistory], TangentVisitor visit);

inline namespace CRUMPLE_ISA {

/// The functions of parameters P, or null.
template <class P>
constexpr DiscreteUpdate discrete_update() {
  if constexpr (requires(const P& p, DiscreteState& state) { update_discrete(p, 0.0, 0.0, state); })
    return [](const void* p, double d, double v, DiscreteState& state) {
      update_discrete(*static_cast<const P*>(p), d, v, state);
    };
  else
    return nullptr;
}
template <class P>
constexpr DiscreteTangents discrete_tangents() {
  if constexpr (discrete_update<P>() != nullptr)
    return [](const void* p, double d, double v, const double(&history)[kDiscreteHistory],
              TangentVisitor visit) { visit_tangents(*static_cast<const P*>(p), d, v, history, visit); };
  else
    return nullptr;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
