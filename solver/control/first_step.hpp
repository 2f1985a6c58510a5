// The first step of a run.
#pragma once

#include "control/input.hpp"
#include "control/options.hpp"
#include "model/check.hpp"

namespace crumple::control {

/// The first step of the run with these options, as a solver on one rank computes it: with viscosity and
/// initial velocities, mass scaling, DTINIT and LCTM, rigid bodies and contact. A run on more ranks has the
/// same step. Throws Error if the run fails in this step.
///
/// With dynamic relaxation it is the first step of the run without relaxation.
model::FirstStep first_step(const Options& options, const Input& input, std::size_t listed = 10);

}  // namespace crumple::control
