// The step that a run of a model begins with.
#pragma once

#include "control/input.hpp"
#include "control/options.hpp"
#include "model/check.hpp"

namespace crumple::control {

/// The first step of the run that the options describe: of a solver that takes it, on one rank, with all that
/// the step depends on: viscosity and initial velocities, mass scaling, DTINIT and LCTM, rigid bodies and
/// contact. A run on more ranks has the same. Throws Error if the run fails there.
///
/// Of dynamic relaxation: the first step of the run without it.
model::FirstStep first_step(const Options& options, const Input& input, std::size_t listed = 10);

}  // namespace crumple::control
