// *DATABASE_HISTORY_NODE_LOCAL and _SET_LOCAL. Their nodes are in Output::history_nodes as others are.
#include <map>

#include "model/builder.hpp"
#include "output/local_history/local_history.hpp"

namespace crumple::output {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

constexpr std::size_t kCid = 1, kRef = 2;  // columns

std::vector<LocalId> local_nodes(const Builder& build, const Keyword& k, const Record& r, std::size_t row) {
  const GlobalId id = r.integer(row, 0);
  if (k.name() == "DATABASE_HISTORY_NODE_SET_LOCAL") {
    const model::NodeSet* const set = build.find_node_set(id, Builder::star(k), r.row_place(row));
    return set != nullptr ? set->nodes : std::vector<LocalId>{};
  }
  const LocalId node = build.find_node(id, Builder::star(k), r.row_place(row));
  return node == kNone ? std::vector<LocalId>{} : std::vector{node};
}

}  // namespace

void read_local_histories(Builder& build) {
  std::map<LocalId, LocalHistory> found;
  for (const char* const name : {"DATABASE_HISTORY_NODE_LOCAL", "DATABASE_HISTORY_NODE_SET_LOCAL"})
    for (const Keyword& k : build.deck.all(name))
      for (const Record& r : k.records())
        for (std::size_t row = 0; row < r.rows(); ++row) {
          if (const GlobalId ref = r.integer(row, kRef); ref != 0)
            build.unsupported(
                fmt::format("{}: REF = {}: axes that move with their nodes", Builder::star(k), ref),
                r.row_place(row));
          const LocalId frame = build.find_system(r.integer(row, kCid), Builder::star(k), r.row_place(row),
                                                  Builder::Use::at_start);
          if (frame == kNone) continue;
          for (const LocalId node : local_nodes(build, k, r, row))
            found[node] = {node, build.model.systems[at(frame)].axis};
        }
  for (const auto& [node, of] : found) build.model.features.of<LocalHistory>().push_back(of);
}

}  // namespace crumple::output
