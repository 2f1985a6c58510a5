// The memory that the linear equations of an implicit run may take, and what they will take.
#pragma once

#include <string>

#include "control/input.hpp"
#include "control/linear_ranks.hpp"
#include "control/options.hpp"
#include "implicit/solver.hpp"

namespace crumple::control {

/// Bytes for the stiffness and its factor: what memory= leaves beside the model, or without it most of what
/// the machine has left. 0: no limit.
/// @param options with the limit of the deck, if it has one
/// @param on_machine ranks that share the memory of the machine
double factor_memory(const Options& options, const model::Model& model, int on_machine);

/// What implicit runs tell their solver. Eigenvalues are found with factors of double precision.
implicit::SolverOptions implicit_options(const Options& options, const model::Model& model, elements::Isa isa,
                                         const LinearRanks& linear = {});

/// Lines for the screen: equations, their factor, memory and disk, and what its bits depend on.
std::string factor_text(const implicit::Solver& solver, bool single_precision);

/// The same for `crumple check`, and as a member of its JSON that begins with a comma.
struct FactorPrediction {
  std::string text, json;
};

/// Analyses the equations of the first step of an implicit deck, with all of its model. Throws Error.
FactorPrediction predict_factor(const Options& options, const Input& input);

}  // namespace crumple::control
