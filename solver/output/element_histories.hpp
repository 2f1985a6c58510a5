// Rows of elout and deforc on rank 0, from the elements that the model's histories name.
#pragma once

#include <span>
#include <vector>

#include "output/results.hpp"
#include "parallel/communicator.hpp"
#include "state/group_view.hpp"
#include "state/strains.hpp"

namespace crumple::output {

/// Living elements of the rank's histories, with strains where plot states have them (`strains` not null).
/// `x` are positions at t_n. Collective.
EloutRow gather_elout(const parallel::Communicator& comm, const model::Model& local, std::span<const Vec3> x,
                      std::span<const state::GroupView> groups, const state::Strains* strains);

/// In the order of `catalogue.springs`, which only rank 0 has; a spring that is gone has no force.
/// Collective.
std::vector<DeforcRow> gather_deforc(const parallel::Communicator& comm, const model::Model& local,
                                     const Catalogue& catalogue, std::span<const Vec3> x,
                                     std::span<const state::GroupView> groups);

}  // namespace crumple::output
