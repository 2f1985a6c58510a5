// Steps of a given length along the path of equilibrium, past limit points, where no load step has a
// solution.
//
// Riks (1979), "An incremental approach to the solution of snapping and buckling problems", Int. J. Solids
// Struct. 15, 529-551; Crisfield (1981), "A fast incremental/iterative solution procedure that handles
// snap-through", Comput. Struct. 13, 55-62: the time of the load curves is one more unknown, and the
// increment of translations keeps its length (eq. 15; a cylinder, without loads in the norm). Of the two
// points of an iteration the one that turns back least is taken. A step starts in the direction in which the
// last one went (Feng, Peric and Owen 1996, "A new criterion for determination of initial loading parameter
// in arc-length methods", Comput. Struct. 58, 479-485), which tells a limit point from a bifurcation.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "implicit/newton.hpp"

namespace crumple::implicit {

/// Equations whose loads depend on a time of their own.
class LoadedEquations : public Equations {
 public:
  /// Later trials have the loads of this time.
  virtual void load_to(double time) = 0;
  /// The derivative of the residual by that time, at the last trial.
  virtual void load_rate(std::span<double> q) = 0;
};

/// Where a step begins on the path; where it has ended, after it has converged.
struct PathPoint {
  double load = 0;           ///< time of the load curves
  double speed = 0;          ///< length over time of steps; 0: that of the first step along the tangent
  std::vector<double> last;  ///< the last increment along the unknowns; empty: none, loads grow
};

/// One step, with a new stiffness in each iteration.
/// @param length of time: times the speed it is the length of the arc
/// @param factor of the speed, where this is found (ARCLEN)
Outcome solve_arc_step(LoadedEquations& equations, const NewtonOptions& options, double length, double factor,
                       PathPoint& point, References& references,
                       const std::function<void(const Iteration&)>& report);

}  // namespace crumple::implicit
