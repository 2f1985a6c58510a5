// What a multifrontal factor takes, and how it is kept, as the options ask for.
#pragma once

#include <cstddef>

#include "implicit/linear/numeric_factor.hpp"
#include "implicit/linear/solver.hpp"
#include "implicit/linear/top_needs.hpp"

namespace crumple::implicit::linear {

struct ChosenPlan {
  Plan plan;
  Analysis is;
};

/// @param value_bytes of one value of the factor
/// @param tops what this rank has of fronts above these; null: there are none
ChosenPlan choose_plan(const Symbolic& symbolic, const SolverOptions& options, std::size_t value_bytes,
                       const TopNeeds* tops = nullptr);

}  // namespace crumple::implicit::linear
