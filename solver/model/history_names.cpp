// *DATABASE_HISTORY_NODE_ID and similar keywords: a number and a heading per row.
#include "model/history_names.hpp"

namespace crumple::model {

HistoryNames read_history_names(const deck::Deck& deck) {
  HistoryNames names;
  const auto read = [&](const char* kind, std::map<GlobalId, std::string>& of_kind) {
    for (const deck::Keyword& k : deck.all(std::string("DATABASE_HISTORY_") + kind + "_ID"))
      for (const deck::Record& r : k.records())
        for (std::size_t row = 0; row < r.rows(); ++row)
          if (const std::string heading = r.text(row, 1); !heading.empty())
            of_kind.emplace(r.integer(row, 0), heading);
  };
  read("NODE", names.nodes);
  for (const deck::Keyword& k : deck.all("DATABASE_HISTORY_NODE_LOCAL_ID"))
    for (const deck::Record& r : k.records())
      if (const std::string heading = r.text("HEADING"); !heading.empty())
        names.nodes.emplace(r.integer("ID"), heading);
  read("SHELL", names.shells);
  read("SOLID", names.solids);
  read("TSHELL", names.solids);
  read("BEAM", names.beams);
  read("DISCRETE", names.discretes);
  return names;
}

}  // namespace crumple::model
