// *NODE_TRANSFORM, *PART_MOVE and *NODE_MERGE_SET: nodes that are not where *NODE has them, or are one.
//
// These name sets and parts, which are known only after the mesh. So a first Builder without reports reads
// the deck up to its sets; what it finds changes the nodes of the second one, which reads all as if the deck
// had the changed nodes. Sets of these keywords are therefore those of the unchanged nodes (boxes), all
// others those of the changed ones.
//
// In this order: *NODE_TRANSFORM with IMMED = 1 and then those with 0, which LS-DYNA applies after the whole
// input, each in the order of the deck; *PART_MOVE; *NODE_MERGE_SET. Where another order would give another
// result (a node in both of the first two, or in two *PART_MOVE) the deck is refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "deck/transforms.hpp"
#include "model/builder.hpp"

namespace crumple::model {
namespace {

/// Reads the changes: `scout` knows the mesh and the sets as they are in the deck, `build` reports.
class NodeChangeReader {
 public:
  NodeChangeReader(const Builder& build, Builder& scout)
      : build_(build), scout_(scout), x_(scout.model.nodes.x), mover_(x_.size(), Mover::none) {}

  void read(NodeChanges& out) {
    for (const bool immediate : {true, false})
      for (const Keyword& k : build_.deck.all("NODE_TRANSFORM"))
        for (const Record& r : k.records())
          if ((r.integer("IMMED") == 1) == immediate) transform(r);
    for (const Keyword& k : build_.deck.all("PART_MOVE"))
      for (const Record& r : k.records()) move_parts(r);
    const auto& id = scout_.model.nodes.id;
    for (std::size_t n = 0; n < x_.size(); ++n)
      if (mover_[n] != Mover::none) out.moved[id[n]] = x_[n];
    merge(out);
  }

 private:
  enum class Mover : char { none, transformation, part };

  static std::size_t at(LocalId i) { return static_cast<std::size_t>(i); }
  GlobalId number(LocalId node) const { return scout_.model.nodes.id[at(node)]; }

  /// As Builder::find, in the tables of the scout.
  LocalId find(const IdTable& table, GlobalId id, const char* error_id, const char* what,
               const std::string& by, const Place& place) const {
    const LocalId index = table.find(id);
    if (index == IdTable::kMissing)
      build_.missing(error_id, what, fmt::format("{}: {} {} does not exist", by, what, id), place);
    return index;
  }

  void transform(const Record& r) {
    const GlobalId id = r.integer("TRSID");
    const std::string label = fmt::format("*NODE_TRANSFORM {}", id);
    const deck::Affine* const map = build_.deck.transformation(id);
    if (!map)
      build_.error("CR-D016", fmt::format("{}: there is no *DEFINE_TRANSFORMATION of this number", label),
                   r.place("TRSID"));
    const LocalId set =
        find(scout_.node_sets, r.integer("NSID"), "CR-D305", "node set", label, r.place("NSID"));
    if (!map || set == kNone) return;
    for (const LocalId n : scout_.model.sets.nodes[at(set)].nodes) {
      x_[at(n)] = (*map)(x_[at(n)]);
      mover_[at(n)] = Mover::transformation;
    }
  }

  std::vector<LocalId> parts_of(const Record& r, const std::string& label) const {
    const GlobalId id = r.integer("PID");
    const bool set = r.integer("IFSET") != 0;
    const LocalId found = find(set ? scout_.part_sets : scout_.parts, id, set ? "CR-D305" : "CR-D302",
                               set ? "part set" : "part", label, r.place("PID"));
    if (found == kNone) return {};
    return set ? scout_.model.sets.parts[at(found)].parts : std::vector{found};
  }

