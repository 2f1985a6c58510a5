// Rows of elout and deforc on rank 0, from the elements that the model's histories name.
#pragma once

#include <span>
#include <vector>

#include "output/results_view.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

/// Living elements of the rank's histories, with strains where there are any. Collective.
EloutRow gather_elout(const parallel::Communicator& comm, const model::Model& local,
                      const ResultsView& results);

/// In the order of `catalogue.springs`, which only rank 0 has; a spring that is gone has no force.
/// Collective.
std::vector<DeforcRow> gather_deforc(const parallel::Communicator& comm, const model::Model& local,
                                     const Catalogue& catalogue, const ResultsView& results);

}  // namespace crumple::output
