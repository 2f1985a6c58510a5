// Modes of free vibration about the present state of an implicit solver: eigout, d3eigv, and a table.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "control/mode_plots.hpp"
#include "model/implicit_control.hpp"

namespace crumple::control {

/// What is found, for the screen and d3hsp.
struct VibrationModes {
  std::size_t count = 0;
  std::string table;  ///< of the modes
  std::string check;  ///< by the Sturm count
};

/// Finds the modes and writes the files. Throws Error.
/// @param dt of the step whose motions are given and whose contacts touch
/// @param tell has, before the modes are looked for, how the stiffness is factored
/// @param between is called between two blocks of the search; it may throw
/// @param eigout name of its file, behind the prefix of the results
VibrationModes write_vibration_modes(const Options& options, implicit::Solver& solver,
                                     const model::Eigenvalues& wanted, double dt, ModePlots& plots,
                                     const std::function<void(const std::string&)>& tell,
                                     std::string_view eigout = "eigout",
                                     const std::function<void()>& between = {});

}  // namespace crumple::control
