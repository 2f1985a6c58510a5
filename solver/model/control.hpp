// Control of a run: its end, steps, damping, relaxation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "model/implicit_control.hpp"
#include "model/index.hpp"
#include "model/never.hpp"

namespace crumple::model {

/// *CONTROL_DYNAMIC_RELAXATION: finds the stresses from loads before the run.
struct Relaxation {
  bool active = false;                   ///< by explicit cycles
  bool implicit = false;                 ///< IDRFLG = 5, 6: by implicit steps up to `end_time`
  std::vector<LocalId> parts;            ///< IDRFLG = 6: all others are left out; else empty
  std::int64_t cycles = 250;             ///< NRCYCK: between checks
  double tolerance = 1e-3;               ///< DRTOL: limit of kinetic energy over the largest so far
  double factor = 0.995;                 ///< DRFCTR: velocities are multiplied by it in every cycle
  double end_time = kRelaxationNoLimit;  ///< DRTERM
  double step_scale = 0;                 ///< TSSFDR

  bool any() const { return active || implicit; }
};

/// *CONTROL_SPH.
struct SphControl {
  bool renormalised = false;       ///< FORM = 1
  bool parts_interact = true;      ///< CONT = 0
  bool solid_viscosity = false;    ///< IAVIS = 1: that of solids, else Monaghan's
  bool erodes = false;             ///< IEROD = 2: particles that fail are deleted
  double birth = 0, death = 1e20;  ///< START, DT
  double most_speed = 1e15;        ///< MAXV
};

struct Control {
  std::string title;
  std::string units;  ///< of the deck: "mass, length, time" as units.hpp names them; empty: not known
  double end_time = 0;
  std::int64_t end_cycle = 0;   ///< 0: no limit
  double min_step_factor = 0;   ///< DTMIN: stop when dt < DTMIN * first dt
  double end_energy_ratio = 0;  ///< ENDENG: percent change of energy ratio that ends the run
  double end_mass = 1e8;        ///< ENDMAS
  double cpu_limit = 0;         ///< CPUTIM: s of processor time, 0: no limit
  double step_scale = 0.9;      ///< TSSFAC
  double dt_init = 0;           ///< DTINIT
  double dt2ms = 0;             ///< DT2MS: step for mass scaling, 0: none
  bool ms1st = false;           ///< MS1ST: masses are scaled only at the start
  int erode = 0;                ///< ERODE of *CONTROL_TIMESTEP: 1 solids, 10 shells, 11 both
  LocalId dt_curve = kNone;     ///< LCTM
  // shells
  int istupd = 0;
  int bwc = 2;
  bool mass_damping = false;
  LocalId damping_curve = kNone;
  double damping_constant = 0;
  Vec3 damping_st{1, 1, 1}, damping_sr{1, 1, 1};
  Relaxation relaxation;
  Implicit implicit;
  SphControl sph;

  /// Whether implicit steps are only a part of the run, before, between or after others.
  bool has_phases() const { return implicit.active && (!implicit.whole || relaxation.implicit); }
};

}  // namespace crumple::model
