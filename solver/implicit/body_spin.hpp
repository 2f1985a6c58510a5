// Rotary inertia of a rigid body in an implicit step: its angular momentum, and the moment that a turn takes.
//
// The tensor J turns with the body. Newmark's formulas hold for the angular velocity W and its rate A in axes
// that turn with the body, with Cayley's vector of the turn in the place of the displacement, and for the
// angular momentum p = R J W in global axes with the moment m in the place of its rate:
//     Theta = dt W + dt^2 ((1/2 - beta) A + beta A+),    W+ = W + dt ((1 - gamma) A + gamma A+),
//     p+ = p + dt ((1 - gamma) m + gamma m+).
// With gamma = 1/2 and beta = 1/4 this is the algorithm of Simo and Wong (1991), Int. J. Numer. Methods Eng.
// 31, 19-52, of which the explicit solver has the free part (constraints/rigid_bodies.cpp): without moments
// momentum and energy are constant, whatever the step. Gyroscopic moments are in the change of p. Where
// rotations are held or given, the formulas hold in global axes, in which these directions are fixed, and the
// moment about them is that of Euler's equations, J dw/dt + w x p, at the end of the step: by differences it
// would oscillate.
#pragma once

#include "base/members.hpp"
#include "constraints/rotation.hpp"
#include "implicit/point_masses.hpp"
#include "implicit/supports.hpp"

namespace crumple::implicit {

/// A body's rotation at one time, beside its angular velocity and acceleration.
struct BodySpin {
  constraints::Quaternion orientation;  ///< since t = 0
  Vec3 momentum;                        ///< about the centre, or the point on which the body pivots
  Vec3 moment;                          ///< its rate
};
CRUMPLE_MEMBERS(BodySpin, orientation, momentum, moment)

/// Newmark's constants of a step.
struct NewmarkStep {
  double beta = 0.25, gamma = 0.5, dt = 0;
  /// Rates at the end of a step with the increment u.
  void advance(const Vec3& u, const Vec3& v, const Vec3& a, Vec3& v_end, Vec3& a_end) const {
    a_end = (1.0 / (beta * dt * dt)) * (u - dt * v) - (0.5 / beta - 1.0) * a;
    v_end = v + dt * ((1.0 - gamma) * a + gamma * a_end);
  }
};

/// Angular velocity and acceleration at one time.
struct SpinRates {
  Vec3 w, alpha;
};

/// Rates at the end of a step in which the body turns by Cayley's vector `turn`, before given motion.
/// @param free whether no rotation is held or given
SpinRates spin_rates(const NewmarkStep& step, const BodySpin& start, const SpinRates& rates, const Vec3& turn,
                     bool free);

/// Momentum and moment at the end of that step.
/// @param given rotations that are held or given
BodySpin spin_after(const NewmarkStep& step, const BodyMass& body, const BodySpin& start, const Vec3& turn,
                    const SpinRates& end, const constraints::Directions& given);

/// d moment / d turn at the end of that step, rows.
constraints::Matrix3 moment_by_turn(const NewmarkStep& step, const BodyMass& body, const BodySpin& start,
                                    const BodySpin& end, const Vec3& turn, const Vec3& w_end, bool free);

/// Euler's moment J alpha + w x J w.
Vec3 euler_moment(const BodyMass& body, const constraints::Quaternion& orientation, const SpinRates& rates);

}  // namespace crumple::implicit
