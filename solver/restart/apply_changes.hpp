// Puts the changes of a restart deck into the whole model, and finds the nodes and elements whose state they
// change.
#pragma once

#include <vector>

#include "deck/deck.hpp"
#include "explicit/state_changes.hpp"
#include "model/model.hpp"
#include "restart/changes.hpp"
#include "restart/index.hpp"

namespace crumple::restart {

/// Changes what the model has: end of the run, intervals, curves; deleted contacts die at `moment`, where the
/// deck was applied. Mistakes become problems of the restart deck: CR-D302, CR-D304 for numbers that the
/// model does not have, CR-T031 for a curve with another number of points, CR-T032 for an end before
/// `moment`, CR-T033 for a contact that cannot be deleted, CR-T034 in dynamic relaxation. On rank 0.
void apply(const Changes& changes, const deck::Deck& deck, const Moment& moment, model::Model& model);

/// What changes in the state. The sets of `model` must still be there. Mistakes become problems of the
/// restart deck: CR-D302, CR-D303, CR-D305 for numbers that the model does not have, CR-T033 for a part that
/// cannot be deleted, CR-T034 in dynamic relaxation. On rank 0.
explicit_dynamics::StateChanges find_state_changes(const Changes& changes, const deck::Deck& deck,
                                                   const Moment& moment, const model::Model& model);

/// Lines that say what is changed, for the screen and d3hsp.
std::string to_text(const Changes& changes);

}  // namespace crumple::restart
