// Conjugate gradients with a hierarchy as preconditioner (Hestenes and Stiefel 1952; Golub and Van Loan 2013,
// 11.5.2).
#pragma once

#include <span>

#include "implicit/linear/amg/hierarchy.hpp"

namespace crumple::implicit::linear::amg {

/// When to end: at the first of both tolerances, or after so many iterations.
struct Ending {
  double relative =
      1e-8;  ///< of the residual's norm |r|_M over |b|_M, |r|_M^2 = r' M r: about the error's energy
  double absolute = 0;  ///< of the residual's Euclidean norm
  int iterations = 500;
};

enum class Ended { converged, too_many, negative };

struct Iterated {
  Ended ended = Ended::converged;
  int iterations = 0;
  double residual = 0;  ///< |r| / |b|
};

/// x = A^-1 b, in the order of the hierarchy's first level. `negative`: a direction in which A is not
/// positive has been found, or M is not positive.
Iterated conjugate_gradients(Hierarchy& hierarchy, const Ending& ending, int threads,
                             std::span<const double> b, std::span<double> x);

}  // namespace crumple::implicit::linear::amg
