// Inertia relief: loads on a body without supports are balanced by accelerations along its rigid modes.
//
// With the rigid modes R, R' M R = 1, the equations of statics become f - M R a = f_int with a = R' f, and of
// all motions that differ by rigid ones the one with R' M u = 0 is taken (Craig and Kurdila 2006,
// "Fundamentals of Structural Dynamics", section 12.4). Iterations solve with K + e M, which has an inverse,
// and refine: of a solution orthogonal to R each refinement leaves the part e / (lambda_1 + e), lambda_1 the
// first elastic eigenvalue. The modes are those of the state when unknowns were numbered last.
#pragma once

#include <span>
#include <vector>

#include "implicit/eigen/lanczos.hpp"
#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"
#include "model/implicit_control.hpp"

namespace crumple::implicit {

struct FreeVibration;

/// How many modes are looked for, among which the rigid ones are.
std::size_t relief_modes(const model::InertiaRelief& control);

class InertiaRelief {
 public:
  /// Throws Error CR-I307 if no mode is rigid, or none of an elastic one is left to compare with.
  InertiaRelief(const FreeVibration& of, const model::InertiaRelief& control);

  std::size_t modes() const { return rigid_.columns(); }
  /// Largest frequency of a rigid mode and the lowest of the others, in cycles.
  double rigid_frequency() const { return rigid_frequency_; }
  double elastic_frequency() const { return elastic_frequency_; }

  /// Takes the forces of accelerations from r.
  void balance(std::span<double> r) const;
  /// K + e M.
  void add_shift(linear::BlockMatrix& stiffness) const;
  /// d = K^-1 r orthogonal to rigid modes, by a factor of K + e M.
  linear::Solved solve(linear::Solver& solver, std::span<const double> r, std::span<double> d) const;

 private:
  void remove_rigid(std::span<double> d) const;
  void times_mass(std::span<const double> x, std::span<double> y) const;

  std::vector<double> mass_;  ///< diagonal
  linear::BlockMatrix coupled_;
  bool is_coupled_ = false;
  eigen::Vectors rigid_, of_rigid_;  ///< R, M R
  double shift_ = 0, rigid_frequency_ = 0, elastic_frequency_ = 0;
};

}  // namespace crumple::implicit
