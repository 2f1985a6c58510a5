// A user's own law: a Fortran or C routine of a shared library, with the interface that LS-DYNA gives umat41
// to umat50 (LS-DYNA Keyword User's Manual, vol. I, appendix A, "User Defined Materials", R9 and later).
//
// All numbers are doubles, whatever the precision of the run. A routine is called by several threads at a
// time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/curve.hpp"

namespace crumple::materials {

/// Points of one call at most: as many as the longest vector of a law has lanes.
inline constexpr int kUserPoints = 32;
/// History variables at most, and those of them for the deformation gradient (IHYPER).
inline constexpr int kUserHistory = 300, kGradient = 9;

/// What a routine is told of the element: etype.
enum class UserElement { solid, shell, beam, truss };

/// What a routine gets and gives: component k of point i is at [k][i], as for vectorised routines.
struct UserPoints {
  int n = 0;
  UserElement element = UserElement::solid;
  std::array<std::array<double, kUserPoints>, 6> strain, stress;  ///< shells: strain[2] is given back
  std::array<double, kUserPoints> plastic_strain, dt;
  std::array<std::int32_t, kUserPoints> failed;  ///< given back
  double time = 0;                               ///< at the end of the step
  std::array<std::array<double, kUserPoints>, kUserHistory + kGradient> history;
};

/// Constants of one material, and the routine for them.
struct UserRoutine {
  std::shared_ptr<void> library;  ///< as long as it is kept, the routine is there
  void* function = nullptr;
  bool vectorised = false;
  std::vector<double> constants, more_constants;  ///< cm, cma
  std::vector<model::Curve> curves;               ///< those of the deck, for crval
  int n_history = 0;                              ///< NHV, and 9 with IHYPER = 1

  void call(UserPoints& points) const;
};

/// Finds umat<number>, in Fortran's spelling or C's, in the first of the libraries that has it.
/// @param vectorised umat<number>v
/// @return without function if none has it; `why` then says what was tried
UserRoutine find_user_routine(const std::vector<std::string>& libraries, int number, bool vectorised,
                              std::string& why);

}  // namespace crumple::materials

extern "C" {
/// For routines: the value and the slope of a curve of the deck, as LS-DYNA's crval. NaN if there is none.
void crval_(const double* curves, const std::int32_t* points, const double* id, const double* x,
            double* value, double* slope);
}
