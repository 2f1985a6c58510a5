// The matrices of free vibration, K x = lambda M x, and the inverse of K - sigma M.
//
// M is a diagonal, or a matrix with the pattern of K where nodes depend on others or masses are consistent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::eigen {

/// K, M and what factors K - sigma M, whose pattern it has analysed. No x' M x is negative.
struct Pencil {
  const linear::BlockMatrix* stiffness = nullptr;
  std::span<const double> mass;  ///< the diagonal of M, by equation
  linear::Solver* solver = nullptr;
  const linear::BlockMatrix* coupled = nullptr;  ///< M; null: its diagonal is all

  std::size_t size() const { return mass.size(); }
  /// y = M x, of columns one after the other. y may not be x.
  void times_mass(std::span<const double> x, std::span<double> y) const;
  /// a' M b
  double product(std::span<const double> a, std::span<const double> b) const;
};

/// A self-adjoint operator in the scalar product of M whose eigenvalues are 1 / (lambda - shift).
class Operator {
 public:
  virtual ~Operator() = default;
  virtual double shift() const = 0;
  /// x <- op x, of columns one after the other.
  virtual void apply(std::span<double> x) const = 0;
};

/// A factor of K - sigma M. The solver holds one: only the last that was made can be applied.
class Shifted final : public Operator {
 public:
  Shifted(const Pencil& pencil, double shift);
  Shifted(const Shifted&) = delete;
  Shifted& operator=(const Shifted&) = delete;

  double shift() const override { return shift_; }
  /// Eigenvalues below the shift, by Sylvester's law of inertia (Parlett 1998, section 3.3).
  std::int32_t below() const { return found_.negative; }
  /// Whether the shift is an eigenvalue as far as the factor can tell.
  bool singular() const { return found_.singular >= 0; }
  /// x <- (K - sigma M)^-1 M x, of columns one after the other.
  void apply(std::span<double> x) const override;

 private:
  const Pencil* pencil_;
  double shift_;
  linear::BlockMatrix matrix_;  ///< the solver refers to it
  linear::Factored found_;
};

}  // namespace crumple::implicit::eigen
