// A contact system of the whole model on one rank, for what is asked of it before the model is shared out.
#pragma once

#include <span>
#include <vector>

#include "contact/contact_system.hpp"

namespace crumple::contact {

/// Nodes as a one-rank contact system sees them; masses and force scales do not matter to what is near what.
state::Nodal nodes_on_one_rank(const model::Model& whole);

/// What contacts compare where nodes are at `x`, as a run that got there has found it: the first list is of
/// nodes and points against segments, the others are of lines, one for each contact that has them. Without
/// contacts: nothing. Before the first cycle `x` is Model::nodes.x.
std::vector<std::vector<NearPair>> pairs_at(const model::Model& whole, std::span<const Vec3> x);

}  // namespace crumple::contact