  void move_parts(const Record& r) {
    const std::string label = fmt::format("*PART_MOVE {}", r.integer("PID"));
    const GlobalId frame = r.integer("CID");
    const LocalId system =
        frame == 0 ? kNone
                   : find(scout_.systems, frame, "CR-D304", "coordinate system", label, r.place("CID"));
    if (frame != 0 && system == kNone) return;
    const Vec3 by = scout_.to_global(system, {r.real("XMOV"), r.real("YMOV"), r.real("ZMOV")});
    std::vector<LocalId> nodes;
    for (const LocalId part : parts_of(r, label)) {
      check_part(part, label, r.place("PID"));
      const std::vector<LocalId>& more = scout_.nodes_of_part(part);
      nodes.insert(nodes.end(), more.begin(), more.end());
    }
    scout_.sort_nodes(nodes);  // nodes of two parts of a set move once
    for (const LocalId n : nodes) {
      if (mover_[at(n)] != Mover::none)
        return build_.unsupported(
            fmt::format("{}: node {} is moved by another {}, too: which moves first, or whether both do, is "
                        "not established",
                        label, number(n),
                        mover_[at(n)] == Mover::part ? "*PART_MOVE (use IFSET = 1 for parts that share nodes)"
                                                     : "keyword, *NODE_TRANSFORM"),
            r.place("PID"));
      x_[at(n)] += by;
      mover_[at(n)] = Mover::part;
    }
  }

  void check_part(LocalId i, const std::string& label, const Place& place) const {
    const Part& part = scout_.model.parts[at(i)];
    if (part.kind != ElementKind::shell && part.kind != ElementKind::solid)
      build_.unsupported(
          fmt::format("{}: part {} has neither shells nor solids, and only these are moved", label, part.id),
          place);
    const auto inertia = scout_.inertia_records.find(i);
    if (inertia != scout_.inertia_records.end() && inertia->second.integer("NODEID") == 0)
      build_.unsupported(fmt::format("{}: part {} has _INERTIA, whose centre of mass by coordinates does not "
                                     "move with the nodes: name a node (NODEID)",
                                     label, part.id),
                         place);
  }

  double tolerance() const {
    double out = 0;
    for (const Keyword& k : build_.deck.all("NODE_MERGE_TOLERANCE"))
      for (const Record& r : k.records()) out = r.real("TOLR");
    return out;
  }

  /// Nodes of all *NODE_MERGE_SET, by ascending number.
  std::vector<LocalId> candidates() const {
    std::vector<LocalId> out;
    for (const Keyword& k : build_.deck.all("NODE_MERGE_SET"))
      for (const Record& r : k.records()) {
        const LocalId set = find(scout_.node_sets, r.integer("NSID"), "CR-D305", "node set",
                                 "*NODE_MERGE_SET", r.place("NSID"));
        if (set == kNone) continue;
        const auto& nodes = scout_.model.sets.nodes[at(set)].nodes;
        out.insert(out.end(), nodes.begin(), nodes.end());
      }
    scout_.sort_nodes(out);
    return out;
  }

  using Cell = std::array<std::int64_t, 3>;
  struct CellHash {
    std::size_t operator()(const Cell& c) const {
      std::size_t h = 0;
      for (const std::int64_t i : c) h = (h ^ static_cast<std::size_t>(i)) * 0x9e3779b97f4a7c15ULL;
      return h;
    }
  };

  void merge(NodeChanges& out) {
    const std::vector<Keyword> keywords = build_.deck.all("NODE_MERGE_SET");
    const double size = tolerance();
    if (keywords.empty()) return;
    if (!(size > 0.0))
      return build_.unsupported(
          "*NODE_MERGE_SET without a tolerance: the default is not supported, give a distance by "
          "*NODE_MERGE_TOLERANCE",
          keywords[0].place());
    const auto cell = [&](LocalId n, const Cell& shift) {
      Cell c;
      for (int k = 0; k < 3; ++k)
        c[static_cast<std::size_t>(k)] =
            static_cast<std::int64_t>(std::clamp(std::floor(x_[at(n)][k] / size), -1e18, 1e18)) +
            shift[static_cast<std::size_t>(k)];
      return c;
    };
    std::unordered_map<Cell, std::vector<LocalId>, CellHash> kept;
    std::vector<LocalId> into(x_.size(), kNone);
    for (const LocalId n : candidates()) {
      // The lowest number within the tolerance; nodes that were merged attract no others.
      LocalId first = kNone;
      for (std::int64_t s = 0; s < 27; ++s)
        if (const auto it = kept.find(cell(n, {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1})); it != kept.end())
          for (const LocalId m : it->second)
            if (norm(x_[at(n)] - x_[at(m)]) <= size && (first == kNone || number(m) < number(first)))
              first = m;
      if (first == kNone) {
        kept[cell(n, {})].push_back(n);
      } else {
        into[at(n)] = first;
        out.merged[number(n)] = number(first);
      }
    }
    check_elements(into, keywords[0].place());
    if (!out.merged.empty())
      build_.warn("CR-D338",
                  fmt::format("*NODE_MERGE_SET: {} nodes are one with others, the first: {} with {}",
                              out.merged.size(), out.merged.begin()->first, out.merged.begin()->second),
                  keywords[0].place());
  }

