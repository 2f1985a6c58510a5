// Which modes are asked for, the shift they are looked for from, and the count that confirms them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "implicit/eigen/lanczos.hpp"

namespace crumple::implicit::eigen {

/// Modes with lambda in [left, right], at most `count`: those nearest to `centre`, else the lowest.
struct ModesWanted {
  std::size_t count = 0;
  std::optional<double> centre, left, right;  ///< of lambda
  std::optional<double> lowest;               ///< about the first lambda that is not zero: sets the shift
  std::string folder{};  ///< where all vectors are kept but those in use, as files; empty: in memory
  /// Is told of each factor and block, in a line; may be empty.
  std::function<void(const std::string&)> tell{};
};

/// The most vectors of all equations that a search keeps at a time.
struct KeptVectors {
  std::size_t all = 0, in_use = 0;  ///< in_use: those that are in memory if there is a folder
};
/// @param count modes that are searched for
KeptVectors vectors_kept(std::size_t count);

struct Mode {
  double value = 0;           ///< lambda
  std::vector<double> shape;  ///< by equation; shape' M shape = 1
  double residual = 0;        ///< |K x - lambda M x| / |(lambda - sigma) M x|
};

/// The number of eigenvalues between two shifts, by the inertia of two factors, beside those that were found.
struct SturmCount {
  double from = 0, to = 0;
  bool from_below = true;  ///< from minus infinity, not `from`
  std::size_t counted = 0, found = 0;
  bool agrees() const { return counted == found; }
};

struct Modes {
  std::vector<Mode> modes;   ///< ascending
  double shift = 0;          ///< the last one
  std::size_t unstable = 0;  ///< eigenvalues that are negative and not rounding
  SturmCount check;
  std::size_t factors = 0, solves = 0;
};

/// The shift lies below all eigenvalues unless a centre or a left end is given, so that K - sigma M is
/// positive definite, of free bodies, too. It begins at -1 / sum(M_ii / K_ii), which is minus the first
/// eigenvalue if the matrices are diagonal, and is moved to minus the first eigenvalue that is not zero, as
/// four blocks show it, if this differs by more than two orders; it is never nearer to zero than 1e-11 times
/// the largest K_ii / M_ii, for rounding's sake. Where the matrix still has negative eigenvalues, the shift
/// goes down tenfold until it has none. A search from a left end that has filled its space goes on
/// with a shift between the two lowest that have not converged. Missing modes, by the count, are looked for
/// again, orthogonal to those that were found.
/// @throws Error CR-I301 if there is no mass, CR-I302 if the iteration does not converge
Modes find_modes(const Pencil& pencil, const ModesWanted& wanted);

}  // namespace crumple::implicit::eigen
