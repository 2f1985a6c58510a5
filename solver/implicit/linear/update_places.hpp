// Places of update matrices: in memory on stacks, or in the factor's file where memory is short.
//
// All fronts are known beforehand, and so is which update matrices are there at any time. Where they are too
// much for the memory, the one goes to the file that its parent needs last (Agullo, Guermouche and
// L'Excellent 2010, "Reducing the I/O volume in sparse out-of-core multifrontal methods": the lowest on the
// stack). It is never whole in memory: its front makes it panel by panel, and so does the parent take it.
#pragma once

#include <cstdint>
#include <functional>

#include "implicit/linear/plan.hpp"

namespace crumple::implicit::linear {

/// Values in memory beside update matrices while the fronts of subtrees are made, and those above.
struct BesideUpdates {
  std::int64_t subtrees = 0, top = 0;
};

/// Sets on_disk, stack, update_at, memory and disk of a plan with subtrees.
/// @param most_values in memory at once; 0: no limit. If that is not possible, all that can be is on disk.
/// @param beside of the plan as it is at the time
void place_updates(const Fronts& fronts, Plan& plan, std::int64_t most_values,
                   const std::function<BesideUpdates()>& beside);

}  // namespace crumple::implicit::linear
