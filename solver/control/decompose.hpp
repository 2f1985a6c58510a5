// `--decompose N` and the pfile's `show`: the decomposition of a deck, without a run.
#pragma once

#include "control/input.hpp"
#include "control/options.hpp"
#include "decomposition/directions.hpp"

namespace crumple::control {

/// Prints balance, shared nodes and neighbours of every rank, and writes a d3plot with one state whose parts
/// are the ranks, numbered from 1 as LS-DYNA does. Local. Throws Error as partition() does.
void decompose(const Input& input, const Options& options, const decomposition::Directions& directions,
               int ranks);

}  // namespace crumple::control
