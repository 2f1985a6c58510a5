// Force of a belt element: curves of force over engineering strain, hysteresis, damping.
//
// The force is that of the loading curve at e = l / L - 1, with L the unstretched length, and zero where the
// belt is slack. When a belt unloads, the unloading curve is moved along the axis of strain until it meets
// the loading curve where the unloading began; loading goes back on it. A damping force 0.1 m v / dt, at most
// a tenth of the force, acts on elements that are not at rings and retractors (Hallquist 2006, LS-DYNA Theory
// Manual, section on seatbelt elements).
#pragma once

#include "base/members.hpp"
#include "model/curve.hpp"

namespace crumple::loads {

/// Value of a curve, straight beyond its last point, as curves of materials; constant before its first.
double beyond(const model::Curve& curve, double x);
/// The smallest x at which a curve reaches `value`; that of its first point if it is there already, and
/// straight beyond its last.
double where(const model::Curve& curve, double value);
/// Largest slope of a curve.
double steepest(const model::Curve& curve);

/// Force on the loading curve; not negative, zero for strains below zero.
double loaded(const model::Curve& curve, double strain);

/// The largest strain of a belt so far.
/// @return the force at `strain`, which is loading beyond `peak`, and sets it
double hysteretic(const model::Curve& loading, const model::Curve& unloading, double strain, double& peak);

/// @param rate of the distance of the nodes, mass of the element
double belt_damping(double force, double mass, double rate, double dt);

}  // namespace crumple::loads
