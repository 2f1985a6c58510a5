// The interface between discrete elements and the laws of springs and dampers, in scalar double.
//
// Forces are positive in tension; for torsional elements read moment, rotation and angular velocity. The
// element knows what *SECTION_DISCRETE adds: its scale, offset, dynamic magnification and limits. A law has,
// in the inline namespace of the instruction set,
//
//   void update_discrete(const P&, double d, double v, DiscreteState&);   // elongation and its velocity
//   template <class Visit>
//   void visit_tangents(const P&, double d, double v, const double (&history)[kDiscreteHistory], Visit);
//
// The second calls `visit(gap, tangent)` for every tangent that the law may have: at the elongation `d`, and
// where the elongation changes by `gap`. A spring that meets a stiffer part of its curve must not find the
// step too long for it. Of a damper's curve the steepest part counts wherever it is, since forces may change
// the velocity by any amount within a step.
#pragma once

#include "simd/instruction_set.hpp"

namespace crumple::materials {

inline constexpr int kDiscreteHistory = 3;

/// What a law leaves behind each step, and laws with a memory find in the next.
struct DiscreteState {
  double force = 0;
  double history[kDiscreteHistory] = {};
};

/// Slopes of a force over elongation and over its velocity, neither below 0: what a stable step depends on.
struct DiscreteTangent {
  double stiffness = 0, damping = 0;
};

/// A function of (gap, tangent) that belongs to the caller.
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