  /// An element that would have a node twice.
  void check_elements(const std::vector<LocalId>& into, const Place& place) const {
    const auto kept = [&](LocalId n) { return into[at(n)] == kNone ? n : into[at(n)]; };
    const auto check = [&](const auto& elements, const char* what) {
      for (std::size_t e = 0; e < elements.size(); ++e) {
        std::vector<LocalId> nodes;
        each_node(elements, e, [&](LocalId n) { nodes.push_back(n); });
        for (std::size_t a = 0; a < nodes.size(); ++a)
          for (std::size_t b = 0; b < a; ++b)
            if (nodes[a] != nodes[b] && kept(nodes[a]) == kept(nodes[b]))
              return build_.error("CR-D310",
                                  fmt::format("*NODE_MERGE_SET: nodes {} and {} of {} {} would be one",
                                              number(nodes[b]), number(nodes[a]), what, elements.id[e]),
                                  place);
      }
    };
    check(scout_.model.shells, "shell");
    check(scout_.model.solids, "solid");
    check(scout_.model.beams, "beam");
    check(scout_.model.discretes, "spring");
  }

  const Builder& build_;
  Builder& scout_;
  std::vector<Vec3> x_;
  std::vector<Mover> mover_;
};

}  // namespace

void Builder::find_node_changes() {
  for (const char* const name : {"NODE_TRANSFORM", "PART_MOVE", "NODE_MERGE_SET"})
    if (!deck.all(name).empty()) {
      BuildOptions options = options_;
      options.quiet = true;
      Builder scout(deck, options);
      scout.read_mesh_and_sets();
      return NodeChangeReader(*this, scout).read(node_changes);
    }
  for (const Keyword& k : deck.all("NODE_MERGE_TOLERANCE"))
    for (const Record& r : k.records())
      warn("CR-D330", fmt::format("*NODE_MERGE_TOLERANCE {:g}: there is no *NODE_MERGE_SET", r.real("TOLR")),
           r.place());
}

void Builder::apply_node_changes() {
  for (const auto& [id, x] : node_changes.moved) model.nodes.x[static_cast<std::size_t>(nodes.find(id))] = x;
  if (node_changes.merged.empty()) return;
  Nodes all = std::exchange(model.nodes, {});
  nodes = {};
  nodes.reserve(all.size());
  std::vector<LocalId> index(all.size(), kNone);
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (node_changes.merged.contains(all.id[n])) continue;
    index[n] = static_cast<LocalId>(model.nodes.size());
    nodes.insert(all.id[n], index[n]);
    model.nodes.id.push_back(all.id[n]);
    model.nodes.x.push_back(all.x[n]);
  }
  for (std::size_t n = 0; n < all.size(); ++n)
    if (const auto it = node_changes.merged.find(all.id[n]); it != node_changes.merged.end())
      nodes.insert(it->first, index[n] = nodes.find(it->second));
  // Constraints of a node that was merged hold the other one.
  for (NodeConstraint& c : model.constraints) c.node = index[static_cast<std::size_t>(c.node)];
}

}  // namespace crumple::model
