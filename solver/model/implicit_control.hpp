// *CONTROL_IMPLICIT_GENERAL, _AUTO, _DYNAMICS, _SOLUTION, _SOLVER and others: how an implicit run steps,
// iterates and solves, whether inertia counts, which modes it finds, and when a run changes between implicit
// and explicit.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.hpp"
#include "model/index.hpp"

namespace crumple::model {

/// How a step is solved (NSOLVR).
enum class StepMethod : int { linear = 1, newton = 12 };

/// Sizes of steps (*CONTROL_IMPLICIT_AUTO).
struct StepSizes {
  double first = 0;                  ///< DT0
  bool automatic = false;            ///< IAUTO = 1, or < 0
  int best_iterations = 11;          ///< ITEOPT
  int window = 5;                    ///< ITEWIN
  double smallest = 0;               ///< DTMIN; by default first / 1000
  double largest = 0;                ///< DTMAX; by default 10 first
  LocalId by_curve = kNone;          ///< IAUTO < 0: steps over time
  LocalId largest_by_curve = kNone;  ///< DTMAX < 0: largest steps over time, whose points are key points
};

/// Iterations of a step and when they have converged (*CONTROL_IMPLICIT_SOLUTION).
struct Iterations {
  StepMethod method = StepMethod::newton;
  int between_reforms = 11;         ///< ILIMIT: 1 is Newton's method, more are with BFGS updates
  int most_reforms = 15;            ///< MAXREF, of a step
  double displacement = 1e-3;       ///< DCTOL
  double energy = 1e-2;             ///< ECTOL
  double residual = 1e10;           ///< RCTOL
  double line_search = 0.9;         ///< LSTOL
  double absolute = 1e-10;          ///< ABSTOL: < 0 is a norm of the residual
  bool total_displacement = true;   ///< DNORM = 2; else that of the step
  bool reform_if_divergent = true;  ///< DIVERG = 1
  int steps_between_reforms = 1;    ///< ISTIF
  int print = 0;                    ///< NLPRINT
  double norm = 2;                  ///< NLNORM
};

/// Steps along the path of equilibrium (NSOLVR = 6 to 9, or 12 with ARCMTH = 3).
struct ArcLength {
  bool active = false;
  double begin = 0;   ///< ARCTIM
  double factor = 1;  ///< ARCLEN: of the length of the first step along the tangent
};

/// The modes of free vibration that are asked for (*CONTROL_IMPLICIT_EIGENVALUE); frequencies in cycles per
/// time.
struct Eigenvalues {
  int count = 0;             ///< NEIG; 0: none at the start
  LocalId by_curve = kNone;  ///< NEIG < 0: how many at the times of its points
  double centre = 0;         ///< CENTER; 0: none
  bool from_left = false;    ///< LFLAG
  double left = 0;           ///< LFTEND
  bool to_right = false;     ///< RFLAG
  double right = 0;          ///< RHTEND
  double first_elastic = 0;  ///< SHFSCL: about the first frequency that is not zero; 0: not known
};

/// Inertia (*CONTROL_IMPLICIT_DYNAMICS). Without it a run is static.
struct Dynamics {
  bool active = false;                 ///< IMASS = 1 or < 0
  LocalId share = kNone;               ///< IMASS < 0: curve of the share of inertia that counts, over time
  double gamma = 0.5, beta = 0.25;     ///< of Newmark's method
  double alpha = 0;                    ///< of Hilber, Hughes and Taylor; -1/3 to 0
  double birth = 0;                    ///< TDYBIR: statics up to it
  double death = 1e28, burial = 1e28;  ///< TDYDTH, TDYBUR: the share falls from 1 to 0 between them
};

/// The buckling modes at the end of the run that are asked for (*CONTROL_IMPLICIT_BUCKLE).
struct Buckling {
  int count = 0;  ///< NMODE; 0: none
};

/// Loads on a body without supports are balanced by accelerations along its rigid modes
/// (*CONTROL_IMPLICIT_INERTIA_RELIEF).
struct InertiaRelief {
  bool active = false;
  double threshold = 1e-3;  ///< THRESH: frequency in cycles below which a mode is rigid
  int count = 0;            ///< IRCNT: or the lowest modes; 0: by the threshold
  std::vector<int> modes;   ///< or these, from 1
};

/// When a run changes between implicit and explicit (IMFLAG < 0, 4 and 5).
struct Switching {
  LocalId curve = kNone;        ///< IMFLAG < 0: over time, 1 implicit and 0 explicit
  bool where_it_fails = false;  ///< IMFLAG = 4, 5: explicit for a while where a step does not converge
  bool implicit_end = false;    ///< IMFLAG = 5
  double explicit_time = 0;     ///< DTEXP; 0: the length of the implicit step
  int failures = 1;             ///< KFAIL: of a step, before it is explicit
  int cycles = 0;               ///< KCYCLE: explicit cycles at least
  bool rest = false;            ///< ZERO_V: velocities end where implicit steps begin
};

/// A node that is held in springback: masks of x, y, z (1, 2, 4).
struct HeldInSpringback {
  GlobalId node = 0;
  std::uint8_t translations = 0, rotations = 0;
};

/// Implicit steps after the end time of an explicit run (IMFLAG = 2, *INTERFACE_SPRINGBACK_SEAMLESS).
struct Springback {
  bool active = false;
  int steps = 1;               ///< NSBS
  bool as_long = false;        ///< DT0 = 0: they take as long as the explicit run
  std::vector<LocalId> parts;  ///< all others are left out
  std::vector<HeldInSpringback> held;
};

/// Conjugate gradients in place of a direct solver (LSOLVR = 22 to 29), and when they end.
struct IterativeSolver {
  bool active = false;
  int most_iterations = 500;  ///< IPARM1
  double absolute = 0;        ///< RPARM1: of the residual; 0: none
  double relative = 1e-8;     ///< RPARM2
};

struct Implicit {
  bool active = false;  ///< some part of the run is implicit
  bool whole = false;   ///< IMFLAG = 1: all of the run that follows a relaxation
  StepSizes steps;
  Iterations iterations;
  ArcLength arc;
  Dynamics dynamics;
  Eigenvalues eigenvalues;  ///< these are then all of the run
  Buckling buckling;
  InertiaRelief relief;
  Switching switching;
  Springback springback;
  bool mumps = false;  ///< LSOLVR = 30
  IterativeSolver iterative;
  bool stop_if_negative = false;  ///< NEGEV = 1
  double drilling = 1;            ///< DRCPRM; 0 with DRCM = 3
  bool hold_unattached = true;    ///< AUTOSPC = 1
  double unattached = 1e-7;       ///< AUTOTOL
};

}  // namespace crumple::model
