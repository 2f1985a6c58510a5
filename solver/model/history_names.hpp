// Names that *DATABASE_HISTORY_..._ID gives nodes and elements, for the legends of histories.
#pragma once

#include <map>
#include <string>

#include "deck/deck.hpp"

namespace crumple::model {

/// Names by number; only of entities that have a name.
struct HistoryNames {
  std::map<GlobalId, std::string> nodes, shells, solids, beams, discretes;
};

/// All names of a deck; the first if an entity has two.
HistoryNames read_history_names(const deck::Deck& deck);

}  // namespace crumple::model
