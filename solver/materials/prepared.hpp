// A prepared material: its law with parameters, and its properties that elements use.
#pragma once

#include <memory>

#include "materials/law.hpp"
#include "materials/row.hpp"

namespace crumple::materials {

struct Expansion;

struct Prepared {
  std::shared_ptr<const void> parameters;
  Law law;  ///< set by `prepare`; points to `parameters`
  int n_history = 0;
  std::shared_ptr<const Expansion> expansion;  ///< of a law that has a table of its own; null: none
  Needs needs;                                 ///< of these parameters, beside those of the law's row
  Elastic elastic;
  double density = 0;
  double min_time_step = 0;  ///< an element whose stable step falls below is deleted (TDEL); 0: never
  double step_at_start = 0;  ///< step for which masses are scaled at the start (DT); 0: none
  /// Failed points at which a shell is deleted: > 0 their number, < 0 a percentage, 0 all.
  double points_to_fail = 0;
  /// The same for points that have failed by the criteria of *MAT_ADD_EROSION, in all elements. A percentage
  /// is for shells only; others are deleted with one point.
  double points_to_erode = 0;
  /// The same for points that have failed by a damage model; a percentage is one of layers.
  double points_to_damage = 0;
  /// Fraction of critical damping at an element's highest frequency, of parts without
  /// *DAMPING_PART_STIFFNESS.
  double damping = 0;
  bool bulk_viscosity = true;  ///< whether it acts in solids
  Cohesive cohesive;           ///< of laws for cohesive elements
  double failure_time = 0;     ///< time of deletion (FAILTM); < 0: only in the run; 0: never
};

}  // namespace crumple::materials
