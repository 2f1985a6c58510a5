// Rows of elout and deforc on rank 0, from the elements of the model's histories.
#pragma once

#include <span>
#include <vector>

#include "output/results_view.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

/// A shell, solid or beam of a group, as elout has it; without its ids.
/// @param x positions of nodes
EloutElement elout_element(const state::GroupView& group, std::int32_t element, std::span<const Vec3> x,
                           const state::Strains* strains);
/// The force of a spring along its direction (elements/discrete/spring.hpp).
DeforcRow spring_row(const state::GroupView& group, std::int32_t element, std::span<const Vec3> x);

/// Rows of the rank's elements in histories (not deleted ones), with strains if available. Collective.
EloutRow gather_elout(const parallel::Communicator& comm, const model::Model& local,
                      const ResultsView& results);

/// In the order of `catalogue.springs`, which only rank 0 has; a deleted spring has no force. Collective.
std::vector<DeforcRow> gather_deforc(const parallel::Communicator& comm, const model::Model& local,
                                     const Catalogue& catalogue, const ResultsView& results);

}  // namespace crumple::output
