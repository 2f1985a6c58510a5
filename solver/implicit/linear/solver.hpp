// Solves K x = b for a symmetric matrix of blocks: analyse once, factor for each matrix, solve for each right
// hand side. What solves it is chosen by name (methods register themselves).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/types.hpp"
#include "implicit/linear/block_matrix.hpp"

namespace crumple::implicit::linear {

enum class Method { multifrontal, mumps, conjugate_gradients };
enum class Ordering { metis, geometric };

struct SolverOptions {
  Method method = Method::multifrontal;
  Ordering ordering = Ordering::metis;
  bool single_precision = false;  ///< of the factor; solutions are then refined
  bool out_of_core = false;
  std::string folder = ".";  ///< of the factor's files, out of core
  double memory_limit = 0;   ///< bytes of this process for the factor; 0: no limit
  int threads = 1;
};

/// What the symbolic phase knows.
struct Analysis {
  double flops = 0;              ///< of one factor
  double entries = 0;            ///< of the factor
  double bytes_in_core = 0;      ///< largest memory of a factor that stays in memory
  double bytes_out_of_core = 0;  ///< largest memory of one that goes to disk
  double bytes_on_disk = 0;      ///< out of core
  std::int32_t largest_front = 0;
};

/// What a factor found.
struct Factored {
  std::int32_t negative = 0;  ///< negative pivots: eigenvalues below zero, by Sylvester's law of inertia
  /// Equation of the first pivot that is zero beside the matrix's size; -1: none. The matrix has no inverse.
  std::int32_t singular = -1;
  /// Such pivots, which count as neither sign; each was held by a spring of its equation's size. Where a
  /// whole body is free they are at most its 6 motions: rounding hides those that the springs hold by a short
  /// arm.
  std::int32_t zero = 0;
};

/// How well equations were solved, for the worst right hand side.
struct Solved {
  int refinements = 0;  ///< steps after the first solution
  double residual = 0;  ///< |b - K x| / |b|; 0 if it was not looked at
};

class Solver {
 public:
  virtual ~Solver() = default;
  /// Ordering and symbolic factor.
  /// @param positions of rows of blocks; (n_rows)
  virtual Analysis analyse(const BlockPattern& pattern, std::span<const Vec3> positions) = 0;
  /// Throws Error if there is no memory or no space on disk.
  virtual Factored factor(const BlockMatrix& matrix) = 0;
  /// @param b right hand sides, one after the other; (n_rhs, n_equations)
  /// @param x may be b
  /// @pre the matrix of the last factor is still there and the same: a factor of single precision is refined
  /// with it
  virtual Solved solve(std::span<const double> b, std::span<double> x) = 0;
};

/// Throws Error if this build does not have the method.
std::unique_ptr<Solver> make_solver(const SolverOptions& options);

}  // namespace crumple::implicit::linear
