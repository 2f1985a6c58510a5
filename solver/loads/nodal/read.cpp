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

void read_load(Builder& build, const Keyword& k, const Record& r) {
  std::vector<NodalLoad>& loads = build.model.features.of<NodalLoad>();
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
  if (k.name() == "LOAD_NODE_SET") {
    const model::NodeSet* const set =
        build.find_node_set(r.integer("NSID"), Builder::star(k), r.place("NSID"));
    if (!set) return;
    for (const LocalId n : set->nodes) {
      load.node = n;
      loads.push_back(load);
    }
  } else {
    load.node = build.find_node(r.integer("NID"), Builder::star(k), r.place("NID"));
    if (load.node != kNone) loads.push_back(load);
  }
}

}  // namespace

void read_nodal_loads(Builder& build) {
  for (const char* const name : {"LOAD_NODE_POINT", "LOAD_NODE_SET"})
    for (const Keyword& k : build.deck.all(name))
      for (const Record& r : k.records()) read_load(build, k, r);
}

}  // namespace crumple::loads
