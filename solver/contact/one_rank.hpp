// A contact system of the whole model on one rank, for queries before the model is decomposed.
#pragma once

#include <span>
#include <vector>

#include "contact/contact_system.hpp"

namespace crumple::contact {

/// Nodes for a one-rank contact system; masses and force scales do not matter for the search.
state::Nodal nodes_on_one_rank(const model::Model& whole);

/// The near pairs of contacts with nodes at `x`, as a run that has reached these positions finds them. The
/// first list has nodes and points against segments, the others have lines, one list for each contact with
/// lines. Empty without contacts. Before the first cycle `x` is Model::nodes.x.
std::vector<std::vector<NearPair>> pairs_at(const model::Model& whole, std::span<const Vec3> x);

}  // namespace crumple::contact
