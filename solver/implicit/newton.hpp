// Solves the equations of a step: Newton's method, BFGS updates between factors, and a line search.
//
// Matthies and Strang (1979), "The solution of nonlinear finite element equations", Int. J. Numer. Methods
// Eng. 14, 1613-1626: updates in product form, two scalar products each; line search on the energy
// G(s) = d . r(u + s d). With a factor for each iteration this is Newton's method, whose error is squared by
// each of the last iterations.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "implicit/norms.hpp"
#include "model/implicit_control.hpp"

namespace crumple::implicit {

/// What a factor of the stiffness found.
struct StiffnessFound {
  std::int32_t negative = 0;   ///< eigenvalues below zero
  std::int32_t singular = -1;  ///< an equation without stiffness; -1: none
};

/// The equations r(u) = 0 of a step, u the unknowns.
class Equations {
 public:
  virtual ~Equations() = default;
  virtual std::size_t size() const = 0;
  /// By unknown: whether it is a rotation.
  virtual std::span<const char> rotations() const = 0;
  /// Stiffness at the present trial, factored unless `reuse`, and the right hand side there: the residual,
  /// and in the first call what given motion adds, which becomes part of the trial. False if an element is
  /// broken.
  virtual bool linearise(bool reuse, std::span<double> r, StiffnessFound& found) = 0;
  /// d = K^-1 r.
  virtual void solve(std::span<const double> r, std::span<double> d) = 0;
  /// What the last solution found of the stiffness that `linearise` had not.
  virtual StiffnessFound found_by_solution() const { return {}; }
  /// The trial becomes what `keep` left plus s d; its residual. False if an element is broken.
  virtual bool residual(double s, std::span<const double> d, std::span<double> r) = 0;
  /// Later trials start from the present one.
  virtual void keep() = 0;
  /// The displacement since the start of the step, or since that of the run, as unknowns.
  virtual void displacement(bool total, std::span<double> u) const = 0;
};

/// One iteration, for the screen.
struct Iteration {
  int number = 0;  ///< in the step, from 1
  bool formed = false;
  std::int32_t negative = 0;
  double step = 1;  ///< of the line search
  int searches = 0;
  double displacement = 0, energy = 0, residual = 0;  ///< ratios that are compared with tolerances
  Norm increment, force;                              ///< their norms
};

/// Largest norms so far, to which those of an iteration are compared.
struct References {
  Norm displacement;  ///< of the run, with DNORM = 2
};

/// Of a step that ended without balance; with `unattached` no smaller step would help.
enum class Trouble { none, iterations, broken, singular, negative, unattached };

struct Outcome {
  Trouble trouble = Trouble::none;
  int iterations = 0, factors = 0;
  std::int32_t singular = -1;    ///< equation
  std::vector<double> residual;  ///< of the last trial
};

struct NewtonOptions {
  model::Iterations limits;
  bool stop_if_negative = false;
  double size = 0;  ///< of the model: increments below `absolute` times it are none
};

/// @param reuse the first iterations may use the factor of an earlier step
/// @param report called after each iteration
Outcome solve_step(Equations& equations, const NewtonOptions& options, bool reuse, References& references,
                   const std::function<void(const Iteration&)>& report);

}  // namespace crumple::implicit
