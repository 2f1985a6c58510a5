// `--decompose N` of an implicit deck: the division of its factor over ranks, without a run.
#pragma once

#include "control/input.hpp"
#include "control/options.hpp"

namespace crumple::control {

/// Prints the equations of the first step and what each rank takes, and writes division.json into the run's
/// folder. Throws Error.
void divide_factor(const Options& options, const Input& input, int ranks);

}  // namespace crumple::control
