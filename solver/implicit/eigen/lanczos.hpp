// Block Lanczos on (K - sigma M)^-1 M in the scalar product of M, with full reorthogonalisation.
//
// Ericsson and Ruhe (1980), "The spectral transformation Lanczos method for the numerical solution of large
// sparse generalized symmetric eigenvalue problems", Math. Comp. 35, 1251-1268: eigenvalues theta of the
// operator are 1 / (lambda - sigma), so that those next to the shift are found first. Grimes, Lewis and Simon
// (1994), "A shifted block Lanczos algorithm for solving sparse symmetric generalized eigenproblems", SIAM J.
// Matrix Anal. Appl. 15, 228-272: a block finds eigenvalues that are equal, such as the six of a free body.
// Parlett (1998), "The Symmetric Eigenvalue Problem", chapters 11 and 13. Every new vector is made orthogonal
// to all earlier ones, so that the projected matrix is that of a Rayleigh-Ritz step, and no copies of an
// eigenvalue appear that are not there.
#pragma once

#include <functional>
#include <memory_resource>
#include <vector>

#include "implicit/eigen/pencil.hpp"

namespace crumple::implicit::eigen {

/// Columns of one length, one after the other, in memory or where else the resource has them.
struct Vectors {
  std::size_t rows = 0;
  std::pmr::vector<double> values;

  std::size_t columns() const { return rows > 0 ? values.size() / rows : 0; }
  std::span<double> column(std::size_t k) { return std::span(values).subspan(k * rows, rows); }
  std::span<const double> column(std::size_t k) const { return std::span(values).subspan(k * rows, rows); }
  void append(std::span<const double> more) { values.insert(values.end(), more.begin(), more.end()); }
};

/// An approximation of an eigenvalue.
struct Ritz {
  double value = 0;  ///< of lambda
  bool converged = false;
};

struct LanczosOptions {
  std::size_t block = 8;
  std::size_t most = 0;  ///< vectors
  double wanted = 1e-8;  ///< |op x - theta x| / |theta| of what has converged
  unsigned seed = 1;     ///< of the start vectors: the same seed gives the same vectors
  std::pmr::memory_resource* kept = std::pmr::get_default_resource();  ///< of the space and the result
};

struct LanczosResult {
  /// Nearest to the shift first; empty if `locked` has all eigenvectors.
  std::vector<Ritz> ritz;
  Vectors vectors;  ///< of each that has converged, orthonormal in M
  Vectors next;     ///< a start for more: those nearest to the shift that have not
};

/// @param locked orthonormal in M; what is found is orthogonal to these
/// @param start columns to begin with; random ones are added up to a block
/// @param enough whether these are, after each block
LanczosResult lanczos(const Pencil& pencil, const Operator& op, const Vectors& locked, const Vectors& start,
                      const LanczosOptions& options,
                      const std::function<bool(const std::vector<Ritz>&)>& enough);

}  // namespace crumple::implicit::eigen
