// The division of a factor over ranks as JSON: what each rank computes, sends and keeps.
#pragma once

#include <cstddef>
#include <string>

#include "implicit/linear/numeric_factor.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::linear {

/// The file's members: docs/traces.md. Its reader is crumple/lab/traces/factor_division.py.
/// @param value_bytes of one value of the factor
std::string division_json(const Symbolic& symbolic, const SolverOptions& options, int ranks,
                          std::size_t value_bytes);

}  // namespace crumple::implicit::linear
