// A model built from the text of a deck, and what was reported on the way.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "deck/coverage.hpp"
#include "deck/deck.hpp"
#include "deck/diagnostics.hpp"
#include "model/deck_to_model.hpp"

namespace crumple::model {

/// A plate of 2 x 1 quadrilaterals, nodes 1 to 6 at x = 0, 1, 2 and y = 0, 1; part 1, thickness 0.5. Free
/// format.
inline const char* const kPlate = R"(*KEYWORD
*CONTROL_TERMINATION
2.0
*NODE
1,0,0,0
2,1,0,0
3,2,0,0
4,0,1,0
5,1,1,0
6,2,1,0
*ELEMENT_SHELL
11,1,1,2,5,4
12,1,2,3,6,5
*PART
plate
1,1,1
*SECTION_SHELL
1,2,0.8333,5
0.5,0.5,0.5,0.5
*MAT_ELASTIC
1,2.0,100.0,0.3
)";

struct BuiltDeck {
  deck::Deck deck;
  Model model;

  std::string problems() const {
    std::string out;
    for (const auto& p : deck.problems()) out += deck::to_text(p) + "\n";
    return out;
  }
  bool reported(const std::string& text) const { return problems().find(text) != std::string::npos; }
  const NodeSet& nodes(GlobalId id) const { return *model.sets.node_set(id); }
};

/// User numbers of a list of nodes.
inline std::vector<GlobalId> ids(const Model& model, const std::vector<LocalId>& nodes) {
  std::vector<GlobalId> out;
  for (const LocalId n : nodes) out.push_back(model.nodes.id[static_cast<std::size_t>(n)]);
  return out;
}

inline BuiltDeck build_file(const std::string& path, bool allow_unsupported = false) {
  deck::Deck deck = deck::read_deck(path, {allow_unsupported});
  Model model = build_model(deck, {allow_unsupported});
  deck::report_unused(deck);
  return {std::move(deck), std::move(model)};
}

inline BuiltDeck build(const std::string& text, bool allow_unsupported = false) {
  static std::atomic<int> count = 0;
  const auto path = std::filesystem::temp_directory_path() /
                    ("crumple-model-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".k");
  std::ofstream(path) << text;
  BuiltDeck built = build_file(path.string(), allow_unsupported);
  std::filesystem::remove(path);
  return built;
}

/// The plate with more keywords behind it.
inline BuiltDeck plate_and(const std::string& more, bool allow_unsupported = false) {
  return build(kPlate + more + "*END\n", allow_unsupported);
}

}  // namespace crumple::model
