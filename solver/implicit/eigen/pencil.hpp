// The matrices of free vibration, K x = lambda M x, and the inverse of K - sigma M.
#pragma once

#include <cstdint>
#include <span>

#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::eigen {

/// K, M and what factors K - sigma M, whose pattern it has analysed. M is diagonal, not negative.
struct Pencil {
  const linear::BlockMatrix* stiffness = nullptr;
  std::span<const double> mass;  ///< by equation
  linear::Solver* solver = nullptr;

  std::size_t size() const { return mass.size(); }
  /// a' M b
  double product(std::span<const double> a, std::span<const double> b) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * mass[i] * b[i];
    return sum;
  }
};

/// A factor of K - sigma M. The solver holds one: only the last that was made can be applied.
class Shifted {
 public:
  Shifted(const Pencil& pencil, double shift);
  Shifted(const Shifted&) = delete;
  Shifted& operator=(const Shifted&) = delete;

  double shift() const { return shift_; }
  /// Eigenvalues below the shift, by Sylvester's law of inertia (Parlett 1998, section 3.3).
  std::int32_t below() const { return found_.negative; }
  /// Whether the shift is an eigenvalue as far as the factor can tell.
  bool singular() const { return found_.singular >= 0; }
  /// x <- (K - sigma M)^-1 M x, of columns one after the other.
  void apply(std::span<double> x) const;

 private:
  const Pencil* pencil_;
  double shift_;
  linear::BlockMatrix matrix_;  ///< the solver refers to it
  linear::Factored found_;
};

}  // namespace crumple::implicit::eigen
