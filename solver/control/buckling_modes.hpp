// Buckling modes at the end of an implicit run: eigout, d3eigv, and a table.
#pragma once

#include <string>

#include "control/mode_plots.hpp"

namespace crumple::control {

/// Finds the modes under the present loads and writes the files. Throws Error.
/// @param dt of the step whose stiffness counts
/// @returns the table, and how the count agrees, for the screen and d3hsp
std::string write_buckling_modes(const Options& options, implicit::Solver& solver, double dt,
                                 ModePlots& plots);

}  // namespace crumple::control
