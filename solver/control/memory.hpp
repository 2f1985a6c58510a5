// The memory that a run will need, estimated from the model; and the limit that a user sets.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "deck/deck.hpp"
#include "model/model.hpp"

namespace crumple::control {

/// Bytes that each rank holds at its peak.
struct MemoryNeed {
  int ranks = 1;
  bool single_precision = false;
  double program = 0, program_on_other = 0;  ///< the program itself with MPI and other libraries
  // for the model, in addition; at the peak of
  double reading = 0;       ///< rank 0: the deck, the whole model, its contact surfaces
  double distributing = 0;  ///< rank 0: the whole model and the subdomains
  double first = 0;         ///< rank 0: cycles and plot states
  double other = 0;         ///< any other rank: its subdomain and cycles; 0 on one rank

  double state_copy =
      0;  ///< all ranks together: a dump, and the copy of the state that an error's dump needs

  double model_on_first() const { return std::max({reading, distributing, first}); }
  double on_first() const { return program + model_on_first(); }
  double on_other() const { return ranks > 1 ? program_on_other + other : 0.0; }
};

/// Counts times sizes: elements by formulation, law and points, nodes, segments. Numbers that depend on the
/// motion (near pairs, touching nodes) are taken as in a vehicle that is crushed. Elements with errors in the
/// deck count as the simplest ones.
MemoryNeed memory_need(const model::Model& model, const deck::DeckSize& deck, int ranks,
                       bool single_precision);

/// "200m" as in LS-DYNA: words; k, m, g, t are 10^3, 10^6, 10^9, 10^12. Empty for invalid text.
std::optional<double> memory_words(const std::string& text);

/// The limit that users set, in words of 4 (single precision) or 8 bytes: for rank 0, and for the others.
struct MemoryLimit {
  std::optional<double> memory, memory2;
};

/// The limit of the command line, or else of *KEYWORD. Throws Error CR-K001 for text that is no number.
MemoryLimit with_deck(MemoryLimit given, const deck::Deck& deck);

/// @throws Error CR-K010 where the model does not fit into a limit; the program's own memory does not count
void check_memory(const MemoryNeed& need, const MemoryLimit& limit);

/// The figures for `crumple check`.
std::string to_text(const MemoryNeed& need);
/// @param further members of the object, each begins with a comma
std::string to_json(const MemoryNeed& need, const std::string& further = {});

}  // namespace crumple::control
