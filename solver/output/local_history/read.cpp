// *DATABASE_HISTORY_NODE_LOCAL, _LOCAL_ID and _SET_LOCAL. Their nodes are in Output::history_nodes as others
// are.
#include <map>
#include <optional>

#include "model/builder.hpp"
#include "output/accelerometer/local_axes.hpp"
#include "output/local_history/local_history.hpp"

namespace crumple::output {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

/// What a line says.
struct LocalLine {
  GlobalId id = 0, frame = 0, ref = 0;
  Place place;
};

/// A line for each node; with names a record for each.
std::vector<LocalLine> local_lines(const Keyword& k, const Record& r) {
  std::vector<LocalLine> lines;
  if (k.name() == "DATABASE_HISTORY_NODE_LOCAL_ID")
    return {{r.integer("ID"), r.integer("CID"), r.integer("REF"), r.place()}};
  for (std::size_t row = 0; row < r.rows(); ++row)
    lines.push_back({r.integer(row, 0), r.integer(row, 1), r.integer(row, 2), r.row_place(row)});
  return lines;
}

std::vector<LocalId> local_nodes(const Builder& build, const Keyword& k, const LocalLine& line) {
  if (k.name() == "DATABASE_HISTORY_NODE_SET_LOCAL") {
    const model::NodeSet* const set = build.find_node_set(line.id, Builder::star(k), line.place);
    return set != nullptr ? set->nodes : std::vector<LocalId>{};
  }
  const LocalId node = build.find_node(line.id, Builder::star(k), line.place);
  return node == kNone ? std::vector<LocalId>{} : std::vector{node};
}

/// The frame of a line, without a node; none without a frame.
std::optional<LocalHistory> local_frame(const Builder& build, const Keyword& k, const LocalLine& line) {
  if (line.ref != 0 && line.ref != 1)
    build.unsupported(
        fmt::format("{}: REF = {}: motion relative to axes that move", Builder::star(k), line.ref),
        line.place);
  const LocalId frame = build.find_system(line.frame, Builder::star(k), line.place, Builder::Use::at_start);
  if (frame == kNone) return std::nullopt;
  LocalHistory of;
  of.axes = build.model.systems[at(frame)].axis;
  if (line.ref != 1) return of;
  const auto nodes = build.frame_nodes.find(frame);
  if (nodes == build.frame_nodes.end())
    build.error("CR-D310",
                fmt::format("{}: REF = 1 needs a frame of *DEFINE_COORDINATE_NODES; {} has no nodes",
                            Builder::star(k), line.frame),
                line.place);
  else
    of.frame = nodes->second.node, of.first = nodes->second.first;
  return of;
}

}  // namespace

void read_local_histories(Builder& build) {
  std::map<LocalId, LocalHistory> found;
  for (const char* const name :
       {"DATABASE_HISTORY_NODE_LOCAL", "DATABASE_HISTORY_NODE_LOCAL_ID", "DATABASE_HISTORY_NODE_SET_LOCAL"})
    for (const Keyword& k : build.deck.all(name))
      for (const Record& r : k.records())
        for (const LocalLine& line : local_lines(k, r)) {
          std::optional<LocalHistory> of = local_frame(build, k, line);
          if (!of) continue;
          for (const LocalId node : local_nodes(build, k, line)) of->node = node, found[node] = *of;
        }
  for (const auto& [node, of] : found) build.model.features.of<LocalHistory>().push_back(of);
}

std::array<Vec3, 3> axes_at(const LocalHistory& of, std::span<const Vec3> x) {
  if (of.frame[0] == kNone) return of.axes;
  const std::array<Vec3, 3> turned = triad(x[at(of.frame[0])], x[at(of.frame[1])], x[at(of.frame[2])]);
  std::array<Vec3, 3> axes;
  for (std::size_t k = 0; k < 3; ++k) axes[(at(of.first) + k) % 3] = turned[k];
  return axes;
}

}  // namespace crumple::output
