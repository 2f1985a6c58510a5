// The file of the final state (dynain): keywords with which another run goes on.
//
// It has nodes, elements, stresses, strains and constraints of the parts that *INTERFACE_SPRINGBACK_LSDYNA
// names; materials, sections, sets and loads come from the next deck. Keywords end in `+`: each is in long
// format, whatever file includes it. Rows are in the order of the deck, so the bytes do not depend on ranks.
#pragma once

#include <string>

#include "decomposition/distribution.hpp"
#include "output/results_view.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

/// Writes the state at the snapshot if the model asks for it; a file at `path` is replaced when the new one
/// is complete. Collective.
/// @param program what wrote it, for a comment
/// @returns whether it was asked for
/// @throws AgreedError CR-O101 to CR-O103
bool write_dynain(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
                  const ResultsView& results, const std::string& path, const std::string& program);

}  // namespace crumple::output
