// *LOAD_NODE.
#include "loads/nodal/nodal_load.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

namespace {

/// The load; along an axis of a frame it is one along each global axis, of which those with a share are kept.
std::vector<NodalLoad> along_global_axes(Builder& build, const Keyword& k, const Record& r,
                                         const NodalLoad& load) {
  const LocalId frame = build.find_system(r.integer("CID"), Builder::star(k), r.place("CID"));
  if (frame == kNone || load.dof % 4 == 0 || load.dof < 1 || load.dof > 8) return {load};
  const Vec3& along = build.model.systems[at(frame)].axis[at(load.dof % 4 - 1)];
  std::vector<NodalLoad> loads;
  for (int i = 0; i < 3; ++i) {
    if (along[i] == 0.0) continue;
    NodalLoad& part = loads.emplace_back(load);
    part.dof = load.dof / 4 * 4 + i + 1;
    part.scale = load.scale * along[i];
  }
  return loads;
}

NodalLoad load_of(Builder& build, const Keyword& k, const Record& r) {
  NodalLoad load;
  load.dof = static_cast<int>(r.integer("DOF"));
  load.curve = build.find_curve(r.integer("LCID"), Builder::star(k), r.place("LCID"));
  load.scale = or_default(r.real("SF"), 1.0);
  if (load.dof < 1 || load.dof > 8)
    build.error("CR-D310", fmt::format("{}: DOF = {} is none of 1 to 8", Builder::star(k), load.dof),
                r.place("DOF"));
  // The plane of a follower force.
  constexpr std::array<const char*, 3> corners{"M1", "M2", "M3"};
  for (std::size_t a = 0; a < 3 && load.dof % 4 == 0; ++a)
    load.follower[a] = build.find_node(r.integer(corners[a]), Builder::star(k), r.place(corners[a]));
  return load;
}

void read_load(Builder& build, const Keyword& k, const Record& r) {
  std::vector<LocalId> nodes;
  const std::vector<NodalLoad> along = along_global_axes(build, k, r, load_of(build, k, r));
  if (k.name() == "LOAD_NODE_SET") {
    const model::NodeSet* const set =
        build.find_node_set(r.integer("NSID"), Builder::star(k), r.place("NSID"));
    if (set != nullptr) nodes = set->nodes;
  } else if (const LocalId node = build.find_node(r.integer("NID"), Builder::star(k), r.place("NID"));
             node != kNone) {
    nodes.push_back(node);
  }
  for (const LocalId n : nodes)
    for (NodalLoad load : along) {
      load.node = n;
      build.model.features.of<NodalLoad>().push_back(load);
    }
}

}  // namespace

void read_nodal_loads(Builder& build) {
  for (const char* const name : {"LOAD_NODE_POINT", "LOAD_NODE_SET"})
    for (const Keyword& k : build.deck.all(name))
      for (const Record& r : k.records()) read_load(build, k, r);
}

}  // namespace crumple::loads
