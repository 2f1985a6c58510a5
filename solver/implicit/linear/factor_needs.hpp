// What a multifrontal factor takes, and how it is kept, as the options ask for.
#pragma once

#include <cstddef>

#include "implicit/linear/numeric_factor.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::linear {

struct ChosenPlan {
  Plan plan;
  Analysis is;
};

/// @param value_bytes of one value of the factor
ChosenPlan choose_plan(const Symbolic& symbolic, const SolverOptions& options, std::size_t value_bytes);

}  // namespace crumple::implicit::linear
