// Modes of buckling: (K + lambda K_s) x = 0, K the stiffness without stress, K_s what stresses and loads add.
//
// lambda is the factor of the present loads at which the structure has a second path, as far as K and K_s do
// not change on the way (Cook, Malkus, Plesha and Witt 2002, "Concepts and Applications of Finite Element
// Analysis", section 18.3). K is positive definite, K_s is not: block Lanczos on -K^-1 K_s in the scalar
// product of K, whose eigenvalues are 1 / lambda, so that factors nearest to zero, of either sign, come first
// (Grimes, Lewis and Simon 1994, section 2, with the shift at zero). By Sylvester's law of inertia the
// negative pivots of K + s K_s are as many as there are factors between 0 and s.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::eigen {

struct BucklingMode {
  double factor = 0;          ///< lambda
  std::vector<double> shape;  ///< by equation; shape' K shape = 1
  double residual = 0;        ///< |K x + lambda K_s x| / |K x|
};

struct BucklingModes {
  std::vector<BucklingMode> modes;  ///< ascending |lambda|
  double within = 0;                ///< the count is of factors of a size up to this
  std::size_t counted = 0;          ///< by factors of K + s K_s and of K - s K_s
  bool agrees() const { return counted == modes.size(); }
};

/// Up to `count` modes; fewer if stresses make no more.
/// @param stiffness, stress K and K_s, with the pattern that the solver has analysed
/// @param between is called after each block; it may throw
/// @throws Error CR-I305 if K is not positive definite, CR-I302 if the iteration does not converge
BucklingModes find_buckling(const linear::BlockMatrix& stiffness, const linear::BlockMatrix& stress,
                            linear::Solver& solver, std::size_t count,
                            const std::function<void()>& between = {});

}  // namespace crumple::implicit::eigen
